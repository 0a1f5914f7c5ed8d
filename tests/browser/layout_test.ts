/// <reference lib="dom" />
import { assert, assertEquals } from "@std/assert";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { test, testsOnPage } from "./on_page.ts";
import { appears, CHECKS } from "./rows.ts";

const ALL_TLDS = { env: { TLDS: BUILT_IN_TLDS.map(({ tld }) => tld).join(",") } };
const LONG = "a-name-of-more-than-thirty-letters-or-so";

const allTlds = testsOnPage(ALL_TLDS);

allTlds.test("a row keeps its height when its answer arrives, and nothing of it is cut, in a window of any width", async ({ page, search, lab }) => {
  const name = "premium-day-10";
  lab.script(`${name}.net`, { dns: "delegated", rdap: "registered" });
  lab.script(`${name}.io`, { dns: "nxdomain", rdap: "garbage" });
  lab.script(`${name}.org`, { dns: "nxdomain", rdap: "premium" });
  const rows = page.locator("#rows > li");
  const heights = () => rows.evaluateAll((all) => all.map((row) => row.clientHeight));
  const linesOf = (part: string) =>
    rows.locator(part).evaluateAll((all) => [
      ...new Set(all.map((one) => one.getClientRects().length)),
    ]);
  const windows = [[1280, 900, 14], [860, 844, 8], [390, 844, 8]] as const;
  for (const [width, height, least] of windows) {
    await page.setViewportSize({ width, height });
    const measured = Promise.withResolvers<void>();
    await page.route(CHECKS, async (route) => {
      await measured.promise;
      await route.continue();
    });
    await page.goto(`/?q=${name}`);
    await appears(rows.getByText("Checking").last());
    const before = await heights();
    measured.resolve();
    await search.settled(name);
    assertEquals(await heights(), before, `${width}`);
    assertEquals([await linesOf(".label"), await linesOf(".tld")], [[1], [1]], `${width}`);
    const cut = await rows.evaluateAll((all) =>
      all.filter((row) => row.scrollWidth > row.clientWidth).map((row) => row.ariaLabel)
    );
    assertEquals(cut, [], `${width}`);
    await page.unroute(CHECKS);
    await search.open(`${LONG}.online`);
    assertEquals(await linesOf(".tld"), [1], `${width}`);
    await search.open("free-for-you");
    const visible = await rows.evaluateAll((rows) =>
      rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length
    );
    assert(visible >= least, `${visible} rows of ${width}`);
  }
});

const browser = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const phone = testsOnPage({ browser });

phone.test("on a phone a tap on a row opens its menu, where the whole reason and the links are", async ({ page, search, lab }) => {
  lab.script("mine.net", { dns: "nxdomain", rdap: "unavailable503" });
  await search.open("mine");
  await search.row("net").locator(".domain").tap();
  await appears(search.menu.getByText("mine.net Unknown"));
  await appears(search.menu.getByText("The registry answered 503"));
  await page.keyboard.press("Escape");
  await search.row("com").locator(".known").tap();
  assertEquals(await search.menu.getByRole("link").count(), 3);
});

test("the reference page has examples for curl, is dark as the system is, and leads to the page", async ({ page }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/docs");
    await appears(page.getByText("Check whether many names are available").first());
    const filter = await page.locator("rapi-doc").evaluate((element) =>
      getComputedStyle(element).filter
    );
    assertEquals(filter !== "none", colorScheme === "dark");
  }
  assert(await page.getByText("curl -X GET").count() > 0);
  await page.getByRole("link", { name: "Check a name" }).click();
  await appears(page.getByLabel("Name", { exact: true }));
});
