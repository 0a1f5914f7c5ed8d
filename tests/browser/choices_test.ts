/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import { appears } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { settled, submit, type } from "./rows.ts";

onPage(
  "a text that is no name leads to those that it can stand for",
  async ({ page }) => {
    await page.goto("/");
    // deno-fmt-ignore -- a table
    const cases = [
      ["Café", ["cafe", "xn--caf-dma (café)"]],
      ["foo_bar", ["foobar", "foo-bar"]],
      ["😀.com", ["xn--e28h.com (😀)"]],
      ["-lead", ["lead"]],
      ["foo.com.com", ["foo.com"]],
    ] as const;
    const choices = page.getByRole("list", { name: "Names that can be checked" });
    for (const [text, options] of cases) {
      await submit(page, text);
      assertEquals(await choices.getByRole("link").allTextContents(), [...options], text);
      assertEquals(await page.locator("#results").isVisible(), false);
    }
    assertEquals(
      await page.locator("#hint").textContent(),
      "“foo.com.com” has .com twice. Check instead:",
    );
    await type(page, "Café");
    await choices.getByRole("link", { name: /xn--caf-dma/ }).click();
    await settled(page, "xn--caf-dma");
    assertEquals(await choices.count(), 0);
    assertEquals(page.url().split("?")[1], "q=xn--caf-dma");
    assertEquals(
      (await page.locator("#answer h2").textContent())?.replaceAll(/\s+/g, " ").trim()
        .startsWith("xn--caf-dma.com (café.com) "),
      true,
    );
  },
);

onPage(
  "in a list the nearest option is checked, with the text that people read",
  async ({ page }) => {
    await page.goto("/?q=taken+café+.com");
    await appears(page.getByRole("button", { name: "xn--caf-dma.com: Available" }));
    assertEquals(
      await page.getByRole("rowheader").allTextContents(),
      ["taken", "xn--caf-dma (café)"],
    );
    assertEquals(await page.locator("#hint").textContent(), "Not checked: .com");
  },
);

onPage("a few words are names, and are offered as one", async ({ page }) => {
  await page.goto("/?q=river+stone");
  await appears(page.getByRole("rowheader", { name: "stone" }));
  await page.getByRole("link", { name: "river-stone" }).click();
  await settled(page, "river-stone");
  assertEquals(page.url().split("?")[1], "q=river-stone");
});
