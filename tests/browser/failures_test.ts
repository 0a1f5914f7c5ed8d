/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import { AVAILABLE_ETH, test, testsOnPage } from "./on_page.ts";
import { appears, busyRow, CHECKS } from "./rows.ts";

const refused = testsOnPage({ allowed: /429/ });

refused.test("names that the limit of requests has refused wait for it, which their rows tell", async ({ page, search }) => {
  await page.clock.install();
  await page.goto("/");
  // Other pages may have used up what this one takes for free.
  const headers = { "retry-after": "9", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "9" };
  const refused = { status: 429, headers, json: {} };
  await page.route(CHECKS, (route) => route.fulfill(refused), { times: 1 });
  await search.submit("undelegated");
  const told = /^sent in about \d+ s: the limit of requests is used up$/;
  await appears(search.row("com").getByText(told));
  assertEquals((await search.rows()).slice(0, 7).filter((row) => !row.endsWith(": Waiting")), []);
  assertEquals(await page.locator("#quota").textContent(), "0 requests left this minute");
  await page.clock.fastForward(10_000);
  await search.settled("undelegated");
  assertEquals(await search.error.isVisible(), false);
});

const refusedEth = testsOnPage({ eth: "chain", allowed: /429/ });

refusedEth.test("of a list of .eth names only those are asked again that the limit of requests has refused", async ({ page, search }) => {
  const asked: string[] = [];
  const refusal = page.waitForResponse((response) => response.status() === 429);
  const headers = { "retry-after": "1", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "9" };
  await page.route("**/v1/ens/check?*", async (route) => {
    asked.push(new URL(route.request().url()).search);
    if (asked.length === 1) return await route.fulfill({ status: 429, headers, json: {} });
    await (await refusal).finished();
    await route.fulfill({ headers, json: AVAILABLE_ETH });
  });
  await page.goto("/?q=first.eth+second.eth+third.eth");
  await search.done();
  assertEquals(asked.toSorted(), ["first", "first", "second", "third"].map((n) => `?name=${n}`));
});

test("a stream that is silent has lost its connection, and what stands under the field is announced", async ({ page, search }) => {
  await page.clock.install();
  await page.goto("/");
  // The connection is there, and nothing comes.
  await page.addInitScript(() => {
    const { fetch } = globalThis;
    let isFirst = true;
    globalThis.fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!`${url}`.startsWith("/check") || !isFirst) return response;
      isFirst = false;
      await response.body?.cancel();
      return new Response(new ReadableStream(), { headers: response.headers });
    };
  });
  await page.goto("/?q=taken");
  await appears(search.row("com").getByText("Checking"));
  await page.clock.runFor(46_000);
  await search.settled("taken");
  await search.submit("a_b");
  const said = /^“a_b” cannot be a name\. Check instead:$/;
  assertMatch(await page.locator("#announcement").textContent() ?? "", said);
});

const offline = testsOnPage({ allowed: /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|503/ });

offline.test("offline, a service that is down, and one or a captive portal in its place are reported, and the search goes on", async ({ page, search }) => {
  await page.clock.install();
  await page.goto("/");
  await page.context().setOffline(true);
  await search.submit("taken");
  await appears(search.error.filter({ hasText: "You are offline." }));
  // For a moment after the browser is online, requests still fail.
  await page.route(CHECKS, (route) => route.abort("connectionrefused"));
  await page.context().setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  await page.unroute(CHECKS);
  await page.clock.runFor(1_000);
  await search.settled("taken");
  assertEquals(await search.error.isVisible(), false);
  const bodies = ["<!doctype html>\n<p>Log in first.</p>\n", "null\n", '{"login":"/"}\n'];
  for (const body of [undefined, ...bodies]) {
    await page.goto("/");
    await page.route(
      CHECKS,
      (route) => body ? route.fulfill({ body }) : route.abort("connectionrefused"),
      { times: 1 },
    );
    await search.submit("taken");
    await appears(search.error.filter({ hasText: "Cannot reach the service." }));
    assertEquals((await search.rows()).filter((row) => row.endsWith("Checking")), [], body);
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await search.settled("taken");
    assertEquals(await search.error.isVisible(), false);
  }
  // Down when the page opens.
  const down = { status: 503, json: {} };
  await page.route("**/tld-offers.json", (route) => route.fulfill(down), { times: 1 });
  await page.goto("/?q=taken");
  await appears(search.error.filter({ hasText: "The service answered 503." }));
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await search.settled("taken");
});

