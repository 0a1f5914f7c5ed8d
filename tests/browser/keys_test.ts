/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { appears, attached } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { rowOn, settled, type } from "./rows.ts";

/** The domain of the focused row, or the id of another focused element. */
function focusOn(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.closest("li")?.querySelector(".domain")?.textContent ??
      activeElement?.id;
  });
}

onPage(
  "arrow keys move through the rows and back, and Tab keeps its order",
  async ({ page }) => {
    await page.goto("/?q=free-for-you");
    await settled(page, "free-for-you");
    assertEquals(await focusOn(page), "name");
    await page.keyboard.press("Tab");
    assertEquals(await page.evaluate(() => document.activeElement?.textContent), "Check");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("ArrowDown");
    assertEquals(await focusOn(page), "free-for-you.com");
    await page.keyboard.press("ArrowDown");
    assertEquals(await focusOn(page), "free-for-you.net");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assertEquals(await focusOn(page), "name");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    assertEquals(await focusOn(page), "name");
  },
);

onPage("arrow keys skip the rows that a filter leaves blank", async ({ page, lab }) => {
  lab.script("picky", { dns: "delegated", rdap: "registered" });
  lab.script("picky.net", { dns: "nxdomain", rdap: "free" });
  lab.script("picky.site", { dns: "nxdomain", rdap: "free" });
  // While one answer is missing no row moves: those of com, org and cc stay, blank.
  await page.addInitScript(() => {
    const { fetch } = globalThis;
    globalThis.fetch = (url, init) =>
      `${url}`.startsWith("/v1/ens/check?") ? new Promise(() => {}) : fetch(url, init);
  });
  await page.goto("/");
  await type(page, "picky");
  await page.getByLabel("Available only").check();
  for (const tld of ["com", "org", "cc", "tech", "tv"]) {
    await attached(rowOn(page, tld).and(page.locator(".blank")));
  }
  for (const tld of ["net", "site"]) await appears(rowOn(page, tld).getByText("Available"));
  await page.locator("#name").focus();
  const walk = [];
  for (const key of ["Down", "Down", "Down", "Down", "Up", "Up", "Up"]) {
    await page.keyboard.press(`Arrow${key}`);
    walk.push(await focusOn(page));
  }
  assertEquals(walk, [
    "picky.net",
    "picky.site",
    "picky.eth",
    "picky.eth",
    "picky.site",
    "picky.net",
    "name",
  ]);
});
