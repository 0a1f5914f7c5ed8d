/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import { appears, attached } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { domainsDone, enter, rowOn, rowsOn, settled, submit, summaryOn, type } from "./rows.ts";
import { until } from "../support/until.ts";

const ALL = ["com", "net", "org", "cc", "site", "tech", "tv", "eth"];

onPage(
  "typing a name fills rows that keep their order and position",
  async ({ page, lab }) => {
    lab.script("first.net", { dns: "delegated", rdap: "registered" });
    // The summary names two states while the rows are measured first, and all five in the end.
    lab.script("first.org", { dns: "nxdomain", rdap: "premium", delayMs: 1_500 });
    lab.script("first.site", { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
    lab.script("first.tech", { dns: "nxdomain", rdap: "reserved", delayMs: 1_500 });
    lab.script("first.tv", { dns: "nxdomain", rdap: "unavailable503", delayMs: 1_500 });
    await page.goto("/");
    await type(page, "first");
    const tops = () =>
      page.locator("#rows > li").evaluateAll((rows) =>
        rows.map((row) => (row as HTMLElement).offsetTop)
      );
    await appears(rowOn(page, "net").getByText("Taken", { exact: true }));
    await appears(rowOn(page, "site").getByText("Not in DNS", { exact: true }));
    const early = await rowsOn(page);
    assertEquals(early.map((row) => row.split(":")[0]), ALL.map((tld) => `first.${tld}`));
    const before = await tops();
    await settled(page, "first");
    assertEquals(await tops(), before);
    assertEquals(await rowsOn(page), [
      "first.com: Available",
      "first.net: Taken",
      "first.org: Premium",
      "first.cc: Available",
      "first.site: Available",
      "first.tech: Reserved",
      "first.tv: Unknown",
      "first.eth: Available",
    ]);
    assertEquals(
      await summaryOn(page),
      "4 available, 1 premium, 1 taken, 1 reserved, 1 unknown",
    );
  },
  { browser: { reducedMotion: "no-preference" } },
);

onPage(
  "each row shows how its state is known, and an available one prices and links",
  async ({ page }) => {
    await page.goto("/?q=free-for-you");
    await settled(page, "free-for-you");
    const com = rowOn(page, "com");
    // What is usual stands in the menu.
    assertEquals(await com.locator(".explanation").textContent(), "");
    const price = async (tld: string) =>
      (await rowOn(page, tld).locator(".price").textContent())?.trim().replaceAll(/\s+/g, " ");
    assertEquals([await price("com"), await price("net")], [
      "≈ $11.08 $33 / 3 yr",
      "≈ $12.52 $38 / 3 yr",
    ]);
    assertEquals(await price("eth"), "0.002 ETH ≈ $5 a year");
    const links = async (tld: string) => {
      await rowOn(page, tld).getByRole("button", { name: "Register" }).click();
      return await page.locator("#menu a").allTextContents();
    };
    assertEquals(await links("com"), ["Porkbun", "Namecheap", "GoDaddy"]);
    assertEquals(await links("eth"), ["ENS 0.002 ETH ≈ $5 a year"]);
  },
);

onPage(
  "a link opens the registrar in a new tab without access to the page",
  async ({ page }) => {
    await page.context().route(/^https:/, (route) => route.fulfill({ body: "the registrar" }));
    await page.goto("/?q=free-for-you");
    await rowOn(page, "com").getByRole("button", { name: "Register free-for-you.com" }).click();
    const link = page.locator("#menu").getByRole("link", { name: "Namecheap" });
    assertEquals(await link.getAttribute("rel"), "noopener nofollow");
    const [tab] = await Promise.all([page.waitForEvent("popup"), link.click()]);
    await tab.waitForLoadState();
    assertEquals(
      tab.url(),
      "https://www.namecheap.com/domains/registration/results/?domain=free-for-you.com",
    );
    assertEquals(await tab.evaluate(() => globalThis.opener), null);
  },
);

onPage(
  "a new search cancels the one before it and drops its late answers",
  async ({ page, lab }) => {
    lab.script("first", { dns: "nxdomain", rdap: "free", delayMs: 2_000 });
    const dropped = page.waitForEvent(
      "requestfailed",
      (request) => request.url().endsWith("=first&evidence=1"),
    );
    await page.goto("/");
    await type(page, "first");
    await appears(rowOn(page, "com").getByText("asking the registry…"));
    await type(page, "taken");
    await dropped;
    await settled(page, "taken");
    const rows = await rowsOn(page);
    assertEquals(rows.filter((row) => row.startsWith("taken.")).length, ALL.length);
    assertEquals(rows.filter((row) => row.endsWith(": Taken")).length, ALL.length - 1);
  },
  { allowed: /ERR_ABORTED/ },
);

onPage(
  "the same name within a minute needs no request",
  async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith("/check")) asked.push(`${pathname}${search}`);
    });
    const search = async (name: string) => {
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.keyboard.press("Enter");
      await settled(page, name);
    };
    await page.goto("/");
    for (const name of ["taken", "undelegated"]) await search(name);
    const before = asked.splice(0);
    assertEquals(before.filter((path) => /name=\w+&evidence=1/.test(path)), [
      "/check?name=taken&evidence=1",
      "/check?name=undelegated&evidence=1",
    ]);
    await search("taken");
    // The variants of the second name may be asked about meanwhile.
    assertEquals(asked.filter((path) => path.includes("name=taken")), []);
  },
);

