import { assert, assertEquals, assertMatch } from "@std/assert";
import { hostPolicy } from "../../src/rules/tables/host_policies.ts";
import { NEEDED_SERVERS, whoisServerOf } from "../../src/rules/tables/whois_servers.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import type { State } from "../../src/rules/verdict.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import type { NameScript } from "../lab/names.ts";
import { type WhoisBehaviour, whoisBehaviours } from "../lab/whois_behaviours.ts";
import { masked } from "../support/masked.ts";
import { overPace } from "../support/over_pace.ts";
import { freePort } from "../support/process.ts";
import { type Json, startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld).filter((tld) => whoisServerOf(tld) !== undefined);
const BEHAVIOURS = Object.keys(whoisBehaviours) as WhoisBehaviour[];
/** For servers that never end their answer: nothing else is judged by it. */
const SOON_MS = 300;
/** For servers that answer, also on a busy machine. */
const PATIENT = { timeouts: { whoisMs: 20_000 } };
const ENDLESS: readonly WhoisBehaviour[] = ["silent", "drip"];

/** The state of a name that RDAP denies; absent: available, as without WHOIS. */
const DENIED_BY_RDAP: Readonly<Partial<Record<WhoisBehaviour, State>>> = {
  record: "unknown",
  latin1: "unknown",
  reserved: "reserved",
  globalblock: "reserved",
  dropzone: "reserved",
  premium: "premium",
  otherName: "unknown",
  echo: "unknown",
  html: "unknown",
  utf16: "unknown",
  // It denies random names as usual, so the words are about this one.
  limited: "unknown",
};

/** Answers that are none: a name is unknown then where WHOIS is needed. */
const NONE: readonly WhoisBehaviour[] = ["empty", "oversized", "silent", "drip", "reset"];

/** The state of a name that RDAP does not answer for; absent: unknown, as without WHOIS. */
const DOWN_IN_RDAP: Readonly<Partial<Record<WhoisBehaviour, State>>> = {
  record: "taken",
  latin1: "taken",
};

/** A service on the lab that has tested its registries and, but for those that never end an answer, WHOIS servers. */
async function startTested(lab: Lab, env: Record<string, string>, isEndless: boolean) {
  const service = await startService(lab, {
    env: { TLDS: TLDS.join(","), ...env },
    ...(isEndless ? { timeouts: { whoisMs: SOON_MS } } : PATIENT),
  });
  await service.services.renewCanaries();
  // While its first test runs, a needed server is missing; one that never ends its answer has failed it by then.
  await service.get("/check?name=zebra76");
  return service;
}

/** The rows of a name under the TLDs that have a WHOIS server. */
async function rowsOf(
  lab: Lab,
  env: Record<string, string>,
  behaviour: WhoisBehaviour,
): Promise<Json[]> {
  await using service = await startTested(lab, env, ENDLESS.includes(behaviour));
  const { body } = await service.get("/check?name=zebra77");
  return body.results;
}

/** After these a server rests, so that what follows is another case. */
const RESTS: readonly WhoisBehaviour[] = ["limited", ...NONE];
/** The behaviours that one service can meet one after the other. */
const MEETINGS = [BEHAVIOURS.filter((one) => !RESTS.includes(one)), ...RESTS.map((one) => [one])];

/** The rows of names that RDAP answers alike and WHOIS in several ways. */
async function* rowsWith(rdap: NameScript["rdap"], behaviours: readonly WhoisBehaviour[]) {
  await using lab = await startLab();
  await using service = await startTested(
    lab,
    whoisEnv(lab),
    behaviours.some((one) => ENDLESS.includes(one)),
  );
  for (const behaviour of behaviours) {
    const label = `zebra-${behaviour.toLowerCase()}`;
    lab.script(label, { dns: "nxdomain", rdap, whois: behaviour });
    const { body: { results } } = await service.get(`/check?name=${label}`);
    assertEquals(results.length, TLDS.length);
    for (const row of results as Json[]) yield { row, tld: row.tld as string, behaviour };
  }
}

/** How a server refuses queries. */
const REFUSALS: readonly WhoisBehaviour[] = ["limited", "empty", "reset"];