test("a stream that is cut is asked again once for its missing rows, which then are unknown", async ({ search, service }) => {
  const { body: { results: rows } } = await service.get("/check?name=free");
  const asked = search.watchChecks();
  // The second is cut behind its last row: nothing is missing.
  await search.answerChecks(rows, { end: "" });
  await search.answerChecks(rows.slice(0, 3), { end: "" });
  await search.open("free");
  assertEquals((await search.rows()).filter((row) => row.endsWith("Unknown")), []);
  assertEquals([asked, await search.error.isVisible()], [["free", "free"], false]);

  const com = rows.filter(({ tld }: { tld: string }) => tld === "com");
  await search.answerChecks(com, { end: 'event: result\ndata: {"dom', times: 2 });
  await search.open("free");
  await appears(search.error.filter({ hasText: "The connection was lost" }));
  assertEquals((await search.rows()).slice(0, 2), ["free.com: Available", "free.net: Unknown"]);
  await search.row("net").getByRole("button", { name: "Try again for free.net" }).click();
  await appears(search.row("net").getByText("Available"));
});

test("unknown rows are asked again one by one or all at once, which moves no row, keeps the focus and does not scroll", async ({ page, search, service }) => {
  const { body: { results } } = await service.get("/check?name=busy");
  const unknown = ["busy.net", "busy.cc", "busy.tv"];
  const rows = results.map((row: { domain: string }) =>
    unknown.includes(row.domain) ? busyRow(row.domain) : row
  );
  await search.open("free");
  const all = page.getByRole("button", { name: "Retry all" });
  assertEquals(await all.count(), 0);
  const tops = await search.tops();
  await search.answerChecks(rows);
  const asked = search.watchChecks();
  await search.open("busy");
  assertEquals(await search.tops(), tops);
  await appears(search.row("net").getByText("rdap.example asks us to pause"));
  const hasFocus = (tld: string) =>
    search.row(tld).evaluate((row) => row.contains(document.activeElement));
  await search.row("net").getByRole("button", { name: "Try again for busy.net" }).click();
  await appears(search.row("net").getByText("Available"));
  assertEquals(await hasFocus("net"), true);
  // The row that takes the focus of the button stands above the window: the page does not scroll there.
  await page.setViewportSize({ width: 1280, height: 200 });
  await all.focus();
  await page.evaluate(() => scrollTo(0, 9_999));
  const scrolled = await search.tops();
  await page.keyboard.press("Enter");
  await appears(search.row("tv").getByText("Available"));
  await appears(search.row("cc").getByText("Available"));
  assertEquals([await all.count(), await search.tops()], [0, scrolled]);
  assertEquals([await hasFocus("com"), asked], [true, ["busy", "busy.net", "busy"]]);
});

const anyTld = testsOnPage({ env: { ANY_TLD: "on" } });

anyTld.test("a list of domains needs one request, whatever their TLDs are, and one more for those under unknown TLDs", async ({ page, search }) => {
  const asked = search.watchChecks();
  await search.open("taken.co.uk+free-for-you.zzz+free-for-you.qqq+taken.com");
  assertEquals(asked, ["taken.co.uk,free-for-you.zzz,free-for-you.qqq,taken.com"]);
  const unknown = ["free-for-you.zzz: Unknown", "free-for-you.qqq: Unknown"];
  assertEquals(await search.rows(), ["taken.co.uk: Taken", ...unknown, "taken.com: Taken"]);
  const again = page.waitForRequest(CHECKS);
  await page.getByRole("button", { name: "Retry all" }).click();
  await again;
  assertEquals(asked.at(-1), "free-for-you.zzz,free-for-you.qqq");
});
