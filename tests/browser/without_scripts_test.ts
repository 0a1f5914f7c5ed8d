import { assertEquals, assertMatch } from "@std/assert";
import { appears } from "./appears.ts";
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