for (const behaviours of MEETINGS) {
  const which = behaviours.join(", ");

  Deno.test(`a name that RDAP denies is right under all TLDs, with each WHOIS answer: ${which}`, async () => {
    for await (const { row, tld, behaviour } of rowsWith("free", behaviours)) {
      const isMissing = NONE.includes(behaviour) && NEEDED_SERVERS.has(tld);
      const state = isMissing ? "unknown" : DENIED_BY_RDAP[behaviour] ?? "available";
      assertEquals([tld, behaviour, row.state], [tld, behaviour, state]);
      assertEquals(
        [row.likely, row.retryAfter > 0],
        isMissing ? ["available", true] : [undefined, false],
      );
    }
  });

  Deno.test(`a name that RDAP fails for is right under all TLDs, with each WHOIS answer: ${which}`, async () => {
    for await (const { row, tld, behaviour } of rowsWith("badRequest400", behaviours)) {
      assertEquals([tld, behaviour, row.state], [
        tld,
        behaviour,
        DOWN_IN_RDAP[behaviour] ?? "unknown",
      ]);
      assertEquals(row.source, row.state === "taken" ? "whois" : "rdap");
      const isLikely = /; its WHOIS has no record, so probably available$/.test(row.error ?? "");
      assertEquals([tld, isLikely], [tld, behaviour === "denial"]);
    }
  });
}

/** Names that RDAP denies, and that it fails for. */
const DENIED = "zebra77";
const UNANSWERED = "zebra78";

/** The rows of both names, where every WHOIS server answers every name alike; without a behaviour, WHOIS is off. */
async function rowsOfBoth(behaviour?: WhoisBehaviour): Promise<Json[]> {
  await using lab = await startLab();
  lab.script(DENIED, { dns: "nxdomain", rdap: "free" });
  lab.script(UNANSWERED, { dns: "nxdomain", rdap: "badRequest400" });
  if (behaviour !== undefined) { for (const tld of TLDS) lab.scriptWhois(tld, behaviour); }
  const env = behaviour === undefined ? {} : whoisEnv(lab);
  const isEndless = behaviour !== undefined && ENDLESS.includes(behaviour);
  await using service = await startTested(lab, env, isEndless);
  const rows = [];
  for (const label of [DENIED, UNANSWERED]) {
    rows.push(...(await service.get(`/check?name=${label}`)).body.results);
  }
  // A server of two TLDs that refuses one of them rests before the other.
  const servers = new Set(TLDS.map((tld) => whoisServerOf(tld)?.host));
  const queries = lab.whoisQueries.length;
  assert(behaviour === undefined ? queries === 0 : queries >= servers.size, `${queries}`);
  return rows;
}

Deno.test("a server that answers alike for every name changes no row, or is missed where it is needed and refuses", async () => {
  const without = await rowsOfBoth();
  for (const behaviour of BEHAVIOURS) {
    const isMissed = ({ domain, tld }: Json) =>
      domain.startsWith(DENIED) && REFUSALS.includes(behaviour) && NEEDED_SERVERS.has(tld);
    const rows = await rowsOfBoth(behaviour);
    for (const { state, likely } of rows.filter(isMissed)) {
      assertEquals([behaviour, state, likely], [behaviour, "unknown", "available"]);
    }
    const others = (rows: Json[]) => masked(rows.filter((row) => !isMissed(row)));
    assertEquals([behaviour, others(rows)], [behaviour, others(without)]);
  }
});

Deno.test("with port 43 shut the rows equal those without WHOIS", async () => {
  await using lab = await startLab();
  const env = { WHOIS: "on", WHOIS_SERVER: `127.0.0.1:${freePort()}` };
  assertEquals(masked(await rowsOf(lab, env, "reset")), masked(await rowsOf(lab, {}, "reset")));
});

/** The WHOIS queries about a domain. */
function whoisQueries(lab: Lab, domain: string): number {
  return lab.whoisQueries.filter((query) => query.domain === domain).length;
}

