/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./on_page.ts";
import { appears, sentEvent, textOf } from "./rows.ts";

/** Opens a page whose clock stands still. */
async function openStill(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto("/");
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Presses the keys of a name at a pace, by the page's own clock. */
async function typeAt(page: Page, name: string, gapMs: number): Promise<void> {
  for (const [place, letter] of [...name].entries()) {
    if (place > 0) await page.clock.runFor(gapMs);
    await page.keyboard.press(letter);
  }
}

test("during typing only DNS is asked, at a pause longer than one between two keys, and registries at a rest", async ({ page, search, lab }) => {
  lab.script("slowly", { dns: "nxdomain", rdap: "free" });
  lab.script("slowly.net", { dns: "delegated", rdap: "registered" });
  const asked = search.watchChecks();
  const com = search.row("com");
  await openStill(page);
  await typeAt(page, "slowly", 250);
  assertEquals(asked, []);
  await page.clock.runFor(450);
  await appears(search.row("net").getByText("Taken", { exact: true }));
  await appears(com.getByText("Not in DNS"));
  const explained = await textOf(com.locator(".explanation"));
  assertEquals(explained, "the registry is asked once you stop typing");
  assertEquals(asked, ["slowly dns"]);
  // Rows that DNS has answered keep their answers while registries are asked.
  const states = await search.row("net").evaluateHandle((row) => {
    const seen: string[] = [];
    const record = () => seen.push(row.querySelector(".state")?.textContent ?? "");
    new MutationObserver(record).observe(row, { childList: true, subtree: true });
    return seen;
  });
  await page.clock.runFor(400);
  await appears(com.getByText("Available", { exact: true }));
  await page.clock.resume();
  await search.settled("slowly");
  assertEquals(asked, ["slowly dns", "slowly"]);
  assertEquals(await states.evaluate((seen) => [...new Set(seen)]), ["Taken"]);
});

test("Enter asks registries at once, a search that runs is not repeated under another order or TLD, and a hyphen is no end", async ({ page, search, lab }) => {
  lab.script("my-slowly.com", { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
  const asked = search.watchChecks();
  await openStill(page);
  // A letter alone is checked on Enter only.
  for (const part of ["m", "y-"]) {
    await typeAt(page, part, 100);
    await page.clock.runFor(5_000);
  }
  assertEquals([asked, await page.locator("#choices").isVisible()], [[], false]);
  await typeAt(page, "slowly", 100);
  await page.keyboard.press("Enter");
  await appears(search.row("com").getByText("asking the registry…"));
  await page.keyboard.press("Enter");
  await appears(search.row("net").getByText("Available", { exact: true }));
  await page.getByLabel("Order").selectOption("3-year cost");
  await search.submit("my-slowly.net");
  assertEquals(await search.heading(), "my-slowly.net is available");
  assertEquals(await page.locator("li.typed .domain").allTextContents(), ["my-slowly.net"]);
  await appears(search.row("com").getByText("asking the registry…"));
  await page.clock.runFor(2_000);
  await appears(search.row("com").getByText("Available", { exact: true }));
  await page.clock.resume();
  await search.submit("m");
  await search.settled("m");
  assertEquals(asked, ["my-slowly", "m"]);
});

test("a row that waits in a registry's queue shows for how long", async ({ page, search }) => {
  // A stream that stays open: the answer of a route has an end.
  await page.addInitScript((event) => {
    const sent = new TextEncoder().encode(event);
    const headers = { "content-type": "text/event-stream" };
    const open = () =>
      new Response(new ReadableStream({ start: (stream) => stream.enqueue(sent) }), { headers });
    const { fetch } = globalThis;
    globalThis.fetch = (url, init) =>
      `${url}` === "/check?evidence=1" ? Promise.resolve(open()) : fetch(url, init);
  }, sentEvent("pending", { domain: "wait.com", tld: "com", host: "a", expectedMs: 4_200 }));
  await openStill(page);
  await page.goto("/?q=wait.com");
  const shown = search.row("com").locator(".explanation");
  await appears(shown.getByText("asking the registry, its turn is in 5 s"));
  await page.clock.runFor(2_000);
  assertEquals(await shown.textContent(), "asking the registry, its turn is in 3 s");
  await page.clock.runFor(3_000);
  assertEquals(await shown.textContent(), "asking the registry…");
});

test("what is entered before the prices have arrived is searched then", async ({ page, search }) => {
  const arrival = Promise.withResolvers<void>();
  await page.route("**/tld-offers.json", async (route) => {
    await arrival.promise;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "domcontentloaded" });
  await search.paste("taken\nundelegated");
  await page.keyboard.press("Enter");
  arrival.resolve();
  await search.done();
  const typed = await search.field.inputValue();
  assertEquals([typed, search.query()], ["taken\nundelegated", "q=taken+undelegated"]);
});
