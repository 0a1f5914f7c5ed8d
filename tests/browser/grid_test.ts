/// <reference lib="dom" />
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { test, testsOnPage } from "./on_page.ts";
import { appears, attached, CHECKS } from "./rows.ts";

/** The cells row by row, as "domain: state". */
function cellsOn(page: Page): Promise<(string | null)[]> {
  return page.locator("#grid .cell:visible").evaluateAll((cells) =>
    cells.map((cell) => cell.getAttribute("aria-label"))
  );
}

/** The cell of a domain, whose label has these words. */
const cellWith = (page: Page, domain: string, words: RegExp) =>
  page.getByRole("button", { name: new RegExp(`^${domain.replaceAll(".", "\\.")}:`) })
    .and(page.getByRole("button", { name: words }));

const limitedTo60 = testsOnPage({ env: { RATE_LIMIT: "60" } });

limitedTo60.test("several names fill a grid by one request, and a name that is added by another", async ({ page, search, lab, service }) => {
  lab.script("first.org", { dns: "nxdomain", rdap: "premium", delayMs: 1_500 });
  const asked = search.watchChecks();
  await page.goto("/");
  await search.paste("taken\r\nFirst\n");
  await appears(page.getByRole("button", { name: "first.org: Not in DNS" }));
  await search.done();
  assertEquals(await search.field.inputValue(), "taken\nFirst");
  assertEquals(await cellsOn(page), [
    "taken.com: Taken",
    "taken.net: Taken",
    "taken.org: Taken",
    "first.com: Available, $33 / 3 yr",
    "first.net: Available, $38 / 3 yr",
    "first.org: Premium",
  ]);
  assertEquals(await page.locator("#grid th .total").first().textContent(), "$33");
  assertEquals(await page.title(), "2 names · Is the name available?");
  assertEquals(await search.summary(), "2 available, 1 premium, 3 taken");
  await search.submit("taken first last");
  await appears(cellWith(page, "last.org", /Available/));
  assertEquals(search.query(), "q=taken+first+last");
  assertEquals(asked, ["taken,first", "last"]);
  const { headers } = await service.get("/tlds");
  assertEquals(headers.get("x-ratelimit-remaining"), "56");

  const menu = await search.openMenu("first.com:");
  assertEquals(await menu.getByRole("link").allTextContents(), ["Porkbun", "Namecheap", "GoDaddy"]);
  await menu.getByRole("button", { name: "Shortlist first.com" }).click();
  await page.keyboard.press("Escape");
  assertEquals(await menu.isVisible(), false);
  const listed = "first.com: Available, $33 / 3 yr, in the shortlist";
  await appears(page.getByRole("button", { name: listed }));
  await page.getByRole("link", { name: "first", exact: true }).click();
  await search.settled("first");
  assertEquals(await search.field.inputValue(), "first");
});

const narrow = testsOnPage({ browser: { viewport: { width: 390, height: 844 } } });

narrow.test("the grid is as long as its list, and scrolls sideways in its own area, where the names stay", async ({ page, search }) => {
  const names = Array.from({ length: 30 }, (_, place) => `taken-name-${place}`);
  await search.open(`${names.join("+")}&tlds=all`);
  const area = page.locator("#grid-area");
  const placeOf = (text: string) =>
    page.locator("#grid th", { hasText: text }).evaluate((header) => {
      const { x, y } = header.getBoundingClientRect();
      return { x, y };
    });
  const [column, row] = [await placeOf(".com"), await placeOf("taken-name-29")];
  await area.evaluate((area) => area.scrollTo(150, 400));
  assert((await placeOf(".com")).x < column.x, "the columns have moved");
  assertEquals(await placeOf("taken-name-29"), row);
  assertEquals(await search.beyond(), 0);
});

test("arrow keys move through the cells, and Tab leaves them", async ({ page, search, lab }) => {
  await search.open("taken+undelegated");
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel?.split(":")[0]);
  // deno-fmt-ignore -- a table
  const walk = [
    ["Down", "taken.com"], ["Right", "taken.net"], ["Right", "taken.org"],
    ["Down", "undelegated.org"], ["Left", "undelegated.net"], ["Left", "undelegated.com"],
    ["Left", "undelegated.com"], ["Up", "taken.com"],
  ] as const;
  for (const [place, [key, domain]] of walk.entries()) {
    await page.keyboard.press(`Arrow${key}`);
    assertEquals(await focused(), domain, `${place}`);
  }
  await page.keyboard.press("Enter");
  await appears(search.menu.getByRole("link", { name: "Visit taken.com" }));
  await page.keyboard.press("Escape");
  assertEquals(await focused(), "taken.com");
  await page.keyboard.press("ArrowUp");
  assertEquals(await search.focus(), "name");
  // A row that is filtered out takes the cell with it that keys reach first, but not the focus.
  lab.script("late", { dns: "nxdomain", rdap: "reserved", delayMs: 800 });
  await page.goto("/?q=late+free-for-you&available=1");
  await appears(page.getByRole("button", { name: "late.com: Not in DNS" }));
  await page.keyboard.press("ArrowDown");
  assertEquals(await focused(), "late.com");
  await search.done();
  assertEquals(await focused(), "free-for-you.com");
});