onPage("the URL shares the search, with the TLD that was typed", async ({ page }) => {
  await page.goto("/");
  await type(page, "Taken.TV");
  await settled(page, "taken");
  const shared = page.url();
  assertMatch(shared, /\/\?q=taken\.tv$/);
  await page.goto("about:blank");
  await page.goto(shared);
  await settled(page, "taken");
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "taken.tv");
  assertEquals(await page.title(), "taken · Is the name available?");
  assertEquals(await page.locator("li.typed .tld").allTextContents(), [".tv"]);
});

/** Domains under TLDs that are not enabled, or do not exist, and the sentence that stands first for each. */
// deno-fmt-ignore -- a table
const ASKED = [
  ["undelegated.dev", "undelegated.dev is taken", /registered/],
  ["free-for-you.xyz", "free-for-you.xyz is available", /not in the registry/],
  ["taken.co.uk", "taken.co.uk is taken", /found in DNS/],
  ["free-for-you.zzz", "free-for-you.zzz could not be checked", /\.zzz is no TLD of the root zone/],
  ["free-for-you.acme.com", "free-for-you.acme.com could not be checked", /send acme\.com itself/],
  ["jane@taken.co.uk", "taken.co.uk is taken", /found in DNS/],
  ["https://www.taken.co.uk:443/path", "taken.co.uk is taken", /found in DNS/],
] as const;
const ANY_TLD = { env: { ANY_TLD: "on" }, allowed: /400/ };

onPage("a domain under any TLD stands first, and has the first row", async ({ page }) => {
  await page.goto("/");
  for (const [typed, sentence, known] of ASKED) {
    await submit(page, typed);
    await domainsDone(page);
    const answer = page.locator("#answer");
    const heading = await answer.locator("h2").textContent();
    assertEquals(heading?.replaceAll(/\s+/g, " ").trim(), sentence);
    assertMatch(await answer.locator(".known").textContent() ?? "", known);
    const [domain] = sentence.split(" ");
    const rows = await rowsOn(page);
    assertEquals([rows.length, rows[0]?.split(":")[0]], [9, domain]);
  }
}, ANY_TLD);

onPage(
  "each domain of a list is asked for under its own TLD, and again with one request",
  async ({ page }) => {
    await page.goto("/?q=taken.co.uk+free-for-you.zzz+free-for-you.qqq+taken.com");
    await domainsDone(page);
    const rows = [
      "taken.co.uk: Taken",
      "free-for-you.zzz: Unknown",
      "free-for-you.qqq: Unknown",
      "taken.com: Taken",
    ];
    assertEquals(await rowsOn(page), rows);
    const again = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: "Retry all" }).click();
    assertEquals((await again).postDataJSON(), { names: ["free-for-you.zzz", "free-for-you.qqq"] });
    await until("the rows are there again", async () => `${await rowsOn(page)}` === `${rows}`);
  },
  ANY_TLD,
);

onPage("a doubled dot leads to the domain without it", async ({ page }) => {
  await page.goto("/?q=taken..co.uk");
  await appears(page.getByText("“taken..co.uk” cannot be a name. Check instead:"));
  assertEquals(await page.locator("#results").isVisible(), false);
  await page.getByRole("link", { name: "taken.co.uk" }).click();
  await appears(page.locator("#answer", { hasText: "taken.co.uk is taken" }));
}, ANY_TLD);

