import { assertEquals, assertMatch } from "@std/assert";
import { appears } from "./appears.ts";
import { VARIANTS, violationsOn } from "./axe.ts";
import { onPage } from "./on_page.ts";

const NO_SCRIPT = { browser: { javaScriptEnabled: false } };

onPage("the form works without scripts", async ({ page }) => {
  await page.goto("/");
  assertEquals(
    await page.locator("#results, #keys, #error").filter({ visible: true }).count(),
    0,
  );
  await page.getByLabel("Name", { exact: true }).fill("Taken");
  await page.getByRole("button", { name: "Check" }).click();
  await page.waitForURL("**/search?q=Taken");
  const rows = await page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => row.textContent)
  );
  assertEquals(rows.length, 8);
  assertMatch(rows[0]?.replaceAll(/\s+/g, " ") ?? "", /Taken taken\.com found in DNS/);
}, NO_SCRIPT);

onPage("a shared URL redirects to the table without scripts", async ({ page }) => {
  await page.goto("/?q=free-for-you");
  await page.waitForURL("**/search?q=free-for-you");
  const row = page.locator("tbody tr", { hasText: "free-for-you.com" });
  assertEquals((await row.locator(".state").textContent())?.trim(), "Available");
  assertEquals(await row.getByRole("link").count(), 3);
  assertEquals(
    await row.getByRole("link", { name: "Register free-for-you.com at Porkbun" }).getAttribute(
      "href",
    ),
    "https://porkbun.com/checkout/search?q=free-for-you.com",
  );
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "free-for-you");
}, NO_SCRIPT);

onPage(
  "a taken row links to its details without scripts, and a name that is not taken does not",
  async ({ page }) => {
    await page.goto("/search?q=taken");
    const link = page.getByRole("link", { name: "Details of taken.tv" });
    // As in a window that is read on a phone: the table must not be wider.
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await link.click();
    await page.waitForURL("**/search?q=taken.tv&details=1");
    const textOf = async (title: string) =>
      await page.locator("dt", { hasText: new RegExp(`^${title}$`) })
        .locator("xpath=following-sibling::dd[1]").textContent();
    assertEquals(await textOf("State"), "Taken");
    assertEquals(await textOf("Registrar"), "Lab Registrar Ltd");
    assertEquals(await textOf("Expires"), "4 Mar 2031");
    assertMatch(await textOf("Could be free") ?? "", /^if it is not renewed, between/);
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    // The form leads back to the table of the name.
    await page.getByRole("button", { name: "Check" }).click();
    await page.waitForURL("**/search?q=taken.tv");
    await page.goto("/search?q=free-for-you.com");
    const row = page.locator("tbody tr", { hasText: "free-for-you.com" });
    assertEquals(await row.getByRole("link", { name: /^Details/ }).count(), 0);
  },
  { browser: { javaScriptEnabled: false, viewport: { width: 390, height: 844 } } },
);

onPage("details without scripts say why there are none", async ({ page, lab }) => {
  lab.script("mine.net", { dns: "delegated", rdap: "unavailable503" });
  await page.goto("/search?q=mine.net&details=1");
  assertMatch(await page.locator("dd").last().textContent() ?? "", /503/);
  const response = await page.goto("/search?q=not+a+domain&details=1");
  assertEquals(response?.status(), 400);
  await appears(page.getByText("Invalid domain: Add a TLD, such as example.com"));
}, { ...NO_SCRIPT, allowed: /400/ });

onPage(
  "axe finds no violation in a table with details and in the details, which have no scripts",
  async ({ page }) => {
    for (const path of ["/search?q=taken", "/search?q=taken.tv&details=1"]) {
      await page.goto(path);
      for (const { colorScheme, width, height } of VARIANTS) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        assertEquals(await violationsOn(page, {}), [], `${path} ${colorScheme} ${width}`);
      }
    }
  },
);

onPage("the rate limit is reported without scripts, too", async ({ page, service }) => {
  await service.get("/tlds");
  const response = await page.goto("/search?q=taken");
  assertEquals(response?.status(), 429);
  await appears(
    page.getByText(
      /^Too many requests\. Please retry after 60 seconds\. The next request is admitted in/,
    ),
  );
}, { ...NO_SCRIPT, env: { RATE_LIMIT: "1" }, allowed: /429/ });
