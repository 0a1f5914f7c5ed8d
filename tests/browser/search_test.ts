/// <reference lib="dom" />
import { assert, assertEquals, assertMatch } from "@std/assert";
import { onPage } from "./on_page.ts";
import { rowOn, rowsOn, settled, type } from "./rows.ts";

const ALL = ["com", "net", "org", "cc", "site", "tech", "tv", "eth"];

onPage(
  "a name that is typed fills rows that keep their order and their places",
  async ({ page, lab }) => {
    lab.script("first.net", { dns: "delegated", rdap: "registered" });
    lab.script("first.org", { dns: "nxdomain", rdap: "premium" });
    lab.script("first.site", { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
    lab.script("first.tech", { dns: "nxdomain", rdap: "reserved" });
    lab.script("first.tv", { dns: "nxdomain", rdap: "unavailable503" });
    await page.goto("/");
    await type(page, "first");
    const tops = () =>
      page.locator("#rows > li").evaluateAll((rows) =>
        rows.map((row) => (row as HTMLElement).offsetTop)
      );
    await rowOn(page, "net").getByText("Taken", { exact: true }).waitFor();
    const early = await rowsOn(page);
    assertEquals(early.map((row) => row.split(":")[0]), ALL.map((tld) => `first.${tld}`));
    assert(early.includes("first.site: Checking"), `${early}`);
    const before = await tops();
    await settled(page, "first");
    assertEquals(await tops(), before);
    assertEquals(await rowsOn(page), [
      "first.com: Free",
      "first.net: Taken",
      "first.org: Premium",
      "first.cc: Free",
      "first.site: Free",
      "first.tech: Reserved",
      "first.tv: Could not tell",
      "first.eth: Free",
    ]);
    assertEquals(
      await page.locator("#summary").textContent(),
      "4 free, 1 premium, 1 taken, 1 reserved, 1 unclear",
    );
  },
);

onPage(
  "each row says how it is known, and a free one what it costs and where to get it",
  async ({ page }) => {
    await page.goto("/?q=free-for-you");
    await settled(page, "free-for-you");
    const com = rowOn(page, "com");
    assertEquals(await com.locator(".found").textContent(), "registry says not found");
    assertMatch(await com.locator(".when").textContent() ?? "", /^\d+ ms · just now$/);
    assertEquals(await com.locator(".links a").allTextContents(), [
      "Porkbun ≈ $11.08",
      "Namecheap",
      "GoDaddy",
    ]);
    assertEquals(await rowOn(page, "net").locator(".links a").allTextContents(), [
      "Porkbun",
      "Namecheap",
      "GoDaddy",
    ]);
    assertEquals(await rowOn(page, "eth").locator(".links a").allTextContents(), [
      "ENS 0.002 ETH ≈ $5",
    ]);
  },
);

onPage(
  "a link of a row leads to the registrar in a new tab that knows nothing of the page",
  async ({ page }) => {
    await page.context().route(/^https:/, (route) => route.fulfill({ body: "the registrar" }));
    await page.goto("/?q=free-for-you");
    const link = rowOn(page, "com").getByRole("link", { name: "Namecheap" });
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
  "a name typed while another is being checked takes its place, and its late answers are dropped",
  async ({ page, lab }) => {
    lab.script("first", { dns: "nxdomain", rdap: "free", delayMs: 2_000 });
    const dropped = page.waitForEvent("requestfailed");
    await page.goto("/");
    await type(page, "first");
    await page.getByText("first.com").waitFor();
    await type(page, "taken");
    assertMatch((await dropped).url(), /name=first$/);
    await settled(page, "taken");
    const rows = await rowsOn(page);
    assertEquals(rows.filter((row) => row.startsWith("taken.")).length, ALL.length);
    assertEquals(rows.filter((row) => row.endsWith(": Taken")).length, ALL.length - 1);
  },
  { allowed: /ERR_ABORTED/ },
);

onPage(
  "coming back to a name within a minute costs no request",
  async ({ page, service }) => {
    const left = () => page.locator("#allowance").textContent();
    await page.goto("/");
    await type(page, "taken");
    await settled(page, "taken");
    assertEquals(await left(), "59 of 60 requests left");
    await type(page, "undelegated");
    await settled(page, "undelegated");
    await type(page, "taken");
    await settled(page, "taken");
    assertEquals(await left(), "58 of 60 requests left");
    const { headers } = await service.get("/tlds");
    assertEquals(headers.get("x-ratelimit-remaining"), "57");
  },
  { env: { RATE_LIMIT: "60" } },
);

onPage("the address shares the search, with the ending that was typed", async ({ page }) => {
  await page.goto("/");
  await type(page, "Taken.TV");
  await settled(page, "taken");
  const shared = page.url();
  assertMatch(shared, /\/\?q=taken\.tv$/);
  await page.goto("about:blank");
  await page.goto(shared);
  await settled(page, "taken");
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "taken.tv");
  assertEquals(await page.title(), "taken · Is the name free?");
  assertEquals(await page.locator("li.asked .ending").allTextContents(), [".tv"]);
});

onPage("an ending that is not checked here is said to be so", async ({ page }) => {
  await page.goto("/?q=taken.museum");
  await settled(page, "taken");
  assertEquals(
    await page.locator("#hint").textContent(),
    ".museum is not checked here; these are:",
  );
});

onPage("back and forward go from wish to wish, not from letter to letter", async ({ page }) => {
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
  assertEquals(await page.locator("#outcome").isVisible(), false);
});

onPage(
  "one try more gives a row that could not be told its answer, and keeps the focus there",
  async ({ page, lab }) => {
    lab.script("flaky.net", { dns: "nxdomain", rdap: "unavailable503" });
    await page.goto("/?q=flaky");
    await settled(page, "flaky");
    const row = rowOn(page, "net");
    assertMatch(await row.locator(".known").textContent() ?? "", /Could not tell.*answered 503/);
    lab.script("flaky.net", { dns: "nxdomain", rdap: "free" });
    await row.getByRole("button", { name: "Try again for flaky.net" }).click();
    await row.getByText("Free").waitFor();
    assertEquals(await row.evaluate((row) => row.contains(document.activeElement)), true);
  },
);

onPage("names and the link are copied, and that is said", async ({ page, lab }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  lab.script("mine.com", { dns: "nxdomain", rdap: "free" });
  lab.script("mine.tv", { dns: "nxdomain", rdap: "free" });
  lab.script("mine", { dns: "delegated", rdap: "registered" });
  await page.goto("/?q=mine");
  await settled(page, "mine");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy mine.net" }).click();
  await page.getByText("Copied mine.net").waitFor({ state: "attached" });
  assertEquals(await copied(), "mine.net");
  await page.getByRole("button", { name: "Copy free names" }).click();
  await page.getByText("Copied mine.com, mine.tv, mine.eth").waitFor({ state: "attached" });
  assertEquals(await copied(), "mine.com\nmine.tv\nmine.eth");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText(/Copied http/).waitFor({ state: "attached" });
  assertMatch(await copied(), /\/\?q=mine$/);
});

onPage(
  "filters hide rows once all answers are there, and move none before",
  async ({ page, lab }) => {
    lab.script("picky", { dns: "delegated", rdap: "registered" });
    lab.script("picky.org", { dns: "nxdomain", rdap: "free" });
    lab.script("picky.tv", { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
    await page.goto("/");
    await type(page, "picky");
    await page.getByLabel("Free only").check();
    await page.locator("#rows > li.blank").first().waitFor({ state: "attached" });
    const top = () => rowOn(page, "org").evaluate((row) => (row as HTMLElement).offsetTop);
    const before = await top();
    assertEquals((await rowsOn(page)).includes("picky.com: Taken"), false);
    assertEquals(await top(), before);
    await settled(page, "picky");
    assertEquals(await rowsOn(page), ["picky.org: Free", "picky.tv: Free", "picky.eth: Free"]);
    await page.getByLabel("Kind of ending").selectOption("Of countries");
    assertEquals(await rowsOn(page), ["picky.tv: Free"]);
    await page.getByLabel("Free only").uncheck();
    assertEquals(await rowsOn(page), ["picky.cc: Taken", "picky.tv: Free"]);
  },
);

onPage(
  "a screen reader is told once what a search came to, and nothing of its rows",
  async ({ page }) => {
    await page.goto("/");
    await page.evaluate(() => {
      const said: string[] = [];
      const region = document.getElementById("said");
      if (region === null) return;
      new MutationObserver(() => said.push(region.textContent ?? "")).observe(region, {
        childList: true,
      });
      Object.assign(globalThis, { said });
    });
    await type(page, "taken");
    await settled(page, "taken");
    await page.getByText("taken: 1 free, 7 taken").waitFor({ state: "attached" });
    const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
    assertEquals(said.filter((text) => text !== ""), ["taken: 1 free, 7 taken"]);
    assertEquals(await page.locator("[aria-live], [role=status], [role=alert]").count(), 1);
  },
);
