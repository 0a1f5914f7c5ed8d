/// <reference lib="dom" />
import { assert, assertEquals } from "@std/assert";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import type { Page } from "playwright-core";
import { appears, attached } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { rowOn, rowsOn, settled, submit } from "./rows.ts";

const ALL_TLDS = { TLDS: BUILT_IN_TLDS.map(({ tld }) => tld).join(",") };

async function headingOn(page: Page): Promise<string> {
  const text = await page.locator("#answer h2").textContent();
  return text?.replaceAll(/\s+/g, " ").trim() ?? "";
}

onPage(
  "the domain that was asked for stands first, in a sentence of its own",
  async ({ page, lab }) => {
    lab.script("mine.org", { dns: "nxdomain", rdap: "premium" });
    lab.script("mine.tech", { dns: "nxdomain", rdap: "reserved" });
    // deno-fmt-ignore -- a table
    const cases = [
      ["taken.tv", "taken.tv is taken"],
      ["mine.cc", "mine.cc is available"],
      ["mine.org", "mine.org is available at a premium"],
      ["mine.tech", "mine.tech is reserved"],
      ["mine.museum", "mine.museum could not be checked"],
      ["mine", "mine.com is available"],
    ] as const;
    await page.goto("/");
    for (const [typed, sentence] of cases) {
      await submit(page, typed);
      await settled(page, typed.split(".")[0] ?? "");
      assertEquals(await headingOn(page), sentence);
    }
    await page.locator("#answer").getByRole("button", { name: "Register mine.com" }).click();
    assertEquals(await page.locator("#menu").getByRole("link").count(), 3);
  },
  { allowed: /400/ },
);

onPage("its answer moves no row", async ({ page, lab }) => {
  lab.script("first.org", { dns: "nxdomain", rdap: "premium", delayMs: 1_500 });
  await page.goto("/?q=first.org");
  await appears(page.getByText("is not in DNS"));
  const top = () => page.locator("#rows").evaluate((rows) => rows.getBoundingClientRect().y);
  const before = await top();
  await settled(page, "first");
  assertEquals([await headingOn(page), await top()], [
    "first.org is available at a premium",
    before,
  ]);
}, { browser: { reducedMotion: "no-preference" } });

for (
  const [place, viewport, least] of [
    ["a desktop", { width: 1280, height: 900 }, 14],
    ["a phone", { width: 390, height: 844 }, 8],
  ] as const
) {
  onPage(
    `on ${place} ${least} rows are visible at least, and no TLD breaks over lines`,
    async ({ page }) => {
      const visible = () =>
        page.locator("#rows > li").evaluateAll((rows) =>
          rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length
        );
      await page.goto("/?q=free-for-you");
      await settled(page, "free-for-you");
      assert(await visible() >= least, `${await visible()} rows`);
      const name = "a-name-of-more-than-thirty-letters-or-so";
      await submit(page, `${name}.online`);
      await settled(page, name);
      const lines = await page.locator(".tld:visible").evaluateAll((tlds) =>
        tlds.map((tld) => tld.getClientRects().length)
      );
      assertEquals([...new Set(lines)], [1]);
    },
    { browser: { viewport }, env: ALL_TLDS },
  );
}

for (const width of [390, 860]) {
  onPage(
    `${width} pixels wide, a row keeps its height in every state, a label breaks only where it must, and no button is cut`,
    async ({ page, lab }) => {
      const name = "premium-day-10";
      lab.script(`${name}.net`, { dns: "delegated", rdap: "registered" });
      lab.script(`${name}.io`, { dns: "nxdomain", rdap: "garbage" });
      lab.script(`${name}.org`, { dns: "nxdomain", rdap: "premium" });
      const rows = page.locator("#rows > li");
      const heights = () => rows.evaluateAll((all) => all.map((row) => row.clientHeight));
      const measured = Promise.withResolvers<void>();
      await page.route("**/check?*", async (route) => {
        await measured.promise;
        await route.continue();
      });
      await page.goto(`/?q=${name}`);
      await appears(rows.getByText("Checking").last());
      const before = await heights();
      measured.resolve();
      await settled(page, name);
      assertEquals(await heights(), before);
      const lines = await rows.locator(".label").evaluateAll((labels) =>
        labels.map((label) => label.getClientRects().length)
      );
      assertEquals([...new Set(lines)], [1]);
      const cut = await rows.evaluateAll((all) =>
        all.filter((row) => row.scrollWidth > row.clientWidth).map((row) => row.ariaLabel)
      );
      assertEquals(cut, []);
    },
    { browser: { viewport: { width, height: 844 } }, env: ALL_TLDS },
  );
}

