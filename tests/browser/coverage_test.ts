/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import { appears } from "./appears.ts";
import { VARIANTS, violationsOn } from "./axe.ts";
import { onPage } from "./on_page.ts";

onPage("the coverage of TLDs can be searched and read on without scripts", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "coverage" }).click();
  await appears(page.getByRole("rowheader", { name: ".aaa", exact: true }));
  assertEquals(await page.getByRole("rowheader").count(), 100);
  await page.getByRole("link", { name: "Next" }).click();
  await page.waitForURL(/after=/);
  assertEquals(await page.getByRole("rowheader", { name: ".aaa", exact: true }).count(), 0);
  await page.getByLabel("Part of a TLD or suffix").fill("pizza");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/q=pizza/);
  assertEquals(await page.getByRole("rowheader").allTextContents(), [".pizza"]);
}, { browser: { javaScriptEnabled: false }, env: { ANY_TLD: "on" } });

onPage("axe finds no violation on the page of the coverage", async ({ page }) => {
  await page.goto("/tlds?coverage=all&q=co.u");
  for (const { colorScheme, width, height } of VARIANTS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    const variant = `${colorScheme}, ${width} wide`;
    assertEquals(await violationsOn(page, {}), [], variant);
    const beyond = await page.evaluate(() =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth
    );
    assertEquals(beyond, 0, `${variant}, is wider than the screen`);
  }
}, { env: { ANY_TLD: "on" } });
