import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CacheEntry } from "../../src/flow/cache/cached.ts";
import { createMemoryCache } from "../../src/flow/cache/memory.ts";
import type { Waiter } from "../../src/flow/cache/flight.ts";
import type { WaitOptions } from "../../src/flow/upstream_host.ts";
import type { CheckDomain } from "../../src/lookup/check_domain.ts";
import { type Finding, joinFindings } from "../../src/rules/evidence.ts";
import type { Canary, DnsAnswer, RdapAnswer, WhoisAnswer } from "../../src/rules/answer.ts";
import { changedApp } from "../support/changed_app.ts";
import { CANARIES } from "../support/answers.ts";
import { checksBy, ofStream, pacedRegistry, suffixesAt, TRUSTED } from "../support/checks.ts";
import { onLab } from "../support/on_lab.ts";
import { postJson } from "../support/post_json.ts";
import type { Json } from "../support/service.ts";

const NONE: DnsAnswer = { kind: "none", askedAt: 0 };
const NOT_FOUND: RdapAnswer = { kind: "notFound", askedAt: 0, statements: [] };

/** Checks with the time of their answers. */
const checksAtZero = (given: Parameters<typeof checksBy>[0]) =>
  checksBy({ now: () => 0, ...given });

Deno.test("a bug in one look-up gives unknown for that name only, and is logged", async () => {
  const faults: unknown[] = [];
  const { checkDomain } = checksAtZero({
    isDelegated: (domain) =>
      domain === "broken.com"
        ? Promise.reject(new RangeError("a bug at broken.com"))
        : Promise.resolve({ kind: "delegated", askedAt: 0 }),
    suffixes: suffixesAt(),
    reportFault: (event, fields) => void faults.push({ event, ...fields }),
  });
  const results = await Promise.all(["broken", "fine"].map((label) => checkDomain(label, "com")));
  assertEquals(results.map(({ status }) => status), [["unknown"], ["active"]]);
  assertEquals(results.map(({ available }) => available), [false, false]);
  assertEquals(results[0]?.error, "Internal error while checking this name (logged)");
  assertEquals(faults, [
    { event: "check.failed", tld: "com", error: "RangeError: a bug at <name>.com" },
  ]);
});

Deno.test("checkDomain() answers unknown when the registry fails its test while WHOIS is waited for, or asked again", async () => {
  for (const times of [1, 2]) {
    let asked = 0;
    let isFailed = false;
    // As another process has seen it.
    const refresh = () => void (isFailed = asked >= times);
    const { checkDomain } = checksBy({
      canary: { ...TRUSTED.canary, refresh, trusts: () => !isFailed },
      whoisTrust: { refresh: () => undefined, confirms: () => times === 1 },
      askWhois: () => Promise.resolve({ kind: "notFound", askedAt: asked++ }),
    });
    const { error } = await checkDomain("any", "io", { ...ofStream(), priority: "background" });
    assertMatch(error ?? "", /failed a test of its 404s when it was asked, or since/);
  }
});

Deno.test("checkDomain() asks a needed WHOIS server again that has failed its test since it denied the name", async () => {
  const missing = { kind: "missing", fault: "unclear", retryAfterMs: 600_000 } as const;
  const answers: WhoisAnswer[] = [{ kind: "notFound", askedAt: Date.now() }, missing];
  const { checkDomain } = checksBy({
    whoisTrust: { refresh: () => undefined, confirms: () => false },
    askWhois: () => Promise.resolve(answers.shift()),
  });
  const { state, likely } = await checkDomain("any", "io");
  assertEquals([state, likely, answers.length], ["unknown", "available", 0]);
});

Deno.test("checkDomain() answers unknown when the registry's pass comes after its own test could not run", async () => {
  // The resolver denies every name. Another process has tested the registry meanwhile.
  const results: Canary[] = [CANARIES.undecided, CANARIES.passed];
  const { checkDomain } = checksAtZero({
    canary: { ...TRUSTED.canary, resultOf: () => Promise.resolve(results.shift()!) },
    names: { ...TRUSTED.names, showsDelegation: () => Promise.resolve(false) },
  });
  assertEquals((await checkDomain("free-name", "com")).error, CANARIES.undecided.why);
});

Deno.test("checkDomain() has a registry tested again whose pass expires before it answers", async () => {
  const results: Canary[] = [CANARIES.passed, CANARIES.undecided];
  const told: boolean[] = [];
  const resultOf = (_: unknown, { onQueue }: WaitOptions) => {
    told.push(onQueue !== undefined);
    return Promise.resolve(results.shift()!);
  };
  const inForce = () => Promise.resolve(undefined);
  const { checkDomain } = checksAtZero({ canary: { ...TRUSTED.canary, resultOf, inForce } });
  assertEquals((await checkDomain("any", "pizza")).error, CANARIES.undecided.why);
  assertEquals(told, [true, true], "a client is told what the second test waits for, too");
});

