/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import { AVAILABLE_ETH, test, testsOnPage } from "./on_page.ts";
import { appears, attached, textOf } from "./rows.ts";

const domainsOn = async (rows: Promise<string[]>) => (await rows).map((row) => row.split(":")[0]);
const ALL = ["com", "net", "org", "cc", "site", "tech", "tv", "eth"];
const ANY_TLD = { env: { ANY_TLD: "on" } };

const moving = testsOnPage({ browser: { reducedMotion: "no-preference" } });

moving.test("a name fills rows that keep their order and position, and is announced once at its end", async ({ page, search, lab }) => {
  lab.script("first.net", { dns: "delegated", rdap: "registered" });
  // The summary names two states while the rows are measured first, and all five in the end.
  lab.script("first.org", { dns: "nxdomain", rdap: "premium", delayMs: 1_500 });
  lab.script("first.site", { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
  lab.script("first.tech", { dns: "nxdomain", rdap: "reserved", delayMs: 1_500 });
  lab.script("first.tv", { dns: "nxdomain", rdap: "unavailable503", delayMs: 1_500 });
  await page.goto("/");
  const announced = await page.locator("#announcement").evaluateHandle((region) => {
    const texts: string[] = [];
    const record = () => texts.push(region.textContent ?? "");
    new MutationObserver(record).observe(region, { childList: true });
    return texts;
  });
  await search.enter("first");
  await appears(search.row("net").getByText("Taken", { exact: true }));
  await appears(search.row("site").getByText("Not in DNS", { exact: true }));
  assertEquals(await domainsOn(search.rows()), ALL.map((tld) => `first.${tld}`));
  const before = await search.tops();
  await search.settled("first");
  assertEquals(await search.tops(), before);
  const [A, T, P, R, U] = ["Available", "Taken", "Premium", "Reserved", "Unknown"];
  const states = [A, T, P, A, A, R, U, A];
  assertEquals(await search.rows(), ALL.map((tld, place) => `first.${tld}: ${states[place]}`));
  const counts = "4 available, 1 premium, 1 taken, 1 reserved, 1 unknown";
  assertEquals(await search.summary(), counts);
  await attached(page.getByText(`first: ${counts}`));
  const texts = await announced.evaluate((texts) => texts.filter((text) => text !== ""));
  assertEquals(texts, [`first.com is available. first: ${counts}`]);
  assertEquals(await page.locator("[aria-live], [role=status], [role=alert]").count(), 1);
});

test("rows have prices, are sorted by them, and lead to registrars", async ({ page, search }) => {
  await page.context().route(/^https:/, (route) => route.fulfill({ body: "the registrar" }));
  await search.open("free-for-you");
  // What is usual stands in the menu.
  assertEquals(await textOf(search.row("com").locator(".explanation")), "");
  // deno-fmt-ignore -- a table
  const prices = [
    ["cc", "≈ $3.40 then $8.55/yr 3× after year 1 $21 / 3 yr"],
    ["com", "≈ $11.08 $33 / 3 yr"],
    ["eth", "0.002 ETH ≈ $5 a year"],
  ] as const;
  for (const [tld, price] of prices) {
    assertEquals(await textOf(search.row(tld).locator(".price")), price, tld);
  }
  await page.getByLabel("Order").selectOption("3-year cost");
  const sorted = ["cc", "com", "org", "net", "site", "tv", "tech", "eth"];
  assertEquals(await domainsOn(search.rows()), sorted.map((tld) => `free-for-you.${tld}`));
  assertEquals(await search.heading(), "free-for-you.com is available");

  await search.row("eth").getByRole("button", { name: "Register" }).click();
  assertEquals(await search.menu.locator("a").allTextContents(), ["ENS"]);
  await search.row("com").getByRole("button", { name: "Register" }).click();
  const links = await search.menu.locator("a").allTextContents();
  assertEquals(links, ["Porkbun", "Namecheap", "GoDaddy"]);
  const link = search.menu.getByRole("link", { name: "Namecheap" });
  assertEquals(await link.getAttribute("rel"), "noopener nofollow");
  const [tab] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await tab.waitForLoadState();
  const registrar = "https://www.namecheap.com/domains/registration/results/";
  assertEquals(tab.url(), `${registrar}?domain=free-for-you.com`);
  assertEquals(await tab.evaluate(() => globalThis.opener), null);
});

const aborted = testsOnPage({ allowed: /ERR_ABORTED/ });

aborted.test("a new search cancels the one before it, an answer of the last minute costs no request, and the history has searches", async ({ page, search, lab }) => {
  lab.script("first", { dns: "nxdomain", rdap: "free", delayMs: 2_000 });
  const asked = search.watchChecks();
  const dropped = page.waitForEvent(
    "requestfailed",
    (request) => request.postDataJSON()?.names[0] === "first",
  );
  await page.goto("/");
  await search.enter("first");
  await appears(search.row("com").getByText("asking the registry…"));
  await search.enter("taken");
  await dropped;
  await search.settled("taken");
  const stateOf = (tld: string) => tld === "eth" ? "Available" : "Taken";
  assertEquals(await search.rows(), ALL.map((tld) => `taken.${tld}: ${stateOf(tld)}`));

  await page.keyboard.press("Enter");
  await search.submit("undelegated");
  await search.settled("undelegated");
  asked.splice(0);
  await search.submit("taken");
  await search.settled("taken");
  // The variants of the second name may be asked about meanwhile.
  assertEquals(asked.filter((names) => names.split(/[, ]/)[0] === "taken"), []);

  for (const name of ["undelegated", "taken"]) {
    await page.goBack();
    await search.settled(name);
    assertEquals(await search.field.inputValue(), name);
  }
  await page.goForward();
  await search.settled("undelegated");
  for (let entry = 0; entry < 2; entry++) await page.goBack();
  assertEquals(await search.field.inputValue(), "");
  assertEquals(await page.locator("#results").isVisible(), false);
});

const anyTldRefused = testsOnPage({ ...ANY_TLD, allowed: /400/ });

anyTldRefused.test("the domain that was asked for stands first, under any TLD", async ({ page, search, lab }) => {
  lab.script("mine.org", { dns: "nxdomain", rdap: "premium" });
  lab.script("mine.tech", { dns: "nxdomain", rdap: "reserved" });
  // deno-fmt-ignore -- a table
  const cases = [
      ["taken.tv", "taken.tv is taken", /found in DNS/],
      ["mine", "mine.com is available", /not in the registry/],
      ["mine.org", "mine.org is available at a premium", /premium/],
      ["mine.tech", "mine.tech is reserved", /reserved/i],
      ["taken.co.uk", "taken.co.uk is taken", /found in DNS/],
      ["free-for-you.zzz", "free-for-you.zzz could not be checked", /\.zzz is no known TLD/],
    ] as const;
  await page.goto("/");
  for (const [typed, sentence, known] of cases) {
    await search.submit(typed);
    await appears(page.locator("#answer", { hasText: sentence }));
    await search.done();
    assertEquals(await search.heading(), sentence);
    assertMatch(await textOf(page.locator("#answer .known")), known);
    const [domain = ""] = sentence.split(" ");
    const [first, ...others] = await domainsOn(search.rows());
    if (ALL.includes(domain.split(".").slice(1).join("."))) assertEquals(others.length, 7);
    else assertEquals([first, others.length], [domain, 8]);
    const marked = await page.locator("li.typed .domain").allTextContents();
    assertEquals(marked, typed === "mine" ? [] : [domain]);
  }
  await search.submit("Taken.TV");
  await search.settled("taken");
  assertEquals(search.query(), "q=taken.tv");
  assertEquals(await page.title(), "taken · Is the name available?");
});

test("a text that is no name leads to those that it can stand for", async ({ page, search }) => {
  await page.goto("/");
  const choices = page.getByRole("list", { name: "Names that can be checked" });
  // deno-fmt-ignore -- a table
  const cases = [
    ["foo.com.com", ["foo.com"], "“foo.com.com” has .com twice. Check instead:"],
    ["Café", ["cafe", "xn--caf-dma (café)"], "“café” cannot be a name. Check instead:"],
  ] as const;
  for (const [text, options, hint] of cases) {
    await search.submit(text);
    assertEquals(await choices.getByRole("link").allTextContents(), [...options], text);
    assertEquals(await page.locator("#hint").textContent(), hint);
    assertEquals(await page.locator("#results").isVisible(), false);
  }
  await choices.getByRole("link", { name: /xn--caf-dma/ }).click();
  await search.settled("xn--caf-dma");
  assertEquals([await choices.count(), search.query()], [0, "q=xn--caf-dma"]);
  assertMatch(await search.heading(), /^xn--caf-dma\.com \(café\.com\) /);

  await search.submit(".com");
  await appears(page.locator("#hint").getByText("Type the name before the dot."));
  const isInvalid = () => page.locator("#name").getAttribute("aria-invalid");
  assertEquals([await isInvalid(), await page.locator("#results").isVisible()], ["true", false]);
  await search.submit("taken café .com");
  await appears(page.getByRole("button", { name: "xn--caf-dma.com: Available" }));
  const names = await page.getByRole("rowheader").allTextContents();
  assertEquals(names, ["taken", "xn--caf-dma (café)"]);
  assertEquals(await page.locator("#hint").textContent(), "Not checked: .com");
  assertEquals(await isInvalid(), "false");
  await search.submit("river stone");
  await page.getByRole("link", { name: "river-stone" }).click();
  await search.settled("river-stone");
});

const chain = testsOnPage({ eth: "chain" });

chain.test("filters hide rows once all answers have arrived, stand in the URL, and leave out what is copied", async ({ page, search, lab }) => {
  await search.grantClipboard();
  lab.script("picky", { dns: "delegated", rdap: "registered" });
  lab.script("picky.org", { dns: "nxdomain", rdap: "premium" });
  for (const tld of ["net", "site"]) lab.script(`picky.${tld}`, { dns: "nxdomain", rdap: "free" });
  const held = Promise.withResolvers<void>();
  await page.route("**/v1/ens/check*", async (route) => {
    await held.promise;
    await route.fulfill({ json: AVAILABLE_ETH });
  });
  await page.goto("/");
  await search.submit("picky");
  await page.getByLabel("Available only").check();
  // While one answer is missing no row moves: those that are filtered out stay, blank.
  for (const tld of ["com", "cc", "tech", "tv"]) {
    await attached(search.row(tld).and(page.locator(".blank")));
  }
  for (const tld of ["net", "site"]) await appears(search.row(tld).getByText("Available"));
  const before = await search.tops();
  assertEquals((await search.rows()).includes("picky.com: Taken"), false);
  await page.locator("#name").focus();
  const down = ["picky.net", "picky.org", "picky.site", "picky.eth"];
  const walked = [...down, ...down.toReversed(), "name"];
  assertEquals(await search.walk("Down Down Down Down Down Up Up Up Up"), walked);
  assertEquals(await search.tops(), before);
  held.resolve();
  await search.settled("picky");
  const popular = ["picky.net: Available", "picky.org: Premium"];
  assertEquals(await search.rows(), [...popular, "picky.site: Available", "picky.eth: Available"]);
  // Not picky.org: it is at a premium.
  await page.getByRole("button", { name: "Copy 3 available" }).click();
  await attached(page.getByText("Copied 3 names"));
  assertEquals(await search.copied(), "picky.net\npicky.site\npicky.eth");
  await page.getByLabel("Which TLDs").selectOption("Popular");
  assertEquals(await search.rows(), popular);
  await page.getByRole("button", { name: "Copy 1 available" }).click();
  await attached(page.getByText("Copied 1 name", { exact: true }));

  await page.getByLabel("Order").selectOption("3-year cost");
  assertEquals(search.query(), "q=picky&available=1&tlds=popular&sort=price");
  await page.getByRole("button", { name: "Copy link" }).click();
  await attached(page.getByText("Copied the link"));
  assertEquals(await search.copied(), page.url());
  await page.goto("about:blank");
  await page.goBack();
  await search.settled("picky");
  assertEquals((await search.rows()).toSorted(), popular);
  assertEquals(await page.getByLabel("Order").inputValue(), "price");
  assertMatch(await search.summary(), /, 2 shown$/);
  await page.getByLabel("Available only").uncheck();
  await page.getByLabel("Which TLDs").selectOption("All TLDs");
  await page.getByLabel("Order").selectOption("Popular first");
  assertEquals([search.query(), (await search.rows()).length], ["q=picky&tlds=all", 8]);
  await search.open("picky&available=2&tlds=%2F&sort=random");
  assertEquals((await search.rows()).length, 8);
});

const anyTld = testsOnPage(ANY_TLD);

anyTld.test("TLDs of one's own are in the link, and are remembered until they are emptied", async ({ page, search }) => {
  await search.open("taken");
  await page.getByLabel("Which TLDs").selectOption("My TLDs");
  const field = page.getByLabel("My TLDs");
  await appears(field);
  assertEquals(await field.evaluate((field) => field === document.activeElement), true);
  await field.fill(".tv zzz, Online, com");
  await field.press("Enter");
  await appears(page.getByText(/\.zzz is no known TLD/).first());
  await search.settled("taken");
  assertEquals(search.query(), "q=taken&tlds=tv,zzz,online,com");
  const rows = await search.rows();
  const own = ["taken.tv", "taken.zzz", "taken.online", "taken.com"];
  assertEquals(rows.map((row) => row.split(":")[0]), own);
  await page.reload();
  await search.settled("taken");
  assertEquals(await search.rows(), rows);
  await field.fill("tv online");
  await field.press("Enter");
  await page.goto("/");
  await search.submit("free-for-you taken");
  await search.done();
  const heads = await page.locator("#grid thead th").allTextContents();
  assertEquals(heads.slice(1).map((head) => head.split(/[\d$]/)[0]), [".tv", ".online"]);
  assertMatch(page.url(), /&tlds=tv,online$/);
  // A link without TLDs shows the same to all who open it.
  await search.open("taken");
  assertEquals((await search.rows()).length, 8);
  await search.open("taken&tlds=com");
  await field.fill("");
  await field.press("Enter");
  await search.settled("taken");
  assertEquals([search.query(), (await search.rows()).length], ["q=taken", 8]);
  assertEquals(await page.evaluate(() => localStorage.getItem("tlds")), "[]");
});

test("keys move through the rows, open one menu for all, and copy and star", async ({ page, search }) => {
  await search.grantClipboard();
  await search.open("taken.com");
  await page.keyboard.press("Tab");
  assertEquals(await page.evaluate(() => document.activeElement?.textContent), "Check");
  await page.keyboard.press("Shift+Tab");
  const walked = ["taken.com", "taken.net", "taken.com", "name", "taken.com"];
  assertEquals(await search.walk("Down Down Up Up Down"), walked);
  await page.keyboard.press("Enter");
  await appears(search.menu.getByRole("link", { name: "Visit taken.com, opens a new tab" }));
  assertEquals(await search.walk("Down"), ["Registration data at ICANN"]);
  await page.keyboard.press("Escape");
  assertEquals(await search.menu.isVisible(), false);
  await search.row("com").getByRole("button", { name: "Details of taken.com" }).focus();
  // Behind the last item of the menu comes what is behind its button.
  for (const key of ["Enter", "ArrowUp", "Tab"]) await page.keyboard.press(key);
  assertEquals(await search.menu.isVisible(), false);
  const label = await page.evaluate(() => document.activeElement?.ariaLabel);
  assertEquals(label, "Shortlist taken.com");
  assertEquals(await search.walk("Down"), ["taken.net"]);
  await page.keyboard.press("c");
  await attached(page.getByText("Copied taken.net"));
  assertEquals(await search.copied(), "taken.net");
  await page.keyboard.press("s");
  await attached(page.getByText("taken.net is in the shortlist."));
  await page.locator("#answer").getByRole("button", { name: "Copy taken.com" }).click();
  await attached(page.getByText("Copied taken.com"));
  for (const key of ["/", "Escape"]) {
    await page.keyboard.press(key);
    assertEquals(await search.walk("Down"), ["taken.com"], key);
  }
  for (const tld of ["net", "com"]) await search.row(tld).locator(".more").click();
  assertEquals(await search.menu.getAttribute("aria-label"), "taken.com");
  for (let n = 0; n < 2; n++) await page.keyboard.press("Shift+Tab");
  assertEquals(await search.menu.isVisible(), false);
});
