import { assert, assertEquals, assertMatch } from "@std/assert";
import { hostPolicy, NEEDED_SERVERS, whoisServerOf } from "../../src/rules/tables/hosts.ts";
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

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld).filter((tld) => whoisServerOf(tld) !== undefined);
/** Two whose server is needed, one that shares its host with RDAP, and one of neither; what has no form differs in none. */
const FEW = ["com", "io", "org", "xyz"];
const BEHAVIOURS = Object.keys(whoisBehaviours) as WhoisBehaviour[];
/** For servers that never end their answer: nothing else is judged by it. */
const SOON_MS = 300;
/** For servers that answer, also on a busy machine. */
const PATIENT = { timeouts: { whoisMs: 20_000 } };
const ENDLESS: readonly WhoisBehaviour[] = ["silent", "drip"];

/** Of the TLDs, only these servers are asked about a name that RDAP denies. */
const NEEDED = TLDS.filter((tld) => NEEDED_SERVERS.has(tld));

/** The state of such a name that RDAP denies; absent: available, as without WHOIS. */
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

/** Answers that are none: such a name is unknown then. */
const NONE: readonly WhoisBehaviour[] = ["empty", "oversized", "silent", "drip", "reset"];

/** The state of a name that RDAP does not answer for; absent: unknown, as without WHOIS. */
const DOWN_IN_RDAP: Readonly<Partial<Record<WhoisBehaviour, State>>> = {
  record: "taken",
  latin1: "taken",
  reserved: "reserved",
  globalblock: "reserved",
  dropzone: "reserved",
};

/** A service on the lab that has tested its registries and, but for those that never end an answer, WHOIS servers. */
async function startTested(
  lab: Lab,
  { tlds, env, isEndless }: {
    tlds: readonly string[];
    env: Record<string, string>;
    isEndless: boolean;
  },
) {
  const service = await startService(lab, {
    env: { TLDS: tlds.join(","), ...env },
    ...(isEndless ? { timeouts: { whoisMs: SOON_MS } } : PATIENT),
  });
  await service.services.renewCanaries();
  // While its first test runs, a needed server is missing; one that never ends its answer has failed it by then.
  lab.script("zebra76", { dns: "nxdomain", rdap: "badRequest400" });
  await service.get("/check?name=zebra76");
  return service;
}

/** After these a server rests, so that what follows is another case. */
const RESTS: readonly WhoisBehaviour[] = ["limited", ...NONE];
/** The behaviours that one service can meet one after the other. */
const MEETINGS = [BEHAVIOURS.filter((one) => !RESTS.includes(one)), ...RESTS.map((one) => [one])];

/** The rows of names that RDAP answers alike and WHOIS in several ways. */
async function* rowsWith(rdap: NameScript["rdap"], behaviours: readonly WhoisBehaviour[]) {
  await using lab = await startLab();
  const isEndless = behaviours.some((one) => ENDLESS.includes(one));
  const tlds = behaviours.length > 1 ? TLDS : FEW;
  await using service = await startTested(lab, { tlds, env: whoisEnv(lab), isEndless });
  for (const behaviour of behaviours) {
    const label = `zebra-${behaviour.toLowerCase()}`;
    lab.script(label, { dns: "nxdomain", rdap, whois: behaviour });
    const { body: { results } } = await service.get(`/check?name=${label}`);
    assertEquals(results.length, tlds.length);
    for (const row of results as Json[]) yield { row, tld: row.tld as string, behaviour };
  }
}