onPage("each TLD has the prices that are known, and rows are sorted by them", async ({ page }) => {
  await page.route("**/tld-offers.json", async (route) => {
    const response = await route.fetch();
    const offers = await response.json();
    const prices: Record<string, unknown> = {
      cc: { register: 165.4, renew: 82.7, years: 2 },
      com: { register: 11.08, renew: 11.08, years: 1 },
      tv: { register: 2.04, renew: 32.98, years: 1 },
    };
    const tlds = offers.tlds.map(({ tld, type }: { tld: string; type: string }) => ({
      tld,
      type,
      ...(tld in prices && { prices: prices[tld] }),
    }));
    await route.fulfill({ response, json: { ...offers, tlds } });
  });
  await page.goto("/?q=free-for-you");
  await settled(page, "free-for-you");
  const price = async (tld: string) =>
    (await rowOn(page, tld).locator(".price").textContent())?.replaceAll(/\s+/g, " ").trim();
  assertEquals(
    [await price("cc"), await price("com"), await price("tv"), await price("net")],
    [
      "≈ $165.40 for 2 years $248 / 3 yr",
      "≈ $11.08 $33 / 3 yr",
      "≈ $2.04 then $32.98/yr 16× after year 1 $68 / 3 yr",
      "",
    ],
  );
  await page.getByLabel("Order").selectOption("3-year cost");
  assertEquals((await rowsOn(page)).map((row) => row.split(/[.:]/)[1]), [
    "com",
    "tv",
    "cc",
    "net",
    "org",
    "site",
    "tech",
    "eth",
  ]);
  assertEquals(await headingOn(page), "free-for-you.com is available");
});

onPage("one menu serves all rows, by keys as well", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/?q=taken.com");
  await settled(page, "taken");
  const menu = page.locator("#menu");
  const rowFocus = () => page.evaluate(() => document.activeElement?.ariaLabel);
  await page.keyboard.press("ArrowDown");
  assertEquals(await rowFocus(), "taken.com: Taken");
  await page.keyboard.press("Enter");
  await appears(menu.getByRole("link", { name: "Visit taken.com, opens a new tab" }));
  await page.keyboard.press("ArrowDown");
  assertEquals(
    await page.evaluate(() => document.activeElement?.textContent),
    "Registration data at ICANN",
  );
  await page.keyboard.press("Escape");
  assertEquals(await menu.isVisible(), false);
  await rowOn(page, "com").getByRole("button", { name: "Details of taken.com" }).press("ArrowDown");
  assertEquals(await rowFocus(), "taken.net: Taken");
  await page.keyboard.press("c");
  await attached(page.getByText("Copied taken.net"));
  assertEquals(await page.evaluate(() => navigator.clipboard.readText()), "taken.net");
  await page.keyboard.press("s");
  await attached(page.getByText("taken.net is in the shortlist."));
  await page.keyboard.press("/");
  assertEquals(await page.evaluate(() => document.activeElement?.id), "name");
});

onPage(
  "on a phone a tap on a row opens its menu, where the whole reason is",
  async ({ page, lab }) => {
    lab.script("mine.net", { dns: "nxdomain", rdap: "unavailable503" });
    await page.goto("/?q=mine");
    await settled(page, "mine");
    await rowOn(page, "net").locator(".domain").tap();
    const menu = page.locator("#menu");
    await appears(menu.getByText("mine.net Unknown"));
    await appears(menu.getByText("The registry answered 503"));
    await page.keyboard.press("Escape");
    await rowOn(page, "com").locator(".known").tap();
    assertEquals(await menu.getByRole("link").count(), 3);
  },
  { browser: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
);
