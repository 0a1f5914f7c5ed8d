/// <reference lib="dom" />
import { assertEquals, assertNotEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import type { Json, RunningService } from "../support/service.ts";
import { appears } from "./appears.ts";
import { COLOURS, violationsOn } from "./axe.ts";
import { onPage } from "./on_page.ts";
import { busyRow, rowOn, rowsOn, settled, streamed, summaryOn } from "./rows.ts";

/** Makes the rows of a name under net and tv unknown, and likely available or taken. */
async function makeLikely(page: Page, service: RunningService, name: string): Promise<void> {
  const { body } = await service.get(`/check?name=${name}`);
  const likely: Record<string, string> = { net: "available", tv: "taken" };
  const rows = body.results.map((row: Json) =>
    row.tld in likely ? { ...busyRow(row.domain), likely: likely[row.tld] } : row
  );
  await page.route(
    /\d\/check\?(name=.*&)?evidence=1$/,
    (route) => route.fulfill(streamed(name, rows)),
  );
}

const iconLook = (row: Locator) =>
  row.locator(".icon").first().evaluate((icon) => {
    const { color, backgroundColor, outlineStyle } = getComputedStyle(icon);
    const href = icon.querySelector("use")?.getAttribute("href");
    return { color, ground: backgroundColor, ring: outlineStyle, href };
  });

onPage("a name that is likely available is no available one", async ({ page, service }) => {
  await makeLikely(page, service, "maybe");
  await page.goto("/?q=maybe.net");
  await settled(page, "maybe");
  assertEquals(await rowsOn(page), [
    "maybe.com: Available",
    "maybe.net: Probably available",
    "maybe.org: Available",
    "maybe.cc: Available",
    "maybe.site: Available",
    "maybe.tech: Available",
    "maybe.tv: Probably taken",
    "maybe.eth: Available",
  ]);
  const [net, com] = [rowOn(page, "net"), rowOn(page, "com")];
  assertEquals(await net.getAttribute("aria-label"), "maybe.net: Probably available");
  assertEquals(
    (await page.locator("#answer h2").textContent())?.replaceAll(/\s+/g, " ").trim(),
    "maybe.net · Probably available",
  );
  const retry = net.getByRole("button", { name: "Try again for maybe.net" });
  assertEquals(await retry.isVisible(), true);
  assertEquals(await net.getByRole("button", { name: /Register/ }).count(), 0);

  const [likely, available] = [await iconLook(net), await iconLook(com)];
  for (const part of ["color", "ground", "ring", "href"] as const) {
    assertNotEquals(likely[part], available[part], part);
  }
  assertEquals(likely.href, "#icon-likely-available");
  assertEquals((await iconLook(rowOn(page, "tv"))).href, "#icon-likely-taken");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    assertEquals(await violationsOn(page, COLOURS), [], colorScheme);
  }
  await page.emulateMedia({ forcedColors: "active" });
  assertEquals((await iconLook(net)).ring, "dashed");
  assertEquals((await iconLook(com)).ring, "none");

  assertEquals(await summaryOn(page), "6 available, 2 unknown");
  assertEquals(await page.locator("#copy-names").textContent(), "Copy 6 available");
  await page.getByLabel("Available only").check();
  assertEquals(
    (await rowsOn(page)).filter((row) => /maybe\.(net|tv)/.test(row)),
    [],
  );
});

onPage("a cell of a name that is likely available says so", async ({ page, service }) => {
  await makeLikely(page, service, "maybe");
  await page.goto("/?q=maybe+taken");
  const cell = page.getByRole("button", { name: "maybe.net: Probably available", exact: true });
  await appears(cell);
  const available = page.getByRole("button", { name: /^maybe\.org: Available/ });
  const [likely, free] = [await iconLook(cell), await iconLook(available)];
  for (const part of ["color", "ground", "ring", "href"] as const) {
    assertNotEquals(likely[part], free[part], part);
  }
}, { env: { TLDS: "com,net,org" } });

onPage(
  "a name is shown as likely available while only a further witness is awaited",
  async ({ page, service }) => {
    const { body } = await service.get("/check?name=maybe");
    const rows = body.results.filter(({ tld }: Json) => tld !== "net");
    const pending = { domain: "maybe.net", tld: "net", host: "a.lab", expectedMs: 40_000 };
    const { contentType, body: text } = streamed("maybe", rows, "");
    const event = `event: pending\ndata: ${
      JSON.stringify({ ...pending, likely: "available" })
    }\n\n`;
    await page.route(
      /\d\/check\?name=maybe&evidence=1$/,
      (route) => route.fulfill({ contentType, body: `${event}${text}` }),
    );
    // The stream ends too early, and is asked again for the row: this waits for ever.
    await page.route(/\d\/check\?evidence=1$/, () => {});
    await page.goto("/?q=maybe.net");
    const net = rowOn(page, "net");
    await appears(net.getByText("Probably available"));
    assertEquals((await iconLook(net)).href, "#icon-likely-available");
    await appears(net.getByText(/its turn is in \d+ s/));
  },
);
