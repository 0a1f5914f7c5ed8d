import { assert, assertEquals, assertMatch } from "@std/assert";
import { NEEDED_SERVERS, whoisServerOf } from "../../src/rules/tables/hosts.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import type { State } from "../../src/rules/verdict.ts";
import type { Lab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import type { WhoisBehaviour } from "../lab/whois_behaviours.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import { startLineServer } from "../lab/whois_server.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import { freePort } from "../support/process.ts";
import type { Json } from "../support/service.ts";
import { until } from "../support/until.ts";

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld).filter((tld) => whoisServerOf(tld) !== undefined);
/** For servers that answer, also on a busy machine. */
const PATIENT = { timeouts: { whoisMs: 20_000 } };

/** Of the TLDs, only these servers are asked about a name that RDAP denies. */
const NEEDED = TLDS.filter((tld) => NEEDED_SERVERS.has(tld));

/**
 * The state of a name that RDAP denies, by what the needed server answers; undefined: its answer is none. The situations
 * have the words that withhold a name, tests/rules/whois_reply_test.ts all others.
 */
const DENIED_BY_RDAP: [WhoisBehaviour, State | undefined][] = [
  ["denial", "available"],
  ["record", "unknown"],
  // Though it answers the next query.
  ["limited", undefined],
  ["empty", undefined],
];

for (const [behaviour, state] of DENIED_BY_RDAP) {
  Deno.test(`a name of io that RDAP denies is ${state ?? "likely available"} when WHOIS answers ${behaviour}, and one of xyz available`, () =>
    onLab(async ({ get, services, lab }) => {
      await services.renewCanaries();
      // While its first test runs, a needed server is missing.
      await get("/check?name=zebra76");
      lab.script("zebra77", { dns: "nxdomain", rdap: "free", whois: behaviour });
      const { body: { results } } = await get("/check?name=zebra77");
      const shown = results.map((row: Json) => [row.state, row.likely, row.retryAfter > 0]);
      assertEquals(shown, [
        state === undefined ? ["unknown", "available", true] : [state, undefined, false],
        ["available", undefined, false],
      ]);
    }, ({ lab }) => ({ env: { TLDS: "io,xyz", ...whoisEnv(lab) }, ...PATIENT })));
}

const test = testsOnLab(({ lab }) => ({
  env: { ...whoisEnv(lab), TLDS: TLDS.join() },
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
  assertEquals(registries.map(({ state }: Json) => state), ["cooling"]);
});

/** Enough for the test of a server and one name; the next one waits for longer than a client that wants JSON. */
const SLOW = { concurrency: 4, burst: 4, everyMs: 3_000 };

Deno.test("a name whose needed WHOIS server has a queue is likely available, and asking again finds the answer of its look-up", () =>
  onLab(async ({ check, services, lab }) => {
    await services.renewCanaries();
    assertEquals((await check("zebra1.org")).state, "available");
    const row = await check("zebra2.org");
    assertEquals([row.state, row.available, row.likely], ["unknown", false, "available"]);
    assertEquals(row.status, ["unknown", "undelegated"]);
    assertMatch(row.error ?? "", /its WHOIS server, .*, could not be asked yet; retry in \d+ s$/);
    assert((row.retryAfter ?? 0) > 0 && (row.retryAfter ?? 0) <= 60, `${row.retryAfter}`);
    const isFound = async () => (await check("zebra2.org")).state === "available";
    await until("its look-up has an answer", isFound);
    const asked = lab.whoisQueries.filter(({ domain }) => domain === "zebra2.org");
    const requests = lab.requests.filter(({ path }) => /zebra2/.test(path));
    assertEquals([asked.length, requests.length], [1, 1]);
  }, ({ lab }) => ({ env: { ...whoisEnv(lab), TLDS: "org" }, whoisPaceOf: () => SLOW })));

Deno.test("a name is not available for others when the client has left that waited for its WHOIS server", () =>
  onLab(async ({ check, services, lab }) => {
    await services.renewCanaries();
    assertEquals((await check("zebra1.org")).state, "available");
    lab.script("kept", { dns: "nxdomain", rdap: "free", whois: "globalblock", delayMs: 300 });
    const leaving = new AbortController();
    const row = services.checkDomain("kept", "org", { signal: leaving.signal, client: "one" });
    await until("RDAP is asked", () => lab.requests.some(({ path }) => path.includes("kept")));
    leaving.abort();
    assertEquals((await row).state, "unknown");
    // On a slow machine the server has its next turn by now.
    const { state } = await check("kept.org");
    assert(["unknown", "reserved"].includes(state), state);
  }, ({ lab }) => ({ env: { ...whoisEnv(lab), TLDS: "org" }, whoisPaceOf: () => SLOW })));

Deno.test("check calls no withheld name available by a WHOIS server in trouble that has only the record of its test", async () => {
  const form = WHOIS_FORMS.io!;
  let isInTrouble = false;
  await using whoisServer = await startLineServer((domain) => {
    if (domain === "google.io") return form.record(domain);
    return isInTrouble ? "Internal server error\r\n" : form.denial(domain);
  });
  await onLab(async ({ check, clock }) => {
    assertEquals((await check("free-name.io")).state, "available");
    isInTrouble = true;
    // A random name is asked about once a minute.
    clock.aheadMs += 61_000;
    const { state, likely } = await check("whois-blocked.io");
    assertEquals([state, likely], ["unknown", "available"]);
  }, { env: { TLDS: "io", WHOIS: "on", WHOIS_SERVER: whoisServer.address } });
});