for (const behaviours of MEETINGS) {
  const which = behaviours.join(", ");

  Deno.test(`a name that RDAP denies is right, with each WHOIS answer: ${which}`, async () => {
    for await (const { row, tld, behaviour } of rowsWith("free", behaviours)) {
      const isNeeded = NEEDED.includes(tld);
      const isMissing = isNeeded && NONE.includes(behaviour);
      const byWhois = isNeeded ? DENIED_BY_RDAP[behaviour] : undefined;
      const state = isMissing ? "unknown" : byWhois ?? "available";
      assertEquals([tld, behaviour, row.state], [tld, behaviour, state]);
      assertEquals(
        [row.likely, row.retryAfter > 0],
        isMissing ? ["available", true] : [undefined, false],
      );
    }
  });

  Deno.test(`a name that RDAP fails for is right, with each WHOIS answer: ${which}`, async () => {
    for await (const { row, tld, behaviour } of rowsWith("badRequest400", behaviours)) {
      assertEquals([tld, behaviour, row.state], [
        tld,
        behaviour,
        DOWN_IN_RDAP[behaviour] ?? "unknown",
      ]);
      assertEquals(row.source, row.state === "unknown" ? "rdap" : "whois");
      const isLikely =
        /; the registry's WHOIS has no record, so probably available(; retry in \d+ s)?$/
          .test(row.error ?? "");
      assertEquals([tld, isLikely, row.likely], [
        tld,
        behaviour === "denial",
        behaviour === "denial" ? "available" : undefined,
      ]);
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
  if (behaviour !== undefined) { for (const tld of FEW) lab.scriptWhois(tld, behaviour); }
  const env = behaviour === undefined ? {} : whoisEnv(lab);
  const isEndless = behaviour !== undefined && ENDLESS.includes(behaviour);
  await using service = await startTested(lab, { tlds: FEW, env, isEndless });
  const rows = [];
  for (const label of [DENIED, UNANSWERED]) {
    rows.push(...(await service.get(`/check?name=${label}`)).body.results);
  }
  // A server of two TLDs that refuses one of them rests before the other.
  const servers = new Set(FEW.map((tld) => whoisServerOf(tld)?.host));
  const queries = lab.whoisQueries.length;
  assert(behaviour === undefined ? queries === 0 : queries >= servers.size, `${queries}`);
  return rows;
}

Deno.test("a server that answers alike for every name changes no row but its words, or is missed where it is needed", async () => {
  const without = await rowsOfBoth();
  for (const behaviour of BEHAVIOURS) {
    const isMissed = ({ domain, tld }: Json) => domain.startsWith(DENIED) && NEEDED.includes(tld);
    const rows = await rowsOfBoth(behaviour);
    for (const { state, likely } of rows.filter(isMissed)) {
      assertEquals([behaviour, state, likely], [behaviour, "unknown", "available"]);
    }
    const others = (rows: Json[]) =>
      masked(
        rows.filter((row) => !isMissed(row)).map(({ error: _, retryAfter: __, ...row }) => row),
      );
    assertEquals([behaviour, others(rows)], [behaviour, others(without)]);
  }
});

Deno.test("with port 43 shut the rows equal those without WHOIS after a quarter of an hour", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using service = await startService(lab, {
    env: { TLDS: TLDS.join(","), WHOIS: "on", WHOIS_SERVER: `127.0.0.1:${freePort()}` },
    now: () => now,
  });
  const missed = async (name: string) => {
    const { body } = await service.get(`/check?name=${name}`);
    return body.results.filter(({ state }: Json) => state !== "available").map((
      { tld, likely }: Json,
    ) => `${tld} ${likely}`);
  };
  assertEquals(await missed("early-one"), NEEDED.map((tld) => `${tld} available`));
  now += 15 * 60_000;
  assertEquals(await missed("late-one"), []);
});

/** The WHOIS queries about a domain. */
function whoisQueries(lab: Lab, domain: string): number {
  return lab.whoisQueries.filter((query) => query.domain === domain).length;
}

Deno.test("a look-up asks a needed WHOIS server once for all its clients, not if DNS shows a delegation, and no other", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, {
    env: { ...whoisEnv(lab), TLDS: TLDS.join(",") },
    ...PATIENT,
  });
  await service.get("/check?name=first");
  await Promise.all([service.check("second.org"), service.check("second.org")]);
  await service.check("second.org");
  await service.check("taken.org");
  for (const tld of TLDS) {
    const count = NEEDED.includes(tld) ? 1 : 0;
    assertEquals([tld, whoisQueries(lab, `first.${tld}`)], [tld, count]);
  }
  assertEquals([whoisQueries(lab, "second.org"), whoisQueries(lab, "taken.org")], [1, 0]);
  // The test of each server, once: two made-up names and a registered one.
  assertEquals(lab.whoisQueries.length, NEEDED.length * 4 + 1);
});

Deno.test("depth=dns and a disconnected client ask no WHOIS server", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: whoisEnv(lab), ...PATIENT });
  await service.get("/check?name=zebra77&tld=org&depth=dns");
  await service.services.checkDomain("zebra77", "org", { signal: AbortSignal.abort() });
  assertEquals(lab.whoisQueries, []);
});

Deno.test("a WHOIS record proves a name taken while its registry's RDAP host pauses", async () => {
  await using lab = await startLab();
  lab.script("limited.com", { dns: "nxdomain", rdap: "rateLimitedSeconds" });
  lab.script("kept.com", { dns: "nxdomain", rdap: "registered" });
  await using service = await startService(lab, { env: whoisEnv(lab), ...PATIENT });
  const limited = await service.check("limited.com");
  assertEquals([limited.state, limited.retryAfter], ["unknown", 30]);
  assertMatch(
    limited.error ?? "",
    /429.*; the registry's WHOIS has no record, so probably available(; retry in \d+ s)?$/,
  );
  const kept = await service.check("kept.com");
  assertEquals([kept.state, kept.status, kept.source], [
    "taken",
    ["undelegated", "active"],
    "whois",
  ]);
  assertEquals((await service.check("kept.com")).source, "whois+cache");
  assertEquals(lab.requests.some(({ path }) => path.endsWith("/kept.com")), false);
});

Deno.test("WHOIS of xyz is asked while the breaker of its RDAP host is open", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { ...whoisEnv(lab), TLDS: "xyz" } });
  await service.services.renewCanaries();
  for (let n = 0; n < 8; n++) {
    lab.script(`kept-${n}.xyz`, { dns: "nxdomain", rdap: "reset", whois: "record" });
    assertEquals((await service.check(`kept-${n}.xyz`)).state, "taken", `${n}`);
  }
  const { registries } = (await service.get("/health")).body;
  assertEquals(registries.map(({ state }: { state: string }) => state), ["cooling"]);
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
    lab.script(`name-${place}.xyz`, { dns: "nxdomain", rdap: "badRequest400", whois: "record" });
    assertEquals((await service.check(`name-${place}.xyz`)).source, "whois");
  }
  assert(lab.whoisQueries.length > 3, `${lab.whoisQueries.length} WHOIS queries`);
  assert(overPace(asked(lab), pace) < 0.5, `${asked(lab)}`);
  assertEquals((await service.check("limited.xyz")).retryAfter, 30);
  lab.clear();
  assertEquals((await service.check("zebra77.xyz")).state, "unknown");
  assertEquals(asked(lab), []);
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
  const tests = service.events.filter(({ event, witness }) =>
    event === "server.test" && witness === "whois"
  );
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
