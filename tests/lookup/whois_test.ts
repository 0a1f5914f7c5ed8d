import { assert, assertEquals, assertMatch } from "@std/assert";
import { hostPolicy, NEEDED_SERVERS, whoisServerOf } from "../../src/rules/tables/hosts.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import type { State } from "../../src/rules/verdict.ts";
import type { Lab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { type WhoisBehaviour, whoisBehaviours } from "../lab/whois_behaviours.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import { overPace } from "../support/over_pace.ts";
import { freePort } from "../support/process.ts";
import type { Json } from "../support/service.ts";

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

/** After these a server rests, so that what follows is another case. */
const RESTS: readonly WhoisBehaviour[] = ["limited", ...NONE];
/** The behaviours that one service can meet one after the other. */
const MEETINGS = [BEHAVIOURS.filter((one) => !RESTS.includes(one)), ...RESTS.map((one) => [one])];

/** Checks the row of a name that RDAP denies, by what WHOIS answers. */
function assertDenied(row: Json, behaviour: WhoisBehaviour): void {
  const isNeeded = NEEDED.includes(row.tld);
  const isMissing = isNeeded && NONE.includes(behaviour);
  const byWhois = isNeeded ? DENIED_BY_RDAP[behaviour] : undefined;
  const state = isMissing ? "unknown" : byWhois ?? "available";
  const [likely, hasPause] = isMissing ? ["available", true] : [undefined, false];
  const found = [row.state, row.likely, row.retryAfter > 0];
  assertEquals([row.tld, behaviour, ...found], [row.tld, behaviour, state, likely, hasPause]);
}

/** Checks the row of a name that RDAP fails for, by what WHOIS answers. */
function assertFailed(row: Json, behaviour: WhoisBehaviour): void {
  const state = DOWN_IN_RDAP[behaviour] ?? "unknown";
  const source = state === "unknown" ? "rdap" : "whois";
  const isLikely = /; the registry's WHOIS has no record, so probably available(; retry in \d+ s)?$/
    .test(row.error ?? "");
  const [isDenial, likely] = behaviour === "denial" ? [true, "available"] : [false, undefined];
  const found = [row.state, row.source, isLikely, row.likely];
  assertEquals([row.tld, behaviour, ...found], [
    row.tld,
    behaviour,
    state,
    source,
    isDenial,
    likely,
  ]);
}

for (
  const [rdap, assertRow] of [["free", assertDenied], ["badRequest400", assertFailed]] as const
) {
  for (const behaviours of MEETINGS) {
    const tlds = behaviours.length > 1 ? TLDS : FEW;
    const isEndless = ENDLESS.some((one) => behaviours.includes(one));
    Deno.test(`a name is right when RDAP answers ${rdap}, with each WHOIS answer: ${behaviours.join(", ")}`, () =>
      onLab(async ({ get, services, lab }) => {
        await services.renewCanaries();
        // While its first test runs, a needed server is missing; one that never ends its answer has failed it by then.
        lab.script("zebra76", { dns: "nxdomain", rdap: "badRequest400" });
        await get("/check?name=zebra76");
        for (const behaviour of behaviours) {
          const label = `zebra-${behaviour.toLowerCase()}`;
          lab.script(label, { dns: "nxdomain", rdap, whois: behaviour });
          const { body: { results } } = await get(`/check?name=${label}`);
          assertEquals(results.length, tlds.length);
          for (const row of results) assertRow(row, behaviour);
        }
      }, ({ lab }) => ({
        env: { TLDS: tlds.join(","), ...whoisEnv(lab) },
        ...(isEndless ? { timeouts: { whoisMs: SOON_MS } } : PATIENT),
      })));
  }
}

const test = testsOnLab(({ lab }) => ({
  env: { ...whoisEnv(lab), TLDS: TLDS.join(",") },
  ...PATIENT,
}));

Deno.test("with port 43 shut the rows equal those without WHOIS after a quarter of an hour", () =>
  onLab(async ({ get, clock }) => {
    const missed = async (name: string) => {
      const rows: Json[] = (await get(`/check?name=${name}`)).body.results;
      return rows.filter(({ state }) => state !== "available")
        .map(({ tld, likely }) => `${tld} ${likely}`);
    };
    assertEquals(await missed("early-one"), NEEDED.map((tld) => `${tld} available`));
    clock.aheadMs += 15 * 60_000;
    assertEquals(await missed("late-one"), []);
  }, { env: { TLDS: TLDS.join(","), WHOIS: "on", WHOIS_SERVER: `127.0.0.1:${freePort()}` } }));

/** The WHOIS queries about a domain. */
function whoisQueries(lab: Lab, domain: string): number {
  return lab.whoisQueries.filter((query) => query.domain === domain).length;
}

test("a look-up asks a needed WHOIS server once for all its clients, not if DNS shows a delegation, and no other", async ({ check, get, lab }) => {
  await get("/check?name=first");
  await Promise.all([check("second.org"), check("second.org")]);
  await check("second.org");
  await check("taken.org");
  for (const tld of TLDS) {
    const count = NEEDED.includes(tld) ? 1 : 0;
    assertEquals([tld, whoisQueries(lab, `first.${tld}`)], [tld, count]);
  }
  assertEquals([whoisQueries(lab, "second.org"), whoisQueries(lab, "taken.org")], [1, 0]);
  // The test of each server, once: two made-up names and a registered one.
  assertEquals(lab.whoisQueries.length, NEEDED.length * 4 + 1);
});

test("depth=dns and a disconnected client ask no WHOIS server", async ({ get, services, lab }) => {
  await get("/check?name=zebra77&tld=org&depth=dns");
  await services.checkDomain("zebra77", "org", { signal: AbortSignal.abort() });
  assertEquals(lab.whoisQueries, []);
});

test("a WHOIS record proves a name taken while its registry's RDAP host pauses, in either form of its name", async ({ check, lab }) => {
  lab.script("limited.com", { dns: "nxdomain", rdap: "rateLimitedSeconds" });
  const limited = await check("limited.com");
  assertEquals([limited.state, limited.retryAfter], ["unknown", 30]);
  assertMatch(
    limited.error ?? "",
    /429.*; the registry's WHOIS has no record, so probably available(; retry in \d+ s)?$/,
  );
  for (const name of ["kept.com", "xn--bcher-kva.com"]) {
    lab.script(name, { dns: "nxdomain", rdap: "registered" });
    const { state, status, source } = await check(name);
    assertEquals([state, status, source], ["taken", ["undelegated", "active"], "whois"], name);
    assertEquals((await check(name)).source, "whois+cache");
    assertEquals(lab.requests.some(({ path }) => path.endsWith(`/${name}`)), false);
  }
});

test("WHOIS of xyz is asked while the breaker of its RDAP host is open", async ({ check, get, services, lab }) => {
  await services.renewCanaries();
  for (let n = 0; n < 8; n++) {
    lab.script(`kept-${n}.xyz`, { dns: "nxdomain", rdap: "reset", whois: "record" });
    assertEquals((await check(`kept-${n}.xyz`)).state, "taken", `${n}`);
  }
  const { registries } = (await get("/health")).body;
  assertEquals(registries.map(({ state }: { state: string }) => state), ["cooling"]);
});

const XYZ_HOST = "rdap.centralnic.com";
/** A tenth of the real intervals. */
const XYZ_PACE = { ...hostPolicy(XYZ_HOST), everyMs: hostPolicy(XYZ_HOST).everyMs / 10 };

Deno.test("WHOIS queries of xyz keep the pace of its RDAP host, and its pauses", () =>
  onLab(async ({ check, lab }) => {
    const asked = () => [
      ...lab.requests.filter((request) => request.host === XYZ_HOST).map(({ at }) => at),
      ...lab.whoisQueries.map(({ at }) => at),
    ];
    for (let place = 0; place < 8; place++) {
      lab.script(`name-${place}.xyz`, { dns: "nxdomain", rdap: "badRequest400", whois: "record" });
      assertEquals((await check(`name-${place}.xyz`)).source, "whois");
    }
    assert(lab.whoisQueries.length > 3, `${lab.whoisQueries.length} WHOIS queries`);
    assert(overPace(asked(), XYZ_PACE) < 0.5, `${asked()}`);
    lab.script("limited.xyz", { dns: "nxdomain", rdap: "rateLimitedSeconds" });
    assertEquals((await check("limited.xyz")).retryAfter, 30);
    lab.clear();
    assertEquals((await check("zebra77.xyz")).state, "unknown");
    assertEquals(asked(), []);
  }, ({ lab }) => ({
    env: { ...whoisEnv(lab), TLDS: "xyz" },
    ...PATIENT,
    paceOf: () => XYZ_PACE,
    monotonic: () => performance.now(),
  })));
