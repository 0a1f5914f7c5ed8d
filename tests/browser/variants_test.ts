/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { appears, attached } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { enter, settled, submit } from "./rows.ts";

/** The bodies of the requests for several names. */
function watchLists(page: Page): string[][] {
  const lists: string[][] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") lists.push(request.postDataJSON().names);
  });
  return lists;
}

const textsOf = async (page: Page) =>
  (await page.locator("#variants li").allTextContents()).map((text) => text.trim());

onPage(
  "variants stand in the answer of a taken name, are checked at once if it was submitted, and a link searches one",
  async ({ page, lab }) => {
    const lists = watchLists(page);
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
    assertEquals(lists.map((names) => names.length), [8]);
    await page.getByRole("link", { name: /^riverstones.net / }).click();
    await settled(page, "riverstones");
    assertEquals(page.url().split("?")[1], "q=riverstones.net");
    await appears(page.getByRole("link", { name: "riverstone.net Taken" }));
    await page.getByRole("link", { name: /^getriverstones.net / }).click();
    await settled(page, "getriverstones");
    assertEquals(await page.locator("#variants").isVisible(), false);
    assertEquals(lists.length, 2);
  },
);

onPage(
  "variants of a name that was typed only, or of a slow registry, are checked by a button",
  async ({ page, lab }) => {
    const lists = watchLists(page);
    lab.script("biotech", { dns: "delegated", rdap: "registered" });
    await page.goto("/");
    await enter(page, "biotech");
    await settled(page, "biotech");
    assertEquals(lists, []);
    await page.getByRole("button", { name: "Check them" }).click();
    // A domain hack has its own TLD.
    await page.getByRole("link", { name: "bio.tech Available" }).click();
    await settled(page, "bio");
    assertEquals(page.url().split("?")[1], "q=bio.tech");
    await submit(page, "biotech.dev");
    await settled(page, "biotech");
    assertEquals(lists.length, 1);
  },
  { env: { TLDS: "com,dev,tech" } },
);

onPage("lists have no variants, and names that cannot have any neither", async ({ page }) => {
  await page.goto("/?q=taken");
  const section = page.locator("#variants");
  await appears(section);
  await submit(page, "xn--caf-dma");
  await settled(page, "xn--caf-dma");
  assertEquals(await section.isVisible(), false);
  await submit(page, "taken undelegated");
  assertEquals(await section.isVisible(), false);
});

onPage("a look-up of variants that is refused can be repeated", async ({ page }) => {
  await page.goto("/");
  await enter(page, "taken");
  await settled(page, "taken");
  await page.route("**/check?evidence=1", (route) => route.abort("connectionrefused"));
  const button = page.getByRole("button", { name: "Check them" });
  await button.click();
  await attached(page.getByText("Cannot reach the service."));
  await page.unroute("**/check?evidence=1");
  await button.click();
  await attached(page.getByText("The variants were checked."));
}, { allowed: /ERR_CONNECTION_REFUSED/ });