Deno.test("a look-up asks WHOIS once for all its clients, and not if DNS shows a delegation", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, {
    env: { ...whoisEnv(lab), TLDS: TLDS.join(",") },
    ...PATIENT,
  });
  await service.get("/check?name=first");
  await Promise.all([service.check("second.com"), service.check("second.com")]);
  await service.check("second.com");
  await service.check("taken.com");
  for (const tld of TLDS) assertEquals([tld, whoisQueries(lab, `first.${tld}`)], [tld, 1]);
  assertEquals([whoisQueries(lab, "second.com"), whoisQueries(lab, "taken.com")], [1, 0]);
  // The test of each server, once: a made-up name and a registered one.
  assertEquals(lab.whoisQueries.length, TLDS.length * 3 + 1);
});

Deno.test("depth=dns and a disconnected client ask no WHOIS server", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: whoisEnv(lab), ...PATIENT });
  await service.get("/check?name=zebra77&tld=com&depth=dns");
  await service.services.checkDomain("zebra77", "com", { signal: AbortSignal.abort() });
  assertEquals(lab.whoisQueries, []);
});

Deno.test("a WHOIS record proves a name taken while its registry's RDAP host pauses", async () => {
  await using lab = await startLab();
  lab.script("limited.com", { dns: "nxdomain", rdap: "rateLimitedSeconds" });
  lab.script("kept.com", { dns: "nxdomain", rdap: "registered" });
  await using service = await startService(lab, { env: whoisEnv(lab), ...PATIENT });
  const limited = await service.check("limited.com");
  assertEquals([limited.state, limited.retryAfter], ["unknown", 30]);
  assertMatch(limited.error ?? "", /429.*; its WHOIS has no record, so probably available$/);
  const kept = await service.check("kept.com");
  assertEquals([kept.state, kept.status, kept.source], [
    "taken",
    ["undelegated", "active"],
    "whois",
  ]);
  assertEquals((await service.check("kept.com")).source, "whois+cache");
  assertEquals(lab.requests.some(({ path }) => path.endsWith("/kept.com")), false);
});

Deno.test("WHOIS queries of xyz keep the pace of its RDAP host, and its pauses", async () => {
  const host = "rdap.centralnic.com";
  const asked = (lab: Lab) => [
    ...lab.requests.filter((request) => request.host === host).map(({ at }) => at),
    ...lab.whoisQueries.map(({ at }) => at),
  ];
  await using lab = await startLab();
  lab.script("limited.xyz", { dns: "nxdomain", rdap: "rateLimitedSeconds" });
  // A tenth of the real intervals.
  const pace = { ...hostPolicy(host), everyMs: hostPolicy(host).everyMs / 10 };
  await using service = await startService(lab, {
    env: { ...whoisEnv(lab), TLDS: "xyz" },
    ...PATIENT,
    paceOf: () => pace,
    monotonic: () => performance.now(),
  });
  for (let place = 0; place < 8; place++) {
    assertEquals((await service.check(`name-${place}.xyz`)).state, "available");
  }
  assert(lab.whoisQueries.length > 3, `${lab.whoisQueries.length} WHOIS queries`);
  assert(overPace(asked(lab), pace) < 0.5, `${asked(lab)}`);
  assertEquals((await service.check("limited.xyz")).retryAfter, 30);
  lab.clear();
  assertEquals((await service.check("zebra77.xyz")).state, "unknown");
  assertEquals(asked(lab), []);
});

