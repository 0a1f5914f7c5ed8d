/// <reference lib="dom" />
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { onPage } from "./on_page.ts";
import {
  appears,
  attached,
  beyondOn,
  CHECKS,
  domainsDone,
  enter,
  focusOn,
  openMenu,
  paste,
  queryOn,
  rowsOn,
  settled,
  submit,
  summaryOn,
  watchChecks,
} from "./rows.ts";

/** The cells row by row, as "domain: state". */
function cellsOn(page: Page): Promise<(string | null)[]> {
  return page.locator("#grid .cell:visible").evaluateAll((cells) =>
    cells.map((cell) => cell.getAttribute("aria-label"))
  );
}

/** The domains of the names under the TLDs, row by row. */
const domainsOf = (names: readonly string[], tlds: readonly string[]) =>
  names.flatMap((name) => tlds.map((tld) => `${name}.${tld}`));

const cell = (page: Page, domain: string) => cellWith(page, domain, /:/);

/** The cell of a domain, whose label has these words. */
const cellWith = (page: Page, domain: string, words: RegExp) =>
  page.getByRole("button", { name: new RegExp(`^${domain.replaceAll(".", "\\.")}:`) })
    .and(page.getByRole("button", { name: words }));

onPage(
  "several names fill a grid by one request, and a name that is added by another",
  async ({ page, lab, service }) => {
    lab.script("first.org", { dns: "nxdomain", rdap: "premium", delayMs: 1_500 });
    const asked = watchChecks(page);
    const field = page.getByLabel("Name", { exact: true });
    await page.goto("/");
    await paste(page, "taken\r\nFirst\n");
    await appears(page.getByRole("button", { name: "first.org: Not in DNS" }));
    await domainsDone(page);
    assertEquals(await field.inputValue(), "taken\nFirst");
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
    assertEquals(await summaryOn(page), "2 available, 1 premium, 3 taken");
    await submit(page, "taken first last");
    await appears(cellWith(page, "last.org", /Available/));
    assertEquals(queryOn(page), "q=taken+first+last");
    assertEquals(asked, ["taken,first", "last"]);
    const { headers } = await service.get("/tlds");
    assertEquals(headers.get("x-ratelimit-remaining"), "56");

    const menu = await openMenu(page, "first.com:");
    const links = await menu.getByRole("link").allTextContents();
    assertEquals(links, ["Porkbun", "Namecheap", "GoDaddy"]);
    await menu.getByRole("button", { name: "Shortlist first.com" }).click();
    await page.keyboard.press("Escape");
    assertEquals(await menu.isVisible(), false);
    const listed = "first.com: Available, $33 / 3 yr, in the shortlist";
    await appears(page.getByRole("button", { name: listed }));
    await page.getByRole("link", { name: "first", exact: true }).click();
    await settled(page, "first");
    assertEquals(await field.inputValue(), "first");
  },
  { env: { RATE_LIMIT: "60" } },
);

onPage(
  "the grid is as long as its list, and scrolls sideways in its own area, where the names stay",
  async ({ page }) => {
    const names = Array.from({ length: 30 }, (_, place) => `taken-name-${place}`);
    await page.goto(`/?q=${names.join("+")}&tlds=all`);
    await domainsDone(page);
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
    assertEquals(await beyondOn(page), 0);
  },
  { browser: { viewport: { width: 390, height: 844 } } },
);

onPage("arrow keys move through the cells, and Tab leaves them", async ({ page }) => {
  await page.goto("/?q=taken+undelegated");
  await domainsDone(page);
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
  await appears(page.locator("#menu").getByRole("link", { name: "Visit taken.com" }));
  await page.keyboard.press("Escape");
  assertEquals(await focused(), "taken.com");
  await page.keyboard.press("ArrowUp");
  assertEquals(await focusOn(page), "name");
});

onPage(
  "domains are shown as rows in their order, and filters choose the columns of a grid",
  async ({ page }) => {
    await page.goto("/?q=taken.tv+undelegated.com+taken.eth+taken.museum");
    await domainsDone(page);
    assertEquals(await rowsOn(page), [
      "taken.tv: Taken",
      "undelegated.com: Taken",
      "taken.eth: Available",
      "taken.museum: Unknown",
    ]);
    await appears(page.getByText("Unsupported TLD: send one of cc, com,"));
    await submit(page, "taken undelegated");
    await domainsDone(page);
    await page.getByLabel("Which TLDs").selectOption("All TLDs");
    await appears(cell(page, "taken.tv"));
    await domainsDone(page);
    assertEquals(
      (await cellsOn(page)).map((text) => text?.split(":")[0]),
      domainsOf(["taken", "undelegated"], ["com", "net", "org", "cc", "site", "tech", "tv"]),
    );
    await page.getByLabel("Available only").check();
    await appears(page.getByText("Nothing matches the filter."));
  },
);

