/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import { appears, attached } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { settled, submit } from "./rows.ts";

onPage(
  "variants are looked up in DNS by a button, and a link searches one in full",
  async ({ page, lab }) => {
    const queries: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/check") queries.push([...searchParams.values()].join(" "));
    });
    lab.script("riverstones", { dns: "delegated", rdap: "registered" });
    lab.script("river-stone.com", { dns: "delegated", rdap: "registered" });
    await page.goto("/?q=riverstone");
    await settled(page, "riverstone");
    const items = page.locator("#variants li");
    const texts = async () => (await items.allTextContents()).map((text) => text.trim());
    assertEquals((await texts()).slice(0, 3), ["river-stone", "riverstones", "getriverstone"]);
    assertEquals(queries, ["riverstone 1"]);
    await page.getByRole("button", { name: "Look them up in DNS" }).click();
    await attached(page.getByText("The variants were looked up in DNS."));
    assertEquals((await texts()).slice(0, 3), [
      "river-stone .net .org +4 not in DNS",
      "riverstones taken",
      "getriverstone .com .net +5 not in DNS",
    ]);
    assertEquals(queries.length, 9);
    assertEquals(queries.slice(1).filter((query) => !query.endsWith(" dns")), []);
    await page.getByRole("link", { name: /^river-stone / }).click();
    await settled(page, "river-stone");
    assertEquals(page.url().split("?")[1], "q=river-stone");
    assertEquals((await texts())[0]?.split(" ")[0], "riverstone");
  },
);

onPage("a domain hack is looked up under its own TLD", async ({ page, lab }) => {
  lab.script("biotech.com", { dns: "delegated", rdap: "registered" });
  await page.goto("/?q=biotech");
  await settled(page, "biotech");
  await page.getByRole("button", { name: "Look them up in DNS" }).click();
  await page.getByRole("link", { name: "bio.tech not in DNS" }).click();
  await settled(page, "bio");
  assertEquals(page.url().split("?")[1], "q=bio.tech");
});

onPage("lists have no variants, and names that cannot have any neither", async ({ page }) => {
  await page.goto("/?q=taken");
  const section = page.locator("#variants");
  await appears(section);
  await submit(page, "xn--caf-dma");
  await settled(page, "xn--caf-dma");
  assertEquals(await section.isVisible(), false);
  await submit(page, "taken undelegated");
  assertEquals(await section.isVisible(), false);
});

onPage("a look-up of variants that is refused can be repeated", async ({ page }) => {
  await page.goto("/?q=taken");
  await settled(page, "taken");
  await page.route(/depth=dns/, (route) => route.abort("connectionrefused"));
  const button = page.getByRole("button", { name: "Look them up in DNS" });
  await button.click();
  await attached(page.getByText("Cannot reach the service."));
  await page.unroute(/depth=dns/);
  await button.click();
  await attached(page.getByText("The variants were looked up in DNS."));
}, { allowed: /ERR_CONNECTION_REFUSED/ });
