/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import type { Locator } from "playwright-core";
import { onPage } from "./on_page.ts";
import { appears, textOf } from "./rows.ts";

const NO_SCRIPT = { javaScriptEnabled: false };

onPage(
  "the form, a shared link and TLDs of one's own work without scripts",
  async ({ page, search }) => {
    const check = page.getByRole("button", { name: "Check" });
    const domains = () => page.locator("tbody .domain").allTextContents();
    await page.goto("/");
    const scripted = page.locator("#results, #keys, #error").filter({ visible: true });
    assertEquals(await scripted.count(), 0);
    await search.field.fill("Taken");
    await check.click();
    await page.waitForURL("**/search?q=Taken");
    assertEquals((await domains()).length, 8);
    assertMatch(await textOf(page.locator("tbody tr").first()), /Taken taken\.com found in DNS/);

    await page.goto("/?q=free-for-you");
    await page.waitForURL("**/search?q=free-for-you");
    assertEquals(await search.field.inputValue(), "free-for-you");

    await page.goto("/?q=taken&tlds=online,tv");
    await page.waitForURL("**/search?q=taken&tlds=online%2Ctv");
    assertEquals(await domains(), ["taken.online", "taken.tv"]);
    await search.field.fill("free-for-you.com");
    await check.click();
    await page.waitForURL("**/search?q=free-for-you.com&tlds=online%2Ctv");
    assertEquals(await domains(), ["free-for-you.com", "free-for-you.online", "free-for-you.tv"]);
  },
  { browser: NO_SCRIPT, env: { ANY_TLD: "on" } },
);

onPage(
  "a taken row links to its details without scripts, which say why there are none",
  async ({ page, search, lab }) => {
    await page.goto("/search?q=taken");
    assertEquals(await search.beyond(), 0);
    await page.getByRole("link", { name: "Details of taken.tv" }).click();
    await page.waitForURL("**/search?q=taken.tv&details=1");
    const under = (title: string): Locator =>
      page.locator("dt", { hasText: new RegExp(`^${title}$`) })
        .locator("xpath=following-sibling::dd[1]");
    assertEquals(await textOf(under("State")), "Taken");
    assertEquals(await textOf(under("Registrar")), "Lab Registrar Ltd, number 9999 at IANA");
    assertEquals(await textOf(under("Expires")), "4 Mar 2031");
    assertMatch(await textOf(under("Could be free")), /^if it is not renewed, /);
    assertEquals(await search.beyond(), 0);
    // The form leads back to the table of the name.
    await page.getByRole("button", { name: "Check" }).click();
    await page.waitForURL("**/search?q=taken.tv");

    lab.script("mine.net", { dns: "delegated", rdap: "unavailable503" });
    await page.goto("/search?q=mine.net&details=1");
    assertMatch(await textOf(page.locator("dd").last()), /503/);
    const response = await page.goto("/search?q=not+a+domain&details=1");
    assertEquals(response?.status(), 400);
    await appears(page.getByText("Invalid domain: Add a TLD, such as example.com"));
  },
  { browser: { ...NO_SCRIPT, viewport: { width: 390, height: 844 } }, allowed: /400/ },
);