Deno.test("a server that refuses queries is not asked for a minute, then for longer; where it is needed, names are likely available", async () => {
  for (const tld of ["org", "biz"]) {
    await using lab = await startLab();
    // The clock runs: a query whose place in a queue lies ahead would wait forever at a clock that stands.
    let skippedMs = 0;
    await using service = await startService(lab, {
      env: { ...whoisEnv(lab), TLDS: tld },
      now: () => Date.now() + skippedMs,
      monotonic: () => performance.now() + skippedMs,
      ...PATIENT,
    });
    const assertUnwitnessed = async (name: string, mostSeconds: number) => {
      const { state, likely, retryAfter = 0 } = await service.check(`${name}.${tld}`);
      const expected = tld === "org" ? ["unknown", "available"] : ["available", undefined];
      assertEquals([state, likely], expected);
      if (tld === "biz") return;
      assert(retryAfter > mostSeconds - 20 && retryAfter <= mostSeconds, `${retryAfter}`);
    };
    assertEquals((await service.check(`zebra1.${tld}`)).state, "available");
    lab.scriptWhois(tld, "limited");
    await assertUnwitnessed("zebra2", 60);
    lab.clear();
    skippedMs += 59_000;
    await assertUnwitnessed("zebra3", 2);
    assertEquals(lab.whoisQueries, []);
    lab.scriptWhois(tld, "dropzone");
    skippedMs += 3_000;
    // Such an answer counts only after another test, which the server fails.
    await assertUnwitnessed("zebra4", 120);
    const tests = (kind: string) =>
      service.events.filter((e) => e.event === "whois.test" && e.kind === kind).length;
    // Where WHOIS is not needed the test goes on after the answer: one that the clock overtakes in its queue is not made.
    await until("the server has failed the other test", () => tests("failed") === 2);
    lab.scriptWhois(tld, undefined);
    skippedMs += 600_000;
    lab.script(`zebra5.${tld}`, { dns: "nxdomain", rdap: "free", whois: "dropzone" });
    await service.check(`zebra5.${tld}`);
    await until("the server passes again", () => tests("passed") === 2);
    lab.script(`zebra6.${tld}`, { dns: "nxdomain", rdap: "free", whois: "dropzone" });
    const { state, source, reason } = await service.check(`zebra6.${tld}`);
    assertEquals([state, source], ["reserved", "whois"]);
    assertMatch(reason ?? "", /^The registry's WHOIS says: ".*PIR Dropzone service\."$/);
  }
});

Deno.test("servers whose terms say 'reserved' or 'restrict' pass their test: what they have a record of is taken", async () => {
  await using lab = await startLab();
  lab.script("zebra77", { dns: "nxdomain", rdap: "error500", whois: "record" });
  const tlds = ["biz", "cloud", "online", "site", "store", "tech", "tv"];
  const env = { ...whoisEnv(lab), TLDS: tlds.join(",") };
  await using service = await startService(lab, { env, ...PATIENT });
  const { body } = await service.get("/check?name=zebra77");
  for (const { tld, state, source } of body.results) {
    assertEquals([tld, state, source], [tld, "taken", "whois"]);
  }
  const tests = service.events.filter(({ event }) => event === "whois.test");
  assertEquals(tests.map(({ kind }) => kind), tlds.map(() => "passed"));
  const { body: { registries } } = await service.get("/health");
  assertEquals(registries.filter(({ kind }: Json) => kind === "whois"), []);
});

Deno.test("an IDN's WHOIS record counts in either form of its name", async () => {
  await using lab = await startLab();
  const name = "xn--bcher-kva";
  lab.script(`${name}.com`, { dns: "nxdomain", rdap: "unavailable503", whois: "record" });
  await using service = await startService(lab, { env: whoisEnv(lab), ...PATIENT });
  assertEquals((await service.check(`${name}.com`)).source, "whois");
});

Deno.test("WHOIS queries and answers are counted by server", async () => {
  await using lab = await startLab();
  lab.script("zebra77.com", { dns: "nxdomain", rdap: "free", whois: "reserved" });
  await using service = await startService(lab, { env: whoisEnv(lab), ...PATIENT });
  await service.check("zebra77.com");
  lab.scriptWhois("com", "limited");
  await service.check("zebra78.com");
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const host = 'host="whois.verisign-grs.com"';
  for (
    const line of [
      `availability_whois_answers_total{${host},result="reserved"} 1`,
      `availability_whois_answers_total{${host},result="limited"} 1`,
      `availability_upstream_requests_total{${host},result="text"} 5`,
      `availability_upstream_seconds_count{${host}} 5`,
      `availability_gate_wait_seconds_count{${host}} 5`,
      `availability_answers_total{state="reserved",source="whois"} 1`,
    ]
  ) assert(text.includes(`${line}\n`), `${line} is not in ${text}`);
  assertEquals(/zebra7/.test(text), false);
  const logged = service.events.filter(({ event }) => event === "whois.test");
  assertEquals(logged.map(({ tld, host, kind }) => [tld, host, kind]), [
    ["com", "whois.verisign-grs.com", "passed"],
    ["com", "whois.verisign-grs.com", "failed"],
  ]);
});