Deno.test("checkDomain() knows when KV has last seen a name registered, also where KV has not taken a later finding", async () => {
  const now = () => 1e12;
  const entry = (state: "taken" | "available", askedAt: number, registeredAt?: number) =>
    (
      { value: { state, source: "rdap", checkedAt: "", registeredAt }, askedAt, expiresAt: askedAt }
    ) as const;
  const get = () => Promise.resolve(entry("taken", 1e12 - 2, 1e12 - 2));
  const set = (_: string, found: CacheEntry<Finding>) => Promise.resolve(found);
  const cache = createMemoryCache<Finding>({
    store: { get, set, join: joinFindings },
    max: 9,
    now,
  });
  await cache.set("any.info", entry("available", 1e12 - 1));
  const suffixes = suffixesAt("https://rdap.identitydigital.services/rdap/");
  const { error } = await checksBy({ now, cache, suffixes }).checkDomain("any", "info");
  assertMatch(error ?? "", /^Just dropped/);
});

/** Upstreams that take one question at a time, and answer when the test says so. */
function slowUpstreams() {
  const answers = new Map<string, (answer: RdapAnswer) => void>();
  const { ask, asked } = pacedRegistry(
    { concurrency: 1, burst: 1, everyMs: 0 },
    (domain) => new Promise((resolve) => answers.set(domain, resolve)),
  );
  const { checkDomain } = checksAtZero({ askRegistry: ask });
  return {
    checkDomain,
    asked,
    async answer(domain: string) {
      while (!answers.has(domain)) await Promise.resolve();
      answers.get(domain)?.(NOT_FOUND);
    },
    /** Settles once a question is asked, and another one would be if it did not wait for its turn. */
    async began() {
      while (asked.length < 1) await Promise.resolve();
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    },
  };
}

Deno.test("a queued look-up is cancelled when its client disconnects; a running one is finished and cached", async () => {
  const { checkDomain, asked, answer, began } = slowUpstreams();
  const gone = new AbortController();
  const [first, second] = ["first", "second"].map((label) => checkDomain(label, "com", gone));
  await began();
  gone.abort();
  assertEquals((await second!).status, ["unknown"]);
  await answer("first.com");
  assertEquals((await first!).available, true);
  assertEquals((await checkDomain("first", "com")).source, "rdap+cache");
  const other = checkDomain("other", "com");
  await answer("other.com");
  await other;
  assertEquals(asked, ["first.com", "other.com"]);
});

Deno.test("a client that asks for a look-up just cancelled gets a real answer", async () => {
  const { checkDomain, answer, began } = slowUpstreams();
  const gone = new AbortController();
  const running = checkDomain("running", "com");
  const given = checkDomain("wanted", "com", gone);
  await began();
  gone.abort();
  const again = checkDomain("wanted", "com");
  await answer("running.com");
  await answer("wanted.com");
  assertEquals([(await given).available, (await again).available], [false, true]);
  await running;
});

Deno.test("a DNS query for a disconnected client is cancelled and does not count as a DNS failure", () =>
  onLab(async ({ services: { checkDomain, health }, lab }) => {
    await checkDomain("taken", "com");
    const { error } = await checkDomain("left", "com", { signal: AbortSignal.abort() });
    assertMatch(error ?? "", /^Cancelled/);
    assertEquals(health.checks().dns, "ok");
    assertEquals(lab.dnsQueries.some(({ name }) => name === "left.com"), false);
  }));

for (const accept of ["application/json", "application/x-ndjson", "text/event-stream"]) {
  Deno.test(`a client that disconnects while it waits for ${accept} cancels its look-ups`, () =>
    onLab(async ({ services }) => {
      const asking = Promise.withResolvers<Waiter>();
      const end = Promise.withResolvers<void>();
      const checkDomain: CheckDomain = async (label, tld, waiter) => {
        if (waiter !== undefined) asking.resolve(waiter);
        await end.promise;
        return await services.checkDomain(label, tld);
      };
      const { app } = changedApp(services, { checkDomain });
      const address = { port: 0, hostname: "127.0.0.1" };
      await using server = Deno.serve({ ...address, onListen() {} }, app.fetch);
      const connection = await Deno.connect({ ...address, port: server.addr.port });
      await connection.write(new TextEncoder().encode(
        `GET /check?name=any HTTP/1.1\r\nhost: x\r\naccept: ${accept}\r\n\r\n`,
      ));
      const { signal } = await asking.promise;
      assertEquals(signal.aborted, false);
      const left = new Promise((resolve) => signal.addEventListener("abort", resolve));
      connection.close();
      await left;
      end.resolve();
    }, { env: { TLDS: "com,net" } }));
}

