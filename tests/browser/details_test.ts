/// <reference lib="dom" />
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { appears, attached } from "./appears.ts";
import { violationsOn } from "./axe.ts";
import { onPage } from "./on_page.ts";
import { rowOn, settled } from "./rows.ts";

/** The title of what the registry has, in the open menu. */
const term = (page: Page, title: string) =>
  page.locator("#menu dt", { hasText: new RegExp(`^${title}$`) });

/** What stands under a title in the open menu. */
async function textOf(page: Page, title: string): Promise<string | null> {
  const text = term(page, title).locator("xpath=following-sibling::dd[1]");
  await appears(text);
  return await text.textContent();
}

async function openDetails(page: Page, name: string, tld: string): Promise<void> {
  await page.goto(`/?q=${name}`);
  await settled(page, name);
  await rowOn(page, tld).getByRole("button", { name: `Details of ${name}.${tld}` }).click();
}

onPage(
  "the menu of a taken name shows its registrar, its dates, and when it could drop",
  async ({ page, lab }) => {
    await openDetails(page, "taken", "tv");
    assertEquals(await textOf(page, "Registrar"), "Lab Registrar Ltd");
    assertEquals(await textOf(page, "Registered"), "4 Mar 2011");
    assertEquals(await textOf(page, "Expires"), "4 Mar 2031");
    assertMatch(
      await textOf(page, "Could be free") ?? "",
      /^if it is not renewed, between \d+ \w+ 2031 and \d+ \w+ 2031 \(/,
    );
    assertEquals(await violationsOn(page, {}), []);
    const asked = () => lab.requests.filter(({ path }) => path.endsWith("/taken.tv")).length;
    const before = asked();
    await page.keyboard.press("Escape");
    await rowOn(page, "tv").getByRole("button", { name: "Details of taken.tv" }).click();
    assertEquals(await textOf(page, "Expires"), "4 Mar 2031");
    assertEquals(asked(), before);
  },
);

onPage("the menu of a taken name shows why its registry has no details", async ({ page, lab }) => {
  lab.script("mine.net", { dns: "delegated", rdap: "unavailable503" });
  await openDetails(page, "mine", "net");
  assertMatch(await textOf(page, "Not known") ?? "", /503/);
  assertEquals(await term(page, "Expires").count(), 0);
  // An error is not remembered: the registry is asked again when the menu is opened again.
  const again = page.waitForRequest("**/details?domain=mine.net");
  await page.keyboard.press("Escape");
  await rowOn(page, "net").getByRole("button", { name: "Details of mine.net" }).click();
  await again;
});

onPage("the menu of a name that is not taken asks for no details", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/?q=mine");
  await settled(page, "mine");
  await rowOn(page, "com").getByRole("button", { name: "Register mine.com" }).click();
  await appears(page.locator("#menu .domain"));
  assertEquals(await page.locator("#menu .profile").isVisible(), false);
  assertEquals(asked.includes("/details"), false);
});

onPage("the menu with details stays inside a narrow window", async ({ page }) => {
  await openDetails(page, "taken", "com");
  await textOf(page, "Expires");
  const box = await page.locator("#menu").boundingBox();
  assert(box !== null && box.x >= 0 && box.x + box.width <= 390, `${JSON.stringify(box)}`);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assertEquals(width, 390);
}, { browser: { viewport: { width: 390, height: 844 } } });

onPage("a list of domains links to its feed and its calendar", async ({ page, service }) => {
  await page.goto("/?q=taken.tv+mine.com");
  await appears(page.locator("#results.done"));
  const links = { Feed: /atom\+xml/, Calendar: /text\/calendar/ };
  for (const [name, type] of Object.entries(links)) {
    const path = await page.getByRole("link", { name, exact: true }).getAttribute("href");
    assertMatch(path ?? "", /^\/watch\.(?:atom|ics)\?domains=taken\.tv,mine\.com$/);
    const response = await fetch(`${service.url}${path}`);
    assertMatch(response.headers.get("content-type") ?? "", type);
    assertMatch(await response.text(), /taken\.tv/);
  }
  await page.goto("/?q=taken");
  await attached(page.locator("#results.done"));
  assertEquals(await page.getByRole("link", { name: "Feed", exact: true }).count(), 0);
});