let ahead = 0;

onPage(
  "names that exceed the rate limit wait for their turn, which is told, and no request is rejected",
  async ({ page }) => {
    const asked = watchChecks(page);
    await page.clock.install();
    await page.goto("/?q=taken+undelegated+first");
    await appears(page.getByRole("button", { name: "undelegated.com: Taken" }));
    await cell(page, "first.com").hover();
    assertMatch(
      await cell(page, "first.com").getAttribute("aria-label") ?? "",
      /^first\.com: Waiting, sent in about 6[05] s: the limit of requests is used up$/,
    );
    await appears(page.getByText(/^3 to go, about 6[05] s$/));
    // While answers are missing no row moves.
    await page.getByLabel("Available only").check();
    assertEquals((await cellsOn(page)).length, 9);
    assertEquals(await page.locator("#grid th .count").allTextContents(), ["2/3", "2/3", "2/3"]);
    ahead += 60_000;
    await page.clock.runFor(61_000);
    await appears(page.getByRole("button", { name: "first.com: Available" }));
    await domainsDone(page);
    assertEquals(await page.locator("#end").textContent(), "");
    assertEquals((await cellsOn(page)).length, 3);
    assertEquals(asked, ["taken,undelegated", "first"]);
  },
  { env: { RATE_LIMIT: "2" }, now: () => Date.now() + ahead },
);

onPage(
  "a list waits in the queue of a slow registry without an unknown cell, while quick registries answer",
  async ({ page, lab }) => {
    const names = Array.from({ length: 10 }, (_, place) => `held-back-${place}`);
    for (const name of names) {
      lab.script(`${name}.app`, { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
    }
    await page.goto(`/?q=${names.join("+")}`);
    await appears(page.getByText(/^\d+ to go, /));
    await appears(cellWith(page, "held-back-9.com", /Available/));
    await domainsDone(page);
    const cells = await cellsOn(page);
    assertEquals(cells.filter((label) => label?.includes("Unknown")), []);
  },
  { env: { TLDS: "com,dev,app", RATE_LIMIT: "60" } },
);

const textsOf = async (page: Page) =>
  (await page.locator("#variants li").allTextContents()).map((text) => text.trim());

onPage(
  "variants stand in the answer of a taken name, are checked at once if it was submitted, and a link searches one",
  async ({ page, lab }) => {
    const asked = watchChecks(page);
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
    await settled(page, "riverstones");
    assertEquals(queryOn(page), "q=riverstones.net");
    await appears(page.getByRole("link", { name: "riverstone.net Taken" }));
    await page.getByRole("link", { name: /^getriverstones.net / }).click();
    await settled(page, "getriverstones");
    assertEquals(await page.locator("#variants").isVisible(), false);
    assertEquals(listsOf().length, 2);
  },
);

onPage(
  "variants of a name that was typed only, or of a slow registry, are checked by a button",
  async ({ page, lab }) => {
    const asked = watchChecks(page);
    const listsOf = () => asked.filter((names) => names.includes(","));
    lab.script("biotech", { dns: "delegated", rdap: "registered" });
    await page.goto("/");
    await enter(page, "biotech");
    await settled(page, "biotech");
    assertEquals(listsOf(), []);
    await page.getByRole("button", { name: "Check them" }).click();
    // A domain hack has its own TLD.
    await page.getByRole("link", { name: "bio.tech Available" }).click();
    await settled(page, "bio");
    assertEquals(queryOn(page), "q=bio.tech");
    await submit(page, "biotech.dev");
    await settled(page, "biotech");
    assertEquals(listsOf().length, 1);
  },
  { env: { TLDS: "com,dev,tech" } },
);

onPage(
  "a look-up of variants that is refused can be repeated, and lists and encoded names have none",
  async ({ page }) => {
    await page.goto("/");
    await enter(page, "taken");
    await settled(page, "taken");
    await page.route(CHECKS, (route) => route.abort("connectionrefused"), { times: 1 });
    const button = page.getByRole("button", { name: "Check them" });
    await button.click();
    await attached(page.getByText("Cannot reach the service."));
    await button.click();
    await attached(page.getByText("The variants were checked."));
    for (const typed of ["xn--caf-dma", "taken undelegated"]) {
      await submit(page, typed);
      await domainsDone(page);
      assertEquals(await page.locator("#variants").isVisible(), false, typed);
    }
  },
  { allowed: /ERR_CONNECTION_REFUSED/ },
);
