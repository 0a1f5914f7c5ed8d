/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import { appears } from "./appears.ts";
import { violationsOn } from "./axe.ts";
import { onPage } from "./on_page.ts";
import { domainsDone, rowsOn, settled, submit } from "./rows.ts";

const ANY_TLD = { env: { ANY_TLD: "on" } };

onPage(
  "TLDs of one's own are in the link, and are remembered for later visits",
  async ({ page }) => {
    await page.goto("/?q=taken");
    await settled(page, "taken");
    await page.getByLabel("Which TLDs").selectOption("My TLDs");
    const field = page.getByLabel("My TLDs");
    await appears(field);
    assertEquals(await field.evaluate((field) => field === document.activeElement), true);
    await field.fill(".tv Online, com");
    await field.press("Enter");
    await settled(page, "taken");
    assertEquals(new URL(page.url()).search, "?q=taken&tlds=tv,online,com");
    const rows = await rowsOn(page);
    assertEquals(rows.map((row) => row.split(":")[0]), ["taken.tv", "taken.online", "taken.com"]);
    assertEquals(await violationsOn(page, {}), []);
    await page.reload();
    await settled(page, "taken");
    assertEquals(await rowsOn(page), rows);
    await page.goto("/");
    await submit(page, "free-for-you taken");
    await domainsDone(page);
    const heads = await page.locator("#grid thead th").allTextContents();
    assertEquals(heads.slice(1).map((head) => /^\.[a-z]+?(?=\d|\$|$)/.exec(head)?.[0]), [
      ".tv",
      ".online",
      ".com",
    ]);
    assertMatch(page.url(), /&tlds=tv,online,com$/);
    // A link without TLDs shows the same to all who open it.
    await page.goto("/?q=taken");
    await settled(page, "taken");
    assertEquals((await rowsOn(page)).length, 8);
  },
  ANY_TLD,
);

onPage(
  "a TLD of one's own that is none is said in its row, and an emptied field is forgotten",
  async ({ page }) => {
    await page.goto("/?q=taken&tlds=com,zzz");
    await settled(page, "taken");
    const [, refused] = await rowsOn(page);
    assertMatch(refused ?? "", /^taken\.zzz: /);
    await appears(page.getByText(/\.zzz is no TLD/).first());
    await page.getByLabel("My TLDs").fill("");
    await page.getByLabel("My TLDs").press("Enter");
    await settled(page, "taken");
    assertEquals((await rowsOn(page)).length, 8);
    assertEquals(new URL(page.url()).search, "?q=taken");
    assertEquals(await page.evaluate(() => localStorage.getItem("tlds")), "[]");
  },
  ANY_TLD,
);

onPage(
  "without scripts a link has TLDs of one's own, and the form keeps them",
  async ({ page }) => {
    await page.goto("/?q=taken&tlds=online,tv");
    await page.waitForURL("**/search?q=taken&tlds=online%2Ctv");
    const domains = () => page.locator("tbody .domain").allTextContents();
    assertEquals(await domains(), ["taken.online", "taken.tv"]);
    await page.getByLabel("Name", { exact: true }).fill("free-for-you.com");
    await page.getByRole("button", { name: "Check" }).click();
    await page.waitForURL("**/search?q=free-for-you.com&tlds=online%2Ctv");
    assertEquals(await domains(), ["free-for-you.com", "free-for-you.online", "free-for-you.tv"]);
  },
  { ...ANY_TLD, browser: { javaScriptEnabled: false } },
);
