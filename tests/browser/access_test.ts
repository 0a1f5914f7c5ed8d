/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { answerEth, type Scene, testsOnPage } from "./on_page.ts";
import { appears, attached, busyRow } from "./rows.ts";

/** The schemes and windows in which a page is examined: a desktop's at a zoom of up to 400 %, and so a phone's. */
const VARIANTS = [
  { colorScheme: "light", width: 1280, height: 800 },
  { colorScheme: "dark", width: 768, height: 800 },
  { colorScheme: "light", width: 320, height: 844 },
  { colorScheme: "dark", width: 640, height: 844 },
] as const;

const LONG = "a-name-of-more-than-thirty-letters-or-so";

/** The same page in the other scheme differs in its colours alone: the rules of WCAG AA that read them. */
const COLOURS = { runOnly: ["color-contrast", "link-in-text-block"] };

/** The violations that axe finds on the page, one line each. Passes are not collected: that doubles the time. */
async function violationsOn(page: Page, rules: { runOnly?: string[] }): Promise<string[]> {
  const source = await page.evaluate<boolean>("'axe' in globalThis") ? "" : axe.source;
  const options = JSON.stringify({ resultTypes: ["violations"], ...rules });
  const found = await page.evaluate<axe.AxeResults>(`${source}; axe.run(${options})`);
  return found.violations.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`
  );
}

/** Every state of the page, and how to reach it. */
const PAGE_STATES: Record<string, (scene: Scene) => Promise<unknown>> = {
  "empty": ({ page }) => page.goto("/"),
  "checking": async ({ page, lab }) => {
    lab.script("slow", { dns: "nxdomain", rdap: "free", delayMs: 5_000 });
    await page.goto("/?q=slow");
    await appears(page.getByText("asking the registry").first());
  },
  "answered": ({ search }) => search.open("mixed.com"),
  "named TLDs": ({ search }) => search.open(`${LONG}&tlds=tv`),
  "busy": async ({ page, search }) => {
    const likely = { ...busyRow("busy.net"), likely: "available" };
    const rows = [busyRow("busy.com"), likely, { ...busyRow("busy.tv"), likely: "taken" }];
    const headers = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "3" };
    await search.answerChecks(rows, { headers });
    await page.goto("/?q=busy.net");
    await appears(page.getByRole("button", { name: "Retry all" }));
    await appears(page.getByText("3 requests left this minute"));
  },
  "grid": async ({ search, lab }) => {
    lab.script("mine.net", { dns: "nxdomain", rdap: "premium" });
    lab.script("mine.org", { dns: "nxdomain", rdap: "unavailable503" });
    await search.open(`mine+taken+café+${LONG}&tlds=all`);
  },
  "cell menu": async ({ search }) => {
    await search.open("taken+free-for-you");
    await search.openMenu("free-for-you.com: Available", "a");
  },
  "row menu": async ({ search }) => {
    await search.open("taken");
    await search.openMenu("Details of taken.net", "dt:text('Expires')");
  },
  "evidence": async ({ search, lab }) => {
    lab.script("witnessed.net", { dns: "nxdomain", rdap: "unavailable503" });
    await search.open("witnessed");
    await search.openMenu("Details of witnessed.net", "q");
  },
  "shortlist": async ({ page, search, lab }) => {
    lab.script("mine.com", { dns: "nxdomain", rdap: "free" });
    const seen = { state: "taken", at: Date.now() - 86_400_000 };
    await page.evaluate((seen) => {
      const mine = { domain: "mine.com", note: "a note", before: seen, last: seen };
      localStorage.setItem("shortlist", JSON.stringify([mine, "taken.com", "mine.eth"]));
    }, seen);
    await page.goto("/?q=mine.com+taken.com+mine.eth");
    await search.settled("mine");
    await appears(page.getByText("was Taken on"));
  },
  "choices": async ({ page }) => {
    await page.goto("/?q=café");
    await appears(page.getByRole("link", { name: "cafe" }));
  },
  "variants": async ({ page, search }) => {
    await page.goto("/");
    await search.enter("taken");
    await search.settled("taken");
    await page.getByRole("button", { name: "Check them" }).click();
    await attached(page.getByText("The variants were checked."));
  },
  "no match, copied": async ({ page, search }) => {
    await search.open("taken&available=1&tlds=popular");
    await appears(page.getByText("Nothing matches the filter."));
    await page.getByRole("button", { name: "Copy link" }).click();
    await appears(page.locator(".copied"));
  },
  "invalid name": async ({ page }) => {
    await page.goto("/?q=.com");
    await appears(page.locator("#hint").getByText("Type the name"));
  },
  "offline": async ({ page, search }) => {
    await page.goto("/");
    await page.context().setOffline(true);
    await search.submit("taken");
    await appears(page.locator("#error", { hasText: "You are offline." }));
  },
  "down": async ({ page }) => {
    await page.route("**/check?**", (route) => route.abort("connectionrefused"));
    await page.goto("/?q=taken");
    await appears(page.getByRole("button", { name: "Try again", exact: true }));
  },
  "table": ({ page }) => page.goto("/search?q=mixed"),
  "table of a long name": ({ page }) => page.goto(`/search?q=${"long-".repeat(12)}end`),
  "table with details": ({ page }) => page.goto("/search?q=taken"),
  "table choices": ({ page }) => page.goto("/search?q=a_b"),
  "table error": ({ page }) => page.goto("/search?q=.com"),
  "details without scripts": ({ page }) => page.goto("/search?q=taken.tv&details=1"),
  // The last state: the page keeps its answer for .eth names.
  "profile": async ({ page, search }) => {
    await answerEth(page, { name: "a.eth", available: false, owner: "0x0", source: "rpc" });
    const json = { owner: "0x0", records: { url: "https://a.example", github: "a" } };
    await page.route("**/v1/ens/metadata*", (route) => route.fulfill({ json }));
    await page.route("**/details?*", (route) => route.fulfill({ json: {} }));
    await search.open("taken");
    await search.openMenu("Details of taken.eth", "dt:text('Website')");
  },
};

/** The states that end by themselves: a further variant enters them anew. */
const PASSING = ["checking", "no match, copied"];

const { test } = testsOnPage({ allowed: /Failed to load resource/, timeoutMs: 240_000 });

test("axe finds no violation in any state, in either colour scheme, and nothing is wider than the window at up to 400 % zoom", async (scene) => {
  const { page, search } = scene;
  for (const [state, enter] of Object.entries(PAGE_STATES)) {
    await page.context().setOffline(false);
    await page.unrouteAll();
    for (const [place, { colorScheme, width, height }] of VARIANTS.entries()) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      if (place === 0 || PASSING.includes(state)) await enter(scene);
      const variant = `${state}, ${colorScheme}, ${width} wide`;
      assertEquals(await violationsOn(page, colorScheme === "dark" ? COLOURS : {}), [], variant);
      assertEquals(await search.beyond(), 0, `${variant}, is wider than the screen`);
      // The context prefers reduced motion.
      assertEquals(await page.evaluate(() => document.getAnimations().length), 0, variant);
    }
  }
});
