import { assertEquals } from "@std/assert";
import type { Decision } from "../../src/rate_limit/known_window.ts";
import type { Services } from "../../src/wiring/services.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { BROKEN_TLDS, changedApp, connectionFrom } from "../support/changed_app.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const STATE = { remaining: 4, resetAt: 1_800_000_000_000 };
const ADMITTED: Decision = { kind: "admitted", at: 0, ...STATE };
const REFUSED: Decision = { kind: "refused", retryAfterMs: 5_000, ...STATE, remaining: 0 };

/** The app with a limiter whose decisions wait until the test makes them. */
async function withWaitingLimiter(
  run: (app: {
    lab: Lab;
    ask: (
      path: string,
      options?: { address?: string; accept?: string; method?: string },
    ) => Promise<Response>;
    /** Decides on the request that has waited longest, once there is one. */
    decide: (decision: Decision) => Promise<void>;
    logged: string[];
  }) => Promise<void>,
  change: Partial<Services> = {},
): Promise<void> {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com" } });
  const waiting: ((decision: Decision) => void)[] = [];
  const admit = () => new Promise<Decision>((resolve) => waiting.push(resolve));
  const { limits } = service.services;
  const limiter = { ...limits.limiter, admit };
  const { app, logged } = changedApp(service.services, {
    ...change,
    limits: { ...limits, limiter },
  });
  await run({
    lab,
    ask: async (path, { address = "198.51.100.1", accept = "*/*", method = "GET" } = {}) =>
      await app.request(path, { method, headers: { accept } }, connectionFrom(address)),
    async decide(decision) {
      await until("a request waits", () => waiting.length > 0);
      waiting.shift()?.(decision);
    },
    logged,
  });
}

function isLookedUp(lab: Lab, domain: string): boolean {
  return lab.dnsQueries.some(({ name }) => name === domain);
}

Deno.test("GET /check looks a name up while the limiter waits for KV", () =>
  withWaitingLimiter(async ({ lab, ask, decide }) => {
    const asking = ask("/check?name=free-while-waiting");
    await until("the look-up has begun", () => isLookedUp(lab, "free-while-waiting.com"));
    await decide(ADMITTED);
    const response = await asking;
    const { results } = await response.json();
    assertEquals([response.status, response.headers.get("x-ratelimit-remaining")], [200, "4"]);
    assertEquals([results[0].state, results[0].source], ["available", "rdap"]);
  }));

Deno.test("a request that is rejected after KV has answered gets 429 although its look-up has begun", () =>
  withWaitingLimiter(async ({ lab, ask, decide, logged }) => {
    const asking = ask("/check?name=free-but-rejected");
    await until("the look-up has begun", () => isLookedUp(lab, "free-but-rejected.com"));
    await decide(REFUSED);
    const response = await asking;
    assertEquals([response.status, response.headers.get("retry-after")], [429, "5"]);
    assertEquals((await response.json()).error, "rate_limit_exceeded");
    assertEquals(logged, []);
  }));

Deno.test("of a client's requests that wait for KV, one looks its name up before the limiter has decided", () =>
  withWaitingLimiter(async ({ lab, ask, decide }) => {
    const names = Array.from({ length: 5 }, (_, n) => `free-crowd-${n}`);
    const asking = names.map((name) => ask(`/check?name=${name}`));
    const other = ask("/check?name=free-other", { address: "203.0.113.9" });
    await until("another client's look-up", () => isLookedUp(lab, "free-other.com"));
    assertEquals(names.filter((name) => isLookedUp(lab, `${name}.com`)), ["free-crowd-0"]);
    for (const _ of [...names, "free-other"]) await decide(ADMITTED);
    const statuses = (await Promise.all([...asking, other])).map(async (response) => {
      await response.body?.cancel();
      return response.status;
    });
    assertEquals(new Set(await Promise.all(statuses)), new Set([200]));
    const next = ask("/check?name=free-next");
    await until("the next look-up", () => isLookedUp(lab, "free-next.com"));
    await decide(ADMITTED);
    assertEquals((await next).status, 200);
  }));

Deno.test("an invalid query gets its error once the limiter has decided", () =>
  withWaitingLimiter(async ({ ask, decide, logged }) => {
    const invalid = ask("/check?name=no_name");
    await decide(ADMITTED);
    assertEquals((await invalid).status, 400);
    const refused = ask("/check?name=no_name");
    await decide(REFUSED);
    assertEquals((await refused).status, 429);
    assertEquals(logged, []);
  }));

Deno.test("GET /check as a stream looks a name up while the limiter waits for KV, and HEAD looks nothing up", () =>
  withWaitingLimiter(async ({ lab, ask, decide, logged }) => {
    const accept = "text/event-stream";
    const head = ask("/check?name=free-for-head", { accept, method: "HEAD" });
    await decide(ADMITTED);
    assertEquals((await head).status, 200);
    const stream = ask("/check?name=free-in-a-stream", { accept });
    await until("the look-up has begun", () => isLookedUp(lab, "free-in-a-stream.com"));
    assertEquals(isLookedUp(lab, "free-for-head.com"), false);
    await decide(ADMITTED);
    const text = await (await stream).text();
    assertEquals(text.match(/^event: .*/gm), ["event: pending", "event: result", "event: summary"]);
    const refused = ask("/check?name=free-but-rejected", { accept });
    await until("the look-up has begun", () => isLookedUp(lab, "free-but-rejected.com"));
    await decide(REFUSED);
    assertEquals((await refused).status, 429);
    assertEquals(logged, []);
  }));

Deno.test("an answer that fails while the limiter waits for KV is answered and logged only if its request is admitted", () =>
  withWaitingLimiter(async ({ ask, decide, logged }) => {
    const refused = ask("/check?name=taken");
    await new Promise((resolve) => setTimeout(resolve));
    await decide(REFUSED);
    assertEquals((await refused).status, 429);
    assertEquals(logged, []);
    const admitted = ask("/check?name=taken");
    await decide(ADMITTED);
    assertEquals((await admitted).status, 500);
    assertEquals(logged.length, 1);
  }, { tlds: { ...BROKEN_TLDS, enabled: () => Promise.reject(new Error("secret")) } }));

Deno.test("a row that fails in a stream whose request is rejected leaves no rejection unhandled", () =>
  withWaitingLimiter(async ({ ask, decide, logged }) => {
    const asking = ask("/check?name=any", { accept: "application/x-ndjson" });
    // An unhandled rejection would fail this test.
    await new Promise((resolve) => setTimeout(resolve));
    await decide(REFUSED);
    assertEquals((await asking).status, 429);
    assertEquals(logged, []);
  }, { checkDomain: () => Promise.reject(new RangeError("bug")) }));
