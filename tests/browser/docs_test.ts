/// <reference lib="dom" />
import { assert, assertEquals } from "@std/assert";
import { onPage } from "./on_page.ts";
import { appears } from "./rows.ts";

onPage(
  "the reference page has examples for curl, is dark as the system is, and leads to the page",
  async ({ page }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto("/docs");
      await appears(page.getByText("Check whether many names are available").first());
      const filter = await page.locator("rapi-doc").evaluate((element) =>
        getComputedStyle(element).filter
      );
      assertEquals(filter !== "none", colorScheme === "dark");
    }
    assert(await page.getByText("curl -X GET").count() > 0);
    await page.getByRole("link", { name: "Check a name" }).click();
    await appears(page.getByLabel("Name", { exact: true }));
  },
);
