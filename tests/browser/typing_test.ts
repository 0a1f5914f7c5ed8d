/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { appears } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { domainsDone, paste, rowOn, settled } from "./rows.ts";

/** The queries of the requests for domains; the full ones ask for evidence. */
function watchChecks(page: Page): string[] {
  const queries: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/check") queries.push([...searchParams.values()].join(" "));
  });
  return queries;
}

/** Presses the keys of a name at a pace, by the page's own clock. */
async function typeAt(page: Page, name: string, gapMs: number): Promise<void> {
  for (const [place, letter] of [...name].entries()) {
    if (place > 0) await page.clock.runFor(gapMs);
    await page.keyboard.press(letter);
  }
}

onPage(
  "during typing only DNS is asked, at a pause longer than the usual one, and registries at a rest",
  async ({ page, lab }) => {
    lab.script("slowly", { dns: "nxdomain", rdap: "free" });
    lab.script("slowly.net", { dns: "delegated", rdap: "registered" });
    const queries = watchChecks(page);
    await page.clock.install();
    await page.goto("/");
    await page.clock.pauseAt(Date.now() + 60_000);
    await typeAt(page, "slowly", 250);
    assertEquals(queries, []);
    await page.clock.runFor(350);
    await appears(rowOn(page, "net").getByText("Taken", { exact: true }));
    await appears(rowOn(page, "com").getByText("Not in DNS"));
    assertEquals(
      await rowOn(page, "com").locator(".explanation").textContent(),
      "the registry is asked once you stop typing",
    );
    assertEquals(queries, ["slowly dns"]);
    await page.clock.runFor(400);
    await appears(rowOn(page, "com").getByText("Available", { exact: true }));
    assertEquals(queries, ["slowly dns", "slowly 1"]);
  },
);

onPage("a word typed at 250 ms a key costs three requests, none for a prefix", async ({ page }) => {
  await page.addInitScript(() => {
    const { fetch } = globalThis;
    globalThis.fetch = (url, init) => {
      document.documentElement.dataset.asked = `${
        document.documentElement.dataset.asked ?? ""
      } ${url}`;
      return fetch(url, init);
    };
  });
  await page.clock.install();
  await page.goto("/");
  await page.clock.pauseAt(Date.now() + 60_000);
  await typeAt(page, "slowly", 250);
  await page.clock.runFor(350);
  await appears(rowOn(page, "com").getByText("Not in DNS"));
  await page.clock.resume();
  await settled(page, "slowly");
  const asked = await page.locator("html").getAttribute("data-asked") ?? "";
  assertEquals(asked.trim().split(" ").filter((path) => path.includes("name=")), [
    "/check?name=slowly&depth=dns",
    "/check?name=slowly&evidence=1",
    "/v1/ens/check?name=slowly",
  ]);
});

onPage(
  "Enter asks registries at once, and a search that runs is not repeated",
  async ({ page, lab }) => {
    lab.script("slowly.com", { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
    const queries = watchChecks(page);
    await page.clock.install();
    await page.goto("/");
    await page.clock.pauseAt(Date.now() + 60_000);
    await typeAt(page, "slowly", 100);
    await page.keyboard.press("Enter");
    await appears(rowOn(page, "com").getByText("asking the registry…"));
    await page.keyboard.press("Enter");
    await page.clock.runFor(2_000);
    await appears(rowOn(page, "com").getByText("Available", { exact: true }));
    assertEquals(queries, ["slowly 1"]);
  },
);

onPage("a name that goes on after a hyphen is not searched before", async ({ page }) => {
  const queries = watchChecks(page);
  await page.clock.install();
  await page.goto("/");
  await page.clock.pauseAt(Date.now() + 60_000);
  await typeAt(page, "my-", 100);
  await page.clock.runFor(5_000);
  assertEquals([queries, await page.locator("#choices").isVisible()], [[], false]);
});

onPage("a row that waits in a registry's queue shows for how long", async ({ page }) => {
  // A stream that stays open: the answer of a route has an end.
  await page.addInitScript(() => {
    const pending = { domain: "wait.com", tld: "com", host: "a", expectedMs: 4_200 };
    const sent = new TextEncoder().encode(`event: pending\ndata: ${JSON.stringify(pending)}\n\n`);
    const headers = { "content-type": "text/event-stream" };
    const open = () =>
      new Response(new ReadableStream({ start: (stream) => stream.enqueue(sent) }), { headers });
    const { fetch } = globalThis;
    globalThis.fetch = (url, init) =>
      `${url}`.endsWith("/check?name=wait&evidence=1") ? Promise.resolve(open()) : fetch(url, init);
  });
  await page.clock.install();
  await page.goto("/?q=wait.com");
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto("/?q=wait.com");
  const shown = rowOn(page, "com").locator(".explanation");
  await appears(shown.getByText("asking the registry, its turn is in 5 s"));
  await page.clock.runFor(2_000);
  assertEquals(await shown.textContent(), "asking the registry, its turn is in 3 s");
  await page.clock.runFor(3_000);
  assertEquals(await shown.textContent(), "asking the registry…");
});

onPage(
  "rows that DNS has answered keep their answers when registries are asked",
  async ({ page, lab }) => {
    lab.script("kept.net", { dns: "delegated", rdap: "registered" });
    await page.clock.install();
    await page.goto("/");
    // Registries are not asked before the page's clock goes on.
    await page.clock.pauseAt(Date.now() + 60_000);
    await typeAt(page, "kept", 30);
    await page.clock.runFor(150);
    await appears(rowOn(page, "net").getByText("Taken", { exact: true }));
    const states = await page.locator("#rows").evaluateHandle((rows) => {
      const seen: string[] = [];
      const record = () =>
        seen.push(rows.querySelector("li:nth-child(2) .state")?.textContent ?? "");
      new MutationObserver(record).observe(rows, { childList: true, subtree: true });
      return seen;
    });
    await page.clock.resume();
    await settled(page, "kept");
    assertEquals(await states.evaluate((seen) => [...new Set(seen)]), ["Taken"]);
  },
);

onPage("what is entered before the prices have arrived is searched then", async ({ page }) => {
  const arrival = Promise.withResolvers<void>();
  await page.route("**/tld-offers.json", async (route) => {
    await arrival.promise;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  const input = page.getByLabel("Name", { exact: true });
  await paste(page, "taken\nundelegated");
  arrival.resolve();
  await domainsDone(page);
  assertEquals(await input.inputValue(), "taken\nundelegated");
  assertEquals(new URL(page.url()).search, "?q=taken+undelegated");
});
