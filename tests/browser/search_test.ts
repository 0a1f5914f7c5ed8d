/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import { AVAILABLE_ETH, onPage } from "./on_page.ts";
import {
  appears,
  attached,
  copiedOn,
  domainsDone,
  enter,
  grantClipboard,
  headingOn,
  open,
  queryOn,
  rowOn,
  rowsOn,
  settled,
  submit,
  summaryOn,
  textOf,
  topsOn,
  walkOn,
  watchChecks,
} from "./rows.ts";

const domainsOn = async (rows: Promise<string[]>) => (await rows).map((row) => row.split(":")[0]);
const ALL = ["com", "net", "org", "cc", "site", "tech", "tv", "eth"];
const ANY_TLD = { env: { ANY_TLD: "on" } };

onPage(
  "a name fills rows that keep their order and position, and is announced once at its end",
  async ({ page, lab }) => {
    lab.script("first.net", { dns: "delegated", rdap: "registered" });
    // The summary names two states while the rows are measured first, and all five in the end.
    lab.script("first.org", { dns: "nxdomain", rdap: "premium", delayMs: 1_500 });
    lab.script("first.site", { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
    lab.script("first.tech", { dns: "nxdomain", rdap: "reserved", delayMs: 1_500 });
    lab.script("first.tv", { dns: "nxdomain", rdap: "unavailable503", delayMs: 1_500 });
    await page.goto("/");
    const announced = await page.locator("#announcement").evaluateHandle((region) => {
      const texts: string[] = [];
      new MutationObserver(() => texts.push(region.textContent ?? "")).observe(region, {
        childList: true,
      });
      return texts;
    });
    await enter(page, "first");
    await appears(rowOn(page, "net").getByText("Taken", { exact: true }));
    await appears(rowOn(page, "site").getByText("Not in DNS", { exact: true }));
    assertEquals(await domainsOn(rowsOn(page)), ALL.map((tld) => `first.${tld}`));
    const before = await topsOn(page);
    await settled(page, "first");
    assertEquals(await topsOn(page), before);
    const [A, T, P, R, U] = ["Available", "Taken", "Premium", "Reserved", "Unknown"];
    const states = [A, T, P, A, A, R, U, A];
    assertEquals(await rowsOn(page), ALL.map((tld, place) => `first.${tld}: ${states[place]}`));
    const counts = "4 available, 1 premium, 1 taken, 1 reserved, 1 unknown";
    assertEquals(await summaryOn(page), counts);
    await attached(page.getByText(`first: ${counts}`));
    const texts = await announced.evaluate((texts) => texts.filter((text) => text !== ""));
    assertEquals(texts, [`first: ${counts}`]);
    assertEquals(await page.locator("[aria-live], [role=status], [role=alert]").count(), 1);
  },
  { browser: { reducedMotion: "no-preference" } },
);

onPage("rows have prices, are sorted by them, and lead to registrars", async ({ page }) => {
  const listed: Record<string, unknown> = {
    cc: { register: 165.4, renew: 82.7, years: 2 },
    com: { register: 11.08, renew: 11.08, years: 1 },
    tv: { register: 2.04, renew: 32.98, years: 1 },
  };
  await page.route("**/tld-offers.json", async (route) => {
    const response = await route.fetch();
    const offers = await response.json();
    const tlds = offers.tlds.map(({ tld }: { tld: string }) => ({ tld, prices: listed[tld] }));
    await route.fulfill({ response, json: { ...offers, tlds } });
  });
  await page.context().route(/^https:/, (route) => route.fulfill({ body: "the registrar" }));
  await open(page, "free-for-you");
  // What is usual stands in the menu.
  assertEquals(await textOf(rowOn(page, "com").locator(".explanation")), "");
  // deno-fmt-ignore -- a table
  const prices = [
    ["cc", "≈ $165.40 for 2 years $248 / 3 yr"],
    ["com", "≈ $11.08 $33 / 3 yr"],
    ["tv", "≈ $2.04 then $32.98/yr 16× after year 1 $68 / 3 yr"],
    ["net", ""],
    ["eth", "0.002 ETH ≈ $5 a year"],
  ] as const;
  for (const [tld, price] of prices) {
    assertEquals(await textOf(rowOn(page, tld).locator(".price")), price, tld);
  }
  await page.getByLabel("Order").selectOption("3-year cost");
  const sorted = ["com", "tv", "cc", "net", "org", "site", "tech", "eth"];
  assertEquals(await domainsOn(rowsOn(page)), sorted.map((tld) => `free-for-you.${tld}`));
  assertEquals(await headingOn(page), "free-for-you.com is available");

  const menu = page.locator("#menu");
  await rowOn(page, "eth").getByRole("button", { name: "Register" }).click();
  assertEquals(await menu.locator("a").allTextContents(), ["ENS 0.002 ETH ≈ $5 a year"]);
  await rowOn(page, "com").getByRole("button", { name: "Register" }).click();
  assertEquals(await menu.locator("a").allTextContents(), ["Porkbun", "Namecheap", "GoDaddy"]);
  const link = menu.getByRole("link", { name: "Namecheap" });
  assertEquals(await link.getAttribute("rel"), "noopener nofollow");
  const [tab] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await tab.waitForLoadState();
  const registrar = "https://www.namecheap.com/domains/registration/results/";
  assertEquals(tab.url(), `${registrar}?domain=free-for-you.com`);
  assertEquals(await tab.evaluate(() => globalThis.opener), null);
});

onPage(
  "a new search cancels the one before it, an answer of the last minute costs no request, and the history has searches",
  async ({ page, lab }) => {
    lab.script("first", { dns: "nxdomain", rdap: "free", delayMs: 2_000 });
    const asked = watchChecks(page);
    const dropped = page.waitForEvent(
      "requestfailed",
      (request) => request.postDataJSON()?.names[0] === "first",
    );
    await page.goto("/");
    await enter(page, "first");
    await appears(rowOn(page, "com").getByText("asking the registry…"));
    await enter(page, "taken");
    await dropped;
    await settled(page, "taken");
    const rows = await rowsOn(page);
    assertEquals(rows.filter((row) => row.startsWith("taken.")).length, ALL.length);
    assertEquals(rows.filter((row) => row.endsWith(": Taken")).length, ALL.length - 1);

    await page.keyboard.press("Enter");
    await submit(page, "undelegated");
    await settled(page, "undelegated");
    asked.splice(0);
    await submit(page, "taken");
    await settled(page, "taken");
    // The variants of the second name may be asked about meanwhile.
    assertEquals(asked.filter((names) => names.split(/[, ]/)[0] === "taken"), []);

    const field = page.getByLabel("Name", { exact: true });
    for (const name of ["undelegated", "taken"]) {
      await page.goBack();
      await settled(page, name);
      assertEquals(await field.inputValue(), name);
    }
    await page.goForward();
    await settled(page, "undelegated");
    for (let entry = 0; entry < 2; entry++) await page.goBack();
    assertEquals(await field.inputValue(), "");
    assertEquals(await page.locator("#results").isVisible(), false);
  },
  { allowed: /ERR_ABORTED/ },
);

onPage("the domain that was asked for stands first, under any TLD", async ({ page, lab }) => {
  lab.script("mine.org", { dns: "nxdomain", rdap: "premium" });
  lab.script("mine.tech", { dns: "nxdomain", rdap: "reserved" });
  // deno-fmt-ignore -- a table
  const cases = [
    ["taken.tv", "taken.tv is taken", /found in DNS/],
    ["mine", "mine.com is available", /not in the registry/],
    ["mine.org", "mine.org is available at a premium", /premium/],
    ["mine.tech", "mine.tech is reserved", /reserved/i],
    ["undelegated.dev", "undelegated.dev is taken", /registered/],
    ["https://www.taken.co.uk:443/path", "taken.co.uk is taken", /found in DNS/],
    ["free-for-you.zzz", "free-for-you.zzz could not be checked", /\.zzz is no TLD of the root zone/],
  ] as const;
  await page.goto("/");
  for (const [typed, sentence, known] of cases) {
    await submit(page, typed);
    await appears(page.locator("#answer", { hasText: sentence }));
    await domainsDone(page);
    assertEquals(await headingOn(page), sentence);
    assertMatch(await textOf(page.locator("#answer .known")), known);
    const [domain = ""] = sentence.split(" ");
    const [first, ...others] = await domainsOn(rowsOn(page));
    if (ALL.includes(domain.split(".").slice(1).join("."))) assertEquals(others.length, 7);
    else assertEquals([first, others.length], [domain, 8]);
    const marked = await page.locator("li.typed .domain").allTextContents();
    assertEquals(marked, typed === "mine" ? [] : [domain]);
  }
  await submit(page, "Taken.TV");
  await settled(page, "taken");
  const shared = page.url();
  assertMatch(shared, /\/\?q=taken\.tv$/);
  await page.goto("about:blank");
  await page.goto(shared);
  await settled(page, "taken");
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "taken.tv");
  assertEquals(await page.title(), "taken · Is the name available?");
}, { ...ANY_TLD, allowed: /400/ });

onPage("a text that is no name leads to those that it can stand for", async ({ page }) => {
  await page.goto("/");
  const choices = page.getByRole("list", { name: "Names that can be checked" });
  // deno-fmt-ignore -- a table
  const cases = [
    ["foo.com.com", ["foo.com"], "“foo.com.com” has .com twice. Check instead:"],
    ["Café", ["cafe", "xn--caf-dma (café)"], "“café” cannot be a name. Check instead:"],
  ] as const;
  for (const [text, options, hint] of cases) {
    await submit(page, text);
    assertEquals(await choices.getByRole("link").allTextContents(), [...options], text);
    assertEquals(await page.locator("#hint").textContent(), hint);
    assertEquals(await page.locator("#results").isVisible(), false);
  }
  await choices.getByRole("link", { name: /xn--caf-dma/ }).click();
  await settled(page, "xn--caf-dma");
  assertEquals([await choices.count(), queryOn(page)], [0, "q=xn--caf-dma"]);
  assertMatch(await headingOn(page), /^xn--caf-dma\.com \(café\.com\) /);

  await submit(page, ".com");
  await appears(page.getByText("Type the name before the dot."));
  const isInvalid = () => page.locator("#name").getAttribute("aria-invalid");
  assertEquals([await isInvalid(), await page.locator("#results").isVisible()], ["true", false]);
  await submit(page, "taken café .com");
  await appears(page.getByRole("button", { name: "xn--caf-dma.com: Available" }));
  const names = await page.getByRole("rowheader").allTextContents();
  assertEquals(names, ["taken", "xn--caf-dma (café)"]);
  assertEquals(await page.locator("#hint").textContent(), "Not checked: .com");
  assertEquals(await isInvalid(), "false");
  await submit(page, "river stone");
  await appears(page.getByRole("rowheader", { name: "stone" }));
  await page.getByRole("link", { name: "river-stone" }).click();
  await settled(page, "river-stone");
  assertEquals(queryOn(page), "q=river-stone");
});

onPage(
  "filters hide rows once all answers have arrived, stand in the URL, and leave out what is copied",
  async ({ page, lab }) => {
    await grantClipboard(page);
    lab.script("picky", { dns: "delegated", rdap: "registered" });
    lab.script("picky.org", { dns: "nxdomain", rdap: "premium" });
    for (const tld of ["net", "site"]) {
      lab.script(`picky.${tld}`, { dns: "nxdomain", rdap: "free" });
    }
    await page.addInitScript((answer) => {
      const { fetch } = globalThis;
      globalThis.fetch = (url, init) =>
        !`${url}`.startsWith("/v1/ens/check?") || location.search.includes("sort=")
          ? fetch(url, init)
          : new Promise((resolve) =>
            Object.assign(globalThis, { answerEth: () => resolve(Response.json(answer)) })
          );
    }, AVAILABLE_ETH);
    await page.goto("/");
    await submit(page, "picky");
    await page.getByLabel("Available only").check();
    // While one answer is missing no row moves: those that are filtered out stay, blank.
    for (const tld of ["com", "cc", "tech", "tv"]) {
      await attached(rowOn(page, tld).and(page.locator(".blank")));
    }
    for (const tld of ["net", "site"]) await appears(rowOn(page, tld).getByText("Available"));
    const before = await topsOn(page);
    assertEquals((await rowsOn(page)).includes("picky.com: Taken"), false);
    await page.locator("#name").focus();
    const down = ["picky.net", "picky.org", "picky.site", "picky.eth"];
    const walked = [...down, ...down.toReversed(), "name"];
    assertEquals(await walkOn(page, "Down Down Down Down Down Up Up Up Up"), walked);
    assertEquals(await topsOn(page), before);
    await page.waitForFunction(() => "answerEth" in globalThis);
    await page.evaluate("answerEth()");
    await settled(page, "picky");
    const popular = ["picky.net: Available", "picky.org: Premium"];
    assertEquals(await rowsOn(page), [...popular, "picky.site: Available", "picky.eth: Available"]);
    // Not picky.org: it is at a premium.
    await page.getByRole("button", { name: "Copy 3 available" }).click();
    await attached(page.getByText("Copied picky.net, picky.site, picky.eth"));
    assertEquals(await copiedOn(page), "picky.net\npicky.site\npicky.eth");
    await page.getByLabel("Which TLDs").selectOption("Popular");
    assertEquals(await rowsOn(page), popular);
    await page.getByRole("button", { name: "Copy 1 available" }).click();
    await attached(page.getByText("Copied picky.net", { exact: true }));

    await page.getByLabel("Order").selectOption("3-year cost");
    assertEquals(queryOn(page), "q=picky&available=1&tlds=popular&sort=price");
    await page.getByRole("button", { name: "Copy link" }).click();
    await attached(page.getByText(/Copied http/));
    assertEquals(await copiedOn(page), page.url());
    await page.goto("about:blank");
    await page.goBack();
    await settled(page, "picky");
    assertEquals((await rowsOn(page)).toSorted(), popular);
    assertEquals(await page.getByLabel("Order").inputValue(), "price");
    assertMatch(await summaryOn(page), /, 2 shown$/);
    await page.getByLabel("Available only").uncheck();
    await page.getByLabel("Which TLDs").selectOption("All TLDs");
    await page.getByLabel("Order").selectOption("Popular first");
    assertEquals([queryOn(page), (await rowsOn(page)).length], ["q=picky&tlds=all", 8]);
    await open(page, "picky&available=2&tlds=%2F&sort=random");
    assertEquals((await rowsOn(page)).length, 8);
  },
);

onPage(
  "TLDs of one's own are in the link, and are remembered until they are emptied",
  async ({ page }) => {
    await open(page, "taken");
    await page.getByLabel("Which TLDs").selectOption("My TLDs");
    const field = page.getByLabel("My TLDs");
    await appears(field);
    assertEquals(await field.evaluate((field) => field === document.activeElement), true);
    await field.fill(".tv zzz, Online, com");
    await field.press("Enter");
    await appears(page.getByText(/\.zzz is no TLD/).first());
    await settled(page, "taken");
    assertEquals(queryOn(page), "q=taken&tlds=tv,zzz,online,com");
    const rows = await rowsOn(page);
    const own = ["taken.tv", "taken.zzz", "taken.online", "taken.com"];
    assertEquals(rows.map((row) => row.split(":")[0]), own);
    await page.reload();
    await settled(page, "taken");
    assertEquals(await rowsOn(page), rows);
    await field.fill("tv online");
    await field.press("Enter");
    await page.goto("/");
    await submit(page, "free-for-you taken");
    await domainsDone(page);
    const heads = await page.locator("#grid thead th").allTextContents();
    assertEquals(heads.slice(1).map((head) => head.split(/[\d$]/)[0]), [".tv", ".online"]);
    assertMatch(page.url(), /&tlds=tv,online$/);
    // A link without TLDs shows the same to all who open it.
    await open(page, "taken");
    assertEquals((await rowsOn(page)).length, 8);
    await open(page, "taken&tlds=com");
    await field.fill("");
    await field.press("Enter");
    await settled(page, "taken");
    assertEquals([queryOn(page), (await rowsOn(page)).length], ["q=taken", 8]);
    assertEquals(await page.evaluate(() => localStorage.getItem("tlds")), "[]");
  },
  ANY_TLD,
);

onPage("keys move through the rows, open one menu for all, and copy and star", async ({ page }) => {
  await grantClipboard(page);
  await open(page, "taken.com");
  await page.keyboard.press("Tab");
  assertEquals(await page.evaluate(() => document.activeElement?.textContent), "Check");
  await page.keyboard.press("Shift+Tab");
  const walked = ["taken.com", "taken.net", "taken.com", "name", "taken.com"];
  assertEquals(await walkOn(page, "Down Down Up Up Down"), walked);
  await page.keyboard.press("Enter");
  const menu = page.locator("#menu");
  await appears(menu.getByRole("link", { name: "Visit taken.com, opens a new tab" }));
  assertEquals(await walkOn(page, "Down"), ["Registration data at ICANN"]);
  await page.keyboard.press("Escape");
  assertEquals(await menu.isVisible(), false);
  await rowOn(page, "com").getByRole("button", { name: "Details of taken.com" }).focus();
  assertEquals(await walkOn(page, "Down"), ["taken.net"]);
  await page.keyboard.press("c");
  await attached(page.getByText("Copied taken.net"));
  assertEquals(await copiedOn(page), "taken.net");
  await page.keyboard.press("s");
  await attached(page.getByText("taken.net is in the shortlist."));
  await page.locator("#answer").getByRole("button", { name: "Copy taken.com" }).click();
  await attached(page.getByText("Copied taken.com"));
  for (const key of ["/", "Escape"]) {
    await page.keyboard.press(key);
    assertEquals(await walkOn(page, "Down"), ["taken.com"], key);
  }
});
