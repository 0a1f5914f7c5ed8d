/// <reference lib="dom" />
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { appears, attached } from "./appears.ts";
import { COLOURS, VARIANTS, violationsOn } from "./axe.ts";
import { answerEth, onPage, type Scene } from "./on_page.ts";
import { busyRow, domainsDone, enter, rowOn, settled, streamed, type } from "./rows.ts";

/** Every state of the page, and how to reach it. */
const PAGE_STATES = {
  "empty": ({ page }) => page.goto("/"),
  "checking": async ({ page, lab }) => {
    lab.script("slow", { dns: "nxdomain", rdap: "free", delayMs: 5_000 });
    await page.goto("/?q=slow");
    await appears(page.getByText("asking the registry").first());
  },
  "answered": async ({ page }) => {
    await page.goto("/?q=mixed.com");
    await settled(page, "mixed");
  },
  "busy": async ({ page }) => {
    const rows = [busyRow("busy.com", 3_600), busyRow("busy.net"), busyRow("busy.org")];
    await page.route(
      /\d\/check\?name=busy&evidence=1$/,
      (route) => route.fulfill(streamed("busy", rows)),
    );
    await page.goto("/?q=busy");
    await appears(page.getByRole("button", { name: "Retry all" }));
  },
  "grid": async ({ page, lab }) => {
    lab.script("mine.net", { dns: "nxdomain", rdap: "premium" });
    lab.script("mine.org", { dns: "nxdomain", rdap: "unavailable503" });
    await page.goto("/?q=mine+taken+café&tlds=all");
    await domainsDone(page);
  },
  "cell menu": async ({ page }) => {
    await page.goto("/?q=taken+free-for-you");
    await domainsDone(page);
    await openMenu(page, "free-for-you.com: Available", "a");
  },
  "row menu": async ({ page }) => {
    await page.goto("/?q=taken");
    await settled(page, "taken");
    await openMenu(page, "Details of taken.net", "a");
  },
  "evidence": async ({ page, lab }) => {
    lab.script("witnessed.net", { dns: "nxdomain", rdap: "unavailable503" });
    await page.goto("/?q=witnessed");
    await settled(page, "witnessed");
    await openMenu(page, "Details of witnessed.net", "q");
  },
  "shortlist": async ({ page, lab }) => {
    lab.script("mine.com", { dns: "nxdomain", rdap: "free" });
    const seen = { state: "taken", at: Date.now() - 86_400_000 };
    await page.evaluate((seen) => {
      localStorage.setItem("shortlist", JSON.stringify(["mine.com", "taken.com", "mine.eth"]));
      const entries = [{ domain: "mine.com", note: "a note", before: seen, last: seen }];
      localStorage.setItem("shortlist-entries", JSON.stringify(entries));
    }, seen);
    await page.goto("/?q=mine.com+taken.com+mine.eth");
    await settled(page, "mine");
    await appears(page.getByText("was Taken on"));
  },
  "choices": async ({ page }) => {
    await page.goto("/?q=café");
    await appears(page.getByRole("link", { name: "cafe" }));
  },
  "variants": async ({ page }) => {
    await page.goto("/");
    await enter(page, "taken");
    await settled(page, "taken");
    await page.getByRole("button", { name: "Check them" }).click();
    await attached(page.getByText("The variants were checked."));
  },
  "few requests": async ({ page }) => {
    const headers = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "3" };
    await page.route(
      /\d\/check\?name=few&evidence=1$/,
      (route) => route.fulfill({ ...streamed("few", [busyRow("few.com")]), headers }),
    );
    await page.goto("/?q=few");
    await appears(page.getByText("3 requests left this minute"));
  },
  "copied": async ({ page }) => {
    await page.goto("/?q=mixed");
    await settled(page, "mixed");
    await page.getByRole("button", { name: "Copy link" }).click();
    await appears(page.locator(".copied"));
  },
  "no match": async ({ page }) => {
    await page.goto("/?q=taken");
    await settled(page, "taken");
    await page.getByLabel("Available only").check();
    await page.getByLabel("Which TLDs").selectOption("Popular");
    await appears(page.getByText("Nothing matches the filter."));
  },
  "invalid name": async ({ page }) => {
    await page.goto("/?q=.com");
    await appears(page.getByText("Type the name"));
  },
  "offline": async ({ page }) => {
    await page.goto("/");
    await page.context().setOffline(true);
    await type(page, "taken");
    await appears(page.locator("#error", { hasText: "You are offline." }));
  },
  "down": async ({ page }) => {
    await page.route("**/check?**", (route) => route.abort("connectionrefused"));
    await page.goto("/?q=taken");
    await appears(page.getByRole("button", { name: "Try again", exact: true }));
  },
  "table": ({ page }) => page.goto("/search?q=mixed"),
  "table choices": ({ page }) => page.goto("/search?q=a_b"),
  "table error": ({ page }) => page.goto("/search?q=.com"),
  // The last state: the page keeps its answer for .eth names.
  "profile": async ({ page }) => {
    await answerEth(page, { name: "a.eth", available: false, owner: "0x0", source: "rpc" });
    await page.route(
      "**/v1/ens/metadata*",
      (route) =>
        route.fulfill({
          json: { owner: "0x0", records: { url: "https://a.example", github: "a" } },
        }),
    );
    await page.goto("/?q=taken");
    await settled(page, "taken");
    await rowOn(page, "eth").getByRole("button", { name: /Profile/ }).click();
    await appears(page.getByText("Website"));
  },
} satisfies Record<string, (scene: Scene) => Promise<unknown>>;

