/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import { testsOnPage } from "./on_page.ts";
import { textOf } from "./rows.ts";

const { test } = testsOnPage({ browser: { javaScriptEnabled: false }, env: { ANY_TLD: "on" } });

test("the form, a shared link and the details of a taken name work without scripts", async ({ page, search }) => {
  const check = page.getByRole("button", { name: "Check" });
  const domains = () => page.locator("tbody .domain").allTextContents();
  await page.goto("/?q=taken&tlds=online,tv");
  await page.waitForURL("**/search?q=taken&tlds=online%2Ctv");
  assertEquals(await domains(), ["taken.online", "taken.tv"]);
  await search.field.fill("free-for-you.com");
  await check.click();
  await page.waitForURL("**/search?q=free-for-you.com&tlds=online%2Ctv");
  assertEquals(await domains(), ["free-for-you.com", "free-for-you.online", "free-for-you.tv"]);

  await page.goto("/");
  assertEquals(await page.locator("#results, #keys, #error").filter({ visible: true }).count(), 0);
  await search.field.fill("Taken");
  await check.click();
  await page.waitForURL("**/search?q=Taken");
  assertEquals((await domains()).length, 8);
  await page.getByRole("link", { name: "Details of taken.tv" }).click();
  await page.waitForURL("**/search?q=taken.tv&details=1");
  const found = await textOf(page.locator(".counts + dl"));
  assertMatch(found, /^State Taken Registrar Lab Registrar Ltd, .* Expires 4 Mar 2031 /);
  // The form leads back to the table of the name.
  await check.click();
  await page.waitForURL("**/search?q=taken.tv");
});
