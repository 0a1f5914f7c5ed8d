/// <reference lib="dom" />
import { assert, assertEquals } from "@std/assert";
import { appears } from "./appears.ts";
import { onPage } from "./on_page.ts";

onPage(
  "the reference page leads to the page for people, and has examples for curl",
  async ({ page }) => {
    await page.goto("/docs");
    await appears(page.getByText("Check whether many names are available").first());
    assert(await page.getByText("curl -X GET").count() > 0);
    await page.getByRole("link", { name: "Check a name" }).click();
    await appears(page.getByLabel("Name", { exact: true }));
  },
);

for (const colorScheme of ["light", "dark"] as const) {
  onPage(`the reference page is ${colorScheme} as the system is`, async ({ page }) => {
    await page.goto("/docs");
    await appears(page.getByText("Check whether many names are available").first());
    const filter = await page.locator("rapi-doc").evaluate((element) =>
      getComputedStyle(element).filter
    );
    assertEquals(filter !== "none", colorScheme === "dark");
  }, { browser: { colorScheme } });
}
