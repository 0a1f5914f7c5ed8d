import { assert, assertEquals } from "@std/assert";
import type { Pace } from "../../src/rules/tables/hosts.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { mcpPost, toolCall } from "../support/mcp.ts";
import { onLab } from "../support/on_lab.ts";
import { overPace } from "../support/over_pace.ts";
import { until } from "../support/until.ts";

const HOST = "rdap.identitydigital.services";
const HOST_TLDS = "ai,info,io,me";

Deno.test("a check of several TLDs of one host asks for the wanted ones first, and keeps the order of its rows", () =>
  onLab(async ({ get, services, lab }) => {
    await services.renewCanaries();
    lab.clear();
    const { body } = await get("/check?name=free-for-you");
    assertEquals(body.results.map(({ tld }: { tld: string }) => tld).join(), HOST_TLDS);
    const names = lab.dnsQueries.map(({ name }) => name).filter((name) => name.startsWith("free-"));
    assertEquals(names.map((name) => name.split(".")[1]), ["io", "ai", "info", "me"]);
  }, { env: { TLDS: HOST_TLDS }, paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 20 }) }));

/** Each of them is asked for under four TLDs of the host. */
const NAMES = 6;

/** How a client asks for one domain: over HTTP as JSON, as a stream, or over MCP. */
const WAYS: readonly [way: string, path: string, init: RequestInit][] = [
  ["JSON", "/check?name=person&tld=io", {}],
  ["a stream", "/check?name=person&tld=io", { headers: { accept: "application/x-ndjson" } }],
  ["MCP", "/mcp/", mcpPost(toolCall("check_domain", { names: ["person"], tlds: ["io"] }))],
];

for (const [way, path, init] of WAYS) {
  Deno.test(`a client with one name by ${way} goes before the queue of a client with many`, () =>
    onLab(async ({ url, get, services, lab }) => {
      await services.renewCanaries();
      lab.clear();
      const asked = () => lab.requests.filter(({ host }) => host === HOST);
      const greedy = Array.from(
        { length: NAMES },
        (_, n) => get(`/check?name=greedy-${n}`, { headers: { "x-forwarded-for": "192.0.2.1" } }),
      );
      await until("the greedy client's queue is under way", () => asked().length >= 5);
      const headers = { ...init.headers, "x-forwarded-for": "198.51.100.7" };
      const response = await fetch(`${url}${path}`, { ...init, headers });
      assertEquals(response.status, 200);
      await response.text();
      const turn = asked().findIndex(({ path }) => path.endsWith("/person.io"));
      await Promise.all(greedy);
      assertEquals(asked().length, 4 * NAMES + 1);
      // Behind the whole queue it would be the last. On a busy machine it takes some turns until it has arrived.
      assert(turn >= 0 && turn < 2 * NAMES, `${turn} questions of the greedy client were before`);
    }, {
      env: { TRUSTED_PROXIES: "1", TLDS: HOST_TLDS },
      paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 40 }),
    }));
}

/** On a busy machine a request arrives at the lab some time after its start. */
const ARRIVAL_MS = 300;

const WHOIS_PACE: Pace = { concurrency: 6, burst: 6, everyMs: 200, isShared: true };

Deno.test("the WHOIS queries of two services get to a server at one pace, and half as fast once it has refused one", () =>
  onLab(async ({ lab, kv, services, check, start }) => {
    await check("first.org");
    const checks = [check, (await start()).check];
    await Promise.all(Array.from({ length: 14 }, (_, n) => checks[n % 2]!(`free-${n}.org`)));
    const starts = lab.whoisQueries.map(({ at }) => at);
    assert(starts.length >= 14, `${starts.length} queries`);
    const over = overPace(starts, WHOIS_PACE);
    assert(over <= 1 + ARRIVAL_MS / WHOIS_PACE.everyMs, `${over} over the pace`);
    lab.scriptWhois("org", "limited");
    let asked = 0;
    await until("the host is slowed for all processes", async () => {
      void services.checkDomain(`refused-${asked++}`, "org");
      const { value } = await kv.get<Record<string, { slowUntil: number }>>(["pauses"]);
      return Object.values(value ?? {}).some(({ slowUntil }) => slowUntil > Date.now());
    });
  }, ({ lab }) => ({
    env: { ...whoisEnv(lab), TLDS: "org" },
    monotonic: () => performance.now(),
    whoisPaceOf: () => WHOIS_PACE,
  })));