Deno.test("server-sent events have a pending event before the row of each name that is not in DNS; NDJSON has none", () =>
  onLab(async ({ url, services }) => {
    await services.renewCanaries();
    const read = async (label: string, accept: string) =>
      await (await fetch(`${url}/check?name=${label}`, { headers: { accept } })).text();
    const stream = await read("mixed", "text/event-stream");
    const events = [...stream.matchAll(/^event: (.*)\ndata: (.*)$/gm)]
      .map(([, name, data]) => ({ name, data: JSON.parse(data!) }));
    const pendings = events.filter(({ name }) => name === "pending").map(({ data }) => data);
    assertEquals(pendings.map(({ domain, tld, host }) => [domain, tld, host]).toSorted(), [
      ["mixed.net", "net", "rdap.verisign.com"],
      ["mixed.xyz", "xyz", "rdap.centralnic.com"],
    ]);
    assert(pendings.every(({ expectedMs }) => expectedMs >= 0), JSON.stringify(pendings));
    for (const { domain } of pendings) {
      const of = events.filter(({ data }) => data.domain === domain).map(({ name }) => name);
      assertEquals(of, ["pending", "result"]);
    }
    assertEquals(events.length, 3 + 2 + 1);
    assertEquals(events.at(-1)?.name, "summary");
    // What is cached is not asked again.
    assertEquals((await read("mixed", "text/event-stream")).includes("event: pending"), false);
    const lines = (await read("mixed-2", "application/x-ndjson")).trimEnd().split("\n");
    const firsts = lines.map((line) => Object.keys(JSON.parse(line))[0]);
    assertEquals(firsts, ["domain", "domain", "domain", "name"]);
  }, { env: { TLDS: "com,net,xyz" } }));

/** Checks of names about which DNS answers so, and its questions with their clients. */
function checksOver(answer: DnsAnswer) {
  const asked: [string, string | undefined][] = [];
  const checks = checksAtZero({
    isDelegated(domain, { client }: WaitOptions) {
      asked.push([domain, client]);
      return Promise.resolve(answer);
    },
  });
  return { ...checks, asked };
}

Deno.test("checkInDns() shares one DNS question among its callers, in the turn of the first, and caches a delegation", async () => {
  const { checkInDns, asked } = checksOver({ kind: "delegated", askedAt: 0 });
  const waiter = { ...ofStream(), client: "first" };
  const rows = await Promise.all([
    checkInDns("taken", "com", waiter),
    checkInDns("taken", "com", { ...waiter, client: "second" }),
  ]);
  assertEquals(rows.map(({ state, source }) => [state, source]), Array(2).fill(["taken", "dns"]));
  assertEquals((await checkInDns("taken", "com")).source, "dns+cache");
  assertEquals(asked, [["taken.com", "first"]]);
});

Deno.test("checkInDns() never caches a name that is not in DNS, and does not tell that a full check has found it available", async () => {
  const { checkDomain, checkInDns, asked } = checksOver(NONE);
  for (const time of [1, 2]) {
    const { available, status, source, error = "" } = await checkInDns("new", "com");
    assertEquals([available, status, source], [false, ["unknown", "undelegated"], "dns"]);
    assertMatch(error, /the registry was not asked/);
    assertEquals(asked.length, time, "it is not cached");
  }
  assertEquals((await checkDomain("new", "com")).state, "available");
  const row = await checkInDns("new", "com");
  assertEquals([row.state, row.source, asked.length], ["unknown", "dns", 4]);
});

Deno.test("GET /check with depth=dns asks no registry, costs a request, and streams like another", () =>
  onLab(async ({ get, url, services, lab }) => {
    await services.renewCanaries();
    lab.clear();
    const { status, headers, body } = await get("/check?name=mixed&depth=dns&evidence=1");
    assertEquals([status, headers.get("x-ratelimit-remaining")], [200, "8"]);
    const states = body.results.map(({ tld, state }: Json) => [tld, state]);
    assertEquals(states, [["com", "taken"], ["net", "unknown"], ["org", "unknown"]]);
    const evidence = body.results.flatMap(({ evidence }: Json) => evidence);
    const means = evidence.map(({ means }: Json) => means);
    assertEquals(means, ["delegated", "not_delegated", "not_delegated"]);
    const accept = { headers: { accept: "text/event-stream" } };
    const text = await (await fetch(`${url}/check?name=mixed&depth=dns`, accept)).text();
    const events = [...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
    assertEquals(events, ["result", "result", "result", "summary"]);
    const posted = await get("/check?depth=dns", postJson({ names: ["mixed.com", "mixed.net"] }));
    assertEquals(posted.body.results.map(({ state }: Json) => state), ["taken", "unknown"]);
    assertEquals(lab.requests.map(({ host }) => host), []);
  }, { env: { TLDS: "com,net,org", RATE_LIMIT: "9" } }));

Deno.test("checkDomain() asks again about a name whose denial is older than an answer may be", async () => {
  let now = 1e12;
  let asked = 0;
  const { checkDomain } = checksBy({
    now: () => now,
    isDelegated: () =>
      Promise.resolve(
        asked++ === 0
          ? { kind: "none", askedAt: now }
          : { kind: "delegated", nameServers: [], askedAt: now },
      ),
    canary: {
      ...TRUSTED.canary,
      // The test of the server has waited for its turn.
      resultOf: () => (now += 5 * 60_000 + 1, Promise.resolve(CANARIES.passed)),
    },
  });
  assertEquals([(await checkDomain("any", "pizza")).state, asked], ["taken", 2]);
});
