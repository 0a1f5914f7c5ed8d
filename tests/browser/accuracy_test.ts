/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import { appears } from "./appears.ts";
import { COLOURS, VARIANTS, violationsOn } from "./axe.ts";
import { onPage } from "./on_page.ts";

onPage(
  "axe finds no violation on the page of the accuracy, in either colour scheme, on a desktop and on a phone",
  async ({ page, service }) => {
    for (const name of ["free-one", "taken", "failing"]) await service.get(`/check?name=${name}`);
    await page.goto("/");
    await page.getByRole("link", { name: "accuracy" }).click();
    await appears(page.getByRole("heading", { name: "How sure the answers are" }));
    for (const details of await page.locator("summary").all()) await details.click();
    for (const { colorScheme, width, height } of VARIANTS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      const rules = colorScheme === "dark" ? COLOURS : {};
      const variant = `${colorScheme}, ${width} wide`;
      assertEquals(await violationsOn(page, rules), [], variant);
      const beyond = await page.evaluate(() =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth
      );
      assertEquals(beyond, 0, `${variant}, is wider than the screen`);
    }
  },
);