test("domains are shown as rows in their order, and filters choose the columns of a grid", async ({ page, search }) => {
  await search.open("taken.tv+undelegated.com+taken.eth+taken.museum");
  assertEquals(await search.rows(), [
    "taken.tv: Taken",
    "undelegated.com: Taken",
    "taken.eth: Available",
    "taken.museum: Unknown",
  ]);
  await appears(page.getByText("Unsupported TLD: send one of cc, com,"));
  await search.submit("taken undelegated");
  await search.done();
  await page.getByLabel("Which TLDs").selectOption("All TLDs");
  await appears(cellWith(page, "taken.tv", /:/));
  await search.done();
  const heads = await page.locator("#grid thead th").allTextContents();
  const tlds = heads.slice(1).map((head) => head.split(/[\d$]/)[0]);
  assertEquals(tlds.join(""), ".com.net.org.cc.site.tech.tv");
  assertEquals((await cellsOn(page)).length, 14);
  await page.getByLabel("Available only").check();
  await appears(page.getByText("Nothing matches the filter."));
});

const limitedTo2 = testsOnPage({ env: { RATE_LIMIT: "2" } });

limitedTo2.test("names that exceed the rate limit wait for their turn, which is told, and no request is rejected", async ({ page, search, service }) => {
  const asked = search.watchChecks();
  await page.clock.install();
  await page.goto("/?q=taken+undelegated+first");
  await appears(page.getByRole("button", { name: "undelegated.com: Taken" }));
  assertEquals((await cellsOn(page)).at(-1), "first.org: Waiting");
  await appears(page.getByText(/^3 to go, about 6[05] s$/));
  // While answers are missing no row moves.
  await page.getByLabel("Available only").check();
  assertEquals((await cellsOn(page)).length, 9);
  assertEquals(await page.locator("#grid th .count").allTextContents(), ["2/3", "2/3", "2/3"]);
  service.clock.aheadMs += 60_000;
  await page.clock.runFor(61_000);
  await appears(page.getByRole("button", { name: "first.com: Available" }));
  await search.done();
  assertEquals(await page.locator("#end").textContent(), "");
  assertEquals((await cellsOn(page)).length, 3);
  assertEquals(asked, ["taken,undelegated", "first"]);
});

const textsOf = async (page: Page) =>
  (await page.locator("#variants li").allTextContents()).map((text) => text.trim());

test("variants stand in the answer of a taken name, are checked at once if it was submitted, and a link searches one", async ({ page, search, lab }) => {
  const asked = search.watchChecks();
  const listsOf = () => asked.filter((names) => names.includes(","));
  for (const domain of ["riverstone.net", "riverstones.net"]) {
    lab.script(domain, { dns: "delegated", rdap: "registered" });
  }
  await page.goto("/?q=riverstone.net");
  await appears(page.getByRole("link", { name: "riverstonelabs.net Available" }));
  assertEquals((await textsOf(page)).slice(0, 3), [
    "river-stone.net Available",
    "riverstones.net Taken",
    "getriverstone.net Available",
  ]);
  assertEquals(listsOf().map((names) => names.split(",").length), [8]);
  await page.getByRole("link", { name: /^riverstones.net / }).click();
  await search.settled("riverstones");
  assertEquals(search.query(), "q=riverstones.net");
  await appears(page.getByRole("link", { name: "riverstone.net Taken" }));
  await page.getByRole("link", { name: /^getriverstones.net / }).click();
  await search.settled("getriverstones");
  assertEquals(await page.locator("#variants").isVisible(), false);
  assertEquals(listsOf().length, 2);
});

const otherTlds = testsOnPage({ env: { TLDS: "com,dev,tech" }, allowed: /ERR_CONNECTION_REFUSED/ });

otherTlds.test("variants of a name that was typed only, or of a slow registry, are checked by a button, and lists have none", async ({ page, search, lab }) => {
  const asked = search.watchChecks();
  const listsOf = () => asked.filter((names) => names.includes(","));
  lab.script("biotech", { dns: "delegated", rdap: "registered" });
  await page.goto("/");
  await search.enter("biotech");
  await search.settled("biotech");
  assertEquals(listsOf(), []);
  await page.route(CHECKS, (route) => route.abort("connectionrefused"), { times: 1 });
  const button = page.getByRole("button", { name: "Check them" });
  await button.click();
  await attached(page.getByText("Cannot reach the service."));
  await button.click();
  await attached(page.getByText("The variants were checked."));
  // A domain hack has its own TLD.
  await page.getByRole("link", { name: "bio.tech Available" }).click();
  await search.settled("bio");
  assertEquals(search.query(), "q=bio.tech");
  await search.submit("biotech.dev");
  await search.settled("biotech");
  assertEquals(listsOf().length, 2);
  for (const typed of ["xn--caf-dma", "taken undelegated"]) {
    await search.submit(typed);
    await search.done();
    assertEquals(await page.locator("#variants").isVisible(), false, typed);
  }
});
