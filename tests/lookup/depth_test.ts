import { assertEquals, assertMatch } from "@std/assert";
import type { WaitOptions } from "../../src/flow/upstream_host.ts";
import type { Finding } from "../../src/rules/evidence.ts";
import { withMemoryCache } from "../../src/flow/cache/memory.ts";
import type { CacheEntry } from "../../src/flow/cache/cached.ts";
import type { DnsAnswer } from "../../src/rules/answer.ts";
import { checksBy } from "../support/checks.ts";
import { withService } from "../support/with_service.ts";

/** Checks over a cache in memory, and the DNS questions with their clients. */
function checksOver(answerOf: (domain: string) => Promise<DnsAnswer>) {
  const asked: [string, string | undefined][] = [];
  const stored = new Map<string, CacheEntry<Finding>>();
  const store = {
    get: (key: string) => Promise.resolve(stored.get(key)),
    set: (
      key: string,
      entry: CacheEntry<Finding>,
    ) => (stored.set(key, entry), Promise.resolve(entry)),
  };
  const { checkDomain, checkInDns } = checksBy({
    sources: {
      isDelegated(domain, { client }: WaitOptions) {
        asked.push([domain, client]);
        return answerOf(domain);
      },
      registries: {
        ask: () => Promise.resolve({ kind: "notFound", askedAt: Date.now(), statements: [] }),
      },
    },
    cache: withMemoryCache(store, { max: 9, now: Date.now }),
  });
  return { checkDomain, checkInDns, asked, stored };
}

Deno.test("checkInDns() shares one DNS question among its callers, in the turn of the first, and caches a delegation", async () => {
  const { checkInDns, asked, stored } = checksOver(() =>
    Promise.resolve({ kind: "delegated", askedAt: Date.now() })
  );
  const waiter = { signal: new AbortController().signal, client: "first" };
  const rows = await Promise.all([
    checkInDns("taken", "com", waiter),
    checkInDns("taken", "com", { ...waiter, client: "second" }),
  ]);
  assertEquals(rows.map(({ state, source }) => [state, source]), Array(2).fill(["taken", "dns"]));
  assertEquals((await checkInDns("taken", "com")).source, "dns+cache");
  assertEquals(asked, [["taken.com", "first"]]);
  assertEquals([...stored.keys()], ["taken.com"]);
});

Deno.test("checkInDns() never caches a name that is not in DNS, and does not tell that a full check has found it available", async () => {
  const { checkDomain, checkInDns, asked, stored } = checksOver(() =>
    Promise.resolve({ kind: "none", askedAt: Date.now() })
  );
  for (const time of [1, 2]) {
    const row = await checkInDns("new", "com");
    assertEquals([row.state, row.available, row.status, row.source], [
      "unknown",
      false,
      ["unknown", "undelegated"],
      "dns",
    ]);
    assertMatch(row.error ?? "", /the registry was not asked/);
    assertEquals([asked.length, stored.size], [time, 0]);
  }
  assertEquals((await checkDomain("new", "com")).state, "available");
  const row = await checkInDns("new", "com");
  assertEquals([row.state, row.source, asked.length], ["unknown", "dns", 4]);
});

Deno.test("checkInDns() says so if DNS does not answer", async () => {
  const { checkInDns, stored } = checksOver(() =>
    Promise.resolve({ kind: "failed", fault: "down", why: "it did not answer in time" })
  );
  const { status, error } = await checkInDns("new", "com");
  assertEquals([status, stored.size], [["unknown"], 0]);
  assertEquals(
    error,
    "DNS could not be asked, and the registry was not: it did not answer in time",
  );
});

Deno.test("GET /check with depth=dns asks no registry, costs a request, and streams like another", () =>
  withService(async ({ get, url, services }, lab) => {
    await services.renewCanaries();
    lab.clear();
    const { status, headers, body } = await get("/check?name=mixed&depth=dns");
    assertEquals([status, headers.get("x-ratelimit-remaining")], [200, "8"]);
    const states = body.results.map((
      { tld, state }: { tld: string; state: string },
    ) => [tld, state]);
    assertEquals(states, [["com", "taken"], ["net", "unknown"], ["org", "unknown"]]);
    assertEquals(lab.requests.map(({ host }) => host), []);
    const headersOf = { headers: { accept: "text/event-stream" } };
    const text = await (await fetch(`${url}/check?name=mixed&depth=dns`, headersOf)).text();
    assertEquals([...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name), [
      "result",
      "result",
      "result",
      "summary",
    ]);
    const posted = await get("/check?depth=dns", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ names: ["mixed.com", "mixed.net"] }),
    });
    assertEquals(posted.body.results.map(({ state }: { state: string }) => state), [
      "taken",
      "unknown",
    ]);
    assertEquals(lab.requests.length, 0);
  }, { TLDS: "com,net,org", RATE_LIMIT: "9" }));