/** How a further variant shows a state anew: it ends by itself, or is placed as it opens. */
const AGAIN: Record<string, (scene: Scene) => Promise<unknown>> = {
  "checking": PAGE_STATES.checking,
  "cell menu": ({ page }) => openMenu(page, "free-for-you.com: Available", "a"),
  "row menu": ({ page }) => openMenu(page, "Details of taken.net", "a"),
  "evidence": ({ page }) => openMenu(page, "Details of witnessed.net", "q"),
  "copied": PAGE_STATES.copied,
};

/** Opens the menu of a button, and closes an open one first. Resolves once it shows an element. */
async function openMenu(page: Page, button: string, shown: string): Promise<void> {
  const menu = page.locator("#menu");
  if (await menu.isVisible()) await page.keyboard.press("Escape");
  await page.getByRole("button", { name: button }).click();
  await appears(menu.locator(shown).first());
}

onPage(
  "axe finds no violation in any state, in either colour scheme, on a desktop and on a phone",
  async (scene) => {
    const { page } = scene;
    for (const [state, enter] of Object.entries(PAGE_STATES)) {
      await page.context().setOffline(false);
      await page.unrouteAll();
      for (const [place, { colorScheme, width, height }] of VARIANTS.entries()) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        await (place === 0 ? enter : AGAIN[state])?.(scene);
        const variant = `${state}, ${colorScheme}, ${width} wide`;
        const rules = colorScheme === "dark" ? COLOURS : {};
        assertEquals(await violationsOn(page, rules), [], variant);
        const beyond = await page.evaluate(() =>
          document.documentElement.scrollWidth - document.documentElement.clientWidth
        );
        assertEquals(beyond, 0, `${variant}, is wider than the screen`);
      }
    }
  },
  {
    allowed: /Failed to load resource/,
    timeoutMs: 240_000,
  },
);

onPage("nothing is animated when the user prefers reduced motion", async ({ page, lab }) => {
  lab.script("slow", { dns: "nxdomain", rdap: "free", delayMs: 5_000 });
  await page.goto("/?q=slow");
  await appears(page.getByText("asking the registry").first());
  assertEquals(await page.evaluate(() => document.getAnimations().length), 0);
}, { browser: { reducedMotion: "reduce" } });

onPage(
  "on a phone a row keeps its height when its answer arrives, and its menu has the links",
  async ({ page }) => {
    const measured = Promise.withResolvers<void>();
    await page.route("**/check?*", async (route) => {
      await measured.promise;
      await route.continue();
    });
    await page.goto("/?q=first");
    const tops = () =>
      page.locator("#rows > li").evaluateAll((rows) =>
        rows.map((row) => (row as HTMLElement).offsetTop)
      );
    await appears(page.getByText("Checking").last());
    const before = await tops();
    measured.resolve();
    await settled(page, "first");
    assertEquals(await tops(), before);
    await rowOn(page, "com").getByRole("button", { name: "Register first.com" }).click();
    const menu = page.locator("#menu");
    assertEquals(await menu.getByRole("link").count(), 3);
    assert(await menu.getByRole("link", { name: /Porkbun/ }).isVisible());
  },
  { browser: { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true } },
);

for (const width of [768, 640, 320]) {
  onPage(
    `nothing is wider than a window of 1280 pixels at ${Math.round(1280 / width * 100)} % zoom`,
    async ({ page }) => {
      const name = "a-name-of-more-than-thirty-letters-or-so";
      const paths = [
        ...["/", `/?q=${name}.site`, `/?q=${name}+taken`, "/?q=café", "/?q=taken.com+taken.net"],
        ...["/search?q=taken", "/search?q=mixed", `/search?q=${"long-".repeat(12)}end`],
      ];
      for (const path of paths) {
        await page.goto(path);
        if (path.includes(name) || path.includes("taken.net")) await domainsDone(page);
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assertEquals(beyond, 0, path);
      }
    },
    { browser: { viewport: { width, height: 600 } } },
  );
}

onPage("in forced colours every state and control is still told apart", async ({ page, lab }) => {
  lab.script("mine.net", { dns: "delegated", rdap: "registered" });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/?q=mine.com");
  await settled(page, "mine");
  const border = (selector: string) =>
    page.locator(selector).first().evaluate((element) => getComputedStyle(element).borderTopStyle);
  for (const selector of ["form button", "#answer", ".row .more", "#copy-link"]) {
    assertEquals(await border(selector), "solid", selector);
  }
  const icons = await page.locator(".row > .icon use").evaluateAll((uses) =>
    uses.slice(0, 2).map((use) => use.getAttribute("href"))
  );
  assertEquals(icons, ["#icon-available", "#icon-taken"]);
});