onPage("back and forward move by search, not by letter", async ({ page }) => {
  await page.goto("/");
  await type(page, "tak");
  await settled(page, "tak");
  await page.keyboard.type("en");
  await settled(page, "taken");
  await page.keyboard.press("Enter");
  await type(page, "undelegated");
  await settled(page, "undelegated");
  await page.goBack();
  await settled(page, "taken");
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "taken");
  await page.goForward();
  await settled(page, "undelegated");
  await page.goBack();
  await page.goBack();
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "");
  assertEquals(await page.locator("#results").isVisible(), false);
});

onPage(
  "retrying an unknown row shows its answer and keeps the focus there",
  async ({ page, lab }) => {
    lab.script("flaky.net", { dns: "nxdomain", rdap: "unavailable503" });
    await page.goto("/?q=flaky");
    await settled(page, "flaky");
    const row = rowOn(page, "net");
    assertMatch(await row.locator(".known").textContent() ?? "", /Unknown.*answered 503/);
    lab.script("flaky.net", { dns: "nxdomain", rdap: "free" });
    await row.getByRole("button", { name: "Try again for flaky.net" }).click();
    await appears(row.getByText("Available"));
    assertEquals(await row.evaluate((row) => row.contains(document.activeElement)), true);
  },
);

onPage("copying names or the link is announced", async ({ page, lab }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  lab.script("mine.com", { dns: "nxdomain", rdap: "free" });
  lab.script("mine.tv", { dns: "nxdomain", rdap: "free" });
  lab.script("mine", { dns: "delegated", rdap: "registered" });
  await page.goto("/?q=mine");
  await settled(page, "mine");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy 3 available" }).click();
  await attached(page.getByText("Copied mine.com, mine.tv, mine.eth"));
  assertEquals(await copied(), "mine.com\nmine.tv\nmine.eth");
  await page.getByRole("button", { name: "Copy link" }).click();
  await attached(page.getByText(/Copied http/));
  assertMatch(await copied(), /\/\?q=mine$/);
});

onPage(
  "filters hide rows once all answers have arrived, and move none before",
  async ({ page, lab }) => {
    lab.script("picky", { dns: "delegated", rdap: "registered" });
    lab.script("picky.org", { dns: "nxdomain", rdap: "free" });
    lab.script("picky.tv", { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
    await page.goto("/");
    await type(page, "picky");
    await page.getByLabel("Available only").check();
    await attached(page.locator("#rows > li.blank").first());
    const top = () => rowOn(page, "org").evaluate((row) => (row as HTMLElement).offsetTop);
    const before = await top();
    assertEquals((await rowsOn(page)).includes("picky.com: Taken"), false);
    assertEquals(await top(), before);
    await settled(page, "picky");
    assertEquals(await rowsOn(page), [
      "picky.org: Available",
      "picky.tv: Available",
      "picky.eth: Available",
    ]);
    await page.getByLabel("Which TLDs").selectOption("Popular");
    assertEquals(await rowsOn(page), ["picky.org: Available"]);
    await page.getByLabel("Available only").uncheck();
    assertEquals(await rowsOn(page), [
      "picky.com: Taken",
      "picky.net: Taken",
      "picky.org: Available",
    ]);
  },
);

onPage(
  "a search is announced once at its end, and its rows are not",
  async ({ page }) => {
    await page.goto("/");
    await page.evaluate(() => {
      const announced: string[] = [];
      const region = document.getElementById("announcement");
      if (region === null) return;
      new MutationObserver(() => announced.push(region.textContent ?? "")).observe(region, {
        childList: true,
      });
      Object.assign(globalThis, { announced });
    });
    await enter(page, "taken");
    await settled(page, "taken");
    await attached(page.getByText("taken: 1 available, 7 taken"));
    const announced = await page.evaluate(() =>
      (globalThis as unknown as { announced: string[] }).announced
    );
    assertEquals(announced.filter((text) => text !== ""), ["taken: 1 available, 7 taken"]);
    assertEquals(await page.locator("[aria-live], [role=status], [role=alert]").count(), 1);
  },
);
