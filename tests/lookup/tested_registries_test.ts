import { assert, assertEquals, assertMatch } from "@std/assert";
import { TEST_SEEDS } from "../../src/rules/tested_server.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import type { State } from "../../src/rules/verdict.ts";
import type { Lab } from "../lab/lab.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import { runJob } from "../support/run_job.ts";
import type { RunningService } from "../support/service.ts";
import { until } from "../support/until.ts";

const test = testsOnLab({ env: { TLDS: "com,online,site" } });

/** The names in the paths. */
function rdapPaths(lab: Lab): string[] {
  return lab.requests.filter(({ path }) => path.includes("/domain/"))
    .map(({ path }) => path.replace(/.*\/domain\//, ""))
    .map((name) => name.replace(/^(?:[a-z]{24}|[a-z]{12})\./, "<made-up>."));
}

/** Makes the registry deny the names that its test asks for, of which DNS shows each or none. */
function scriptSeeds(lab: Lab, dns: "delegated" | "nxdomain"): void {
  for (const seed of TEST_SEEDS) lab.script(seed, { dns, rdap: "free" });
}

const DENIES = /not trusted: its RDAP server denies names known to be registered/;

/** Faults of a registry during the test beside a first check, and what is said of names afterwards. */
const FAULTS: [what: string, fault: (lab: Lab) => void, said: Record<string, State | RegExp>][] = [
  ["denies registered names", (lab) => lab.scriptHost("rdap.radix.host", "free"), {
    "some-name.online": DENIES,
    "taken.online": "taken",
  }],
  ["denies them, and has records", (lab) => scriptSeeds(lab, "delegated"), {
    "free-name.online": DENIES,
    "undelegated.online": "taken",
  }],
  ["denies them under one of its TLDs", (lab) => lab.scriptTld("site", "free"), {
    "some-name.online": "available",
    "some-name.site": DENIES,
  }],
  ["has a record of a made-up name", (lab) => lab.scriptTld("online", "registered"), {
    "another-name.online": /has a record of a made-up name/,
    "undelegated.site": "taken",
    "free-name.site": "available",
  }],
  ["says reserved of a made-up name", (lab) => lab.scriptTld("online", "reserved"), {
    "another-name.online": /reports a made-up name as not registrable/,
  }],
];

for (const [what, fault, said] of FAULTS) {
  test(`a registry that ${what} is not trusted for that TLD alone`, async ({ get, check, lab }) => {
    fault(lab);
    await get("/check?name=first-name");
    for (const tld of ["online", "site"]) lab.scriptTld(tld, undefined);
    for (const [domain, expected] of Object.entries(said)) {
      const { state, available, error = "" } = await check(domain);
      if (expected instanceof RegExp) assertMatch(error, expected, domain);
      assertEquals(state, expected instanceof RegExp ? "unknown" : expected, domain);
      assertEquals(available, state === "available", domain);
    }
  });
}

test("a record proves nothing while the registry's test with a made-up name has failed", async ({ check, get, services, lab, clock }) => {
  lab.scriptTld("online", "registered");
  await services.renewCanaries();
  lab.clear();
  const { body } = await get("/check?name=some-name&tld=online&evidence=1");
  const [{ state, available, likely, error, evidence }] = body.results;
  assertEquals([state, available, likely], ["unknown", false, "taken"]);
  assertMatch(error, /record of this name proves nothing: .* made-up name/);
  const [dns, rdap] = evidence;
  const means = [dns.means, rdap.means, rdap.canary.found];
  assertEquals(means, ["not_delegated", "registered", "failed"]);
  assert(Date.parse(rdap.canary.testedAt) > 0);
  assertEquals((await check("taken.online")).state, "taken", "DNS shows it");
  assertEquals(rdapPaths(lab), ["some-name.online"], "no test more");
  assertEquals((await get("/health")).body.checks.rdap, "failing");
  // Its result is no longer in force.
  clock.aheadMs += 3_600_000;
  assertEquals((await check("some-name.online")).state, "taken");
});

test("a cached record, or denial in whichever words, proves nothing once the registry confirms a made-up name, and is looked up again after that", async ({ lab, clock, start, ...one }) => {
  const two = await start();
  await one.services.renewCanaries();
  const rowOf = async (service: Pick<RunningService, "check">, name: string) => {
    const { state, source } = await service.check(`${name}.online`);
    return [state, source];
  };
  await one.check("reserved.online");
  // In the background a random name is asked about, too, and then a registered one.
  await until("that is over", () => rdapPaths(lab).at(-1) === "google.online", 1);
  lab.scriptTld("online", "registered");
  for (const service of [one, two]) {
    for (const name of ["some-name", "taken"]) await service.check(`${name}.online`);
    assertEquals(await rowOf(service, "some-name"), ["taken", "rdap+cache"]);
  }
  await runJob(one, "probe_registries");
  assertEquals(await rowOf(one, "some-name"), ["unknown", "rdap"]);
  assertEquals(await rowOf(one, "taken"), ["taken", "dns+cache"]);
  assertEquals(await rowOf(one, "reserved"), ["unknown", "rdap"]);
  clock.aheadMs += 3_000;
  assertEquals(await rowOf(two, "some-name"), ["unknown", "rdap"]);
  lab.scriptTld("online", undefined);
  lab.script("some-name.online", { dns: "nxdomain", rdap: "registered" });
  await runJob(one, "probe_registries");
  clock.aheadMs += 3_000;
  for (const service of [one, two]) {
    assertEquals(await rowOf(service, "some-name"), ["taken", "rdap"]);
    assertEquals(await rowOf(service, "some-name"), ["taken", "rdap+cache"]);
    assertEquals(await rowOf(service, "taken"), ["taken", "dns+cache"]);
  }
  assertEquals(await rowOf(one, "reserved"), ["reserved", "rdap"]);
});

test("a name that DNS has shown as delegated serves as a canary when no seed is delegated, also after one that is not in RDAP yet", async ({ check, lab, clock }) => {
  scriptSeeds(lab, "nxdomain");
  await check("taken.com");
  assertEquals((await check("some-name.com")).available, true);
  assertEquals(rdapPaths(lab).includes("taken.com"), true);
  lab.script("fresh.com", { dns: "delegated", rdap: "free" });
  await check("fresh.com");
  clock.aheadMs += 100 * 60_000;
  assertEquals((await check("other-name.com")).available, true);
});

test("a registry passes when it denies its own name and confirms the next, once for all processes", async ({ check, lab, start }) => {
  lab.script("google.com", { dns: "nxdomain", rdap: "free" });
  lab.script("nic.com", { dns: "delegated", rdap: "free" });
  const rows = await Promise.all(["new-1.com", "new-2.com", "new-3.com"].map(check));
  assertEquals(rows.map(({ available }) => available), [true, true, true]);
  assertEquals(rdapPaths(lab).filter((name) => !name.startsWith("new-")).toSorted(), [
    "<made-up>.com",
    "<made-up>.com",
    "amazon.com",
    "nic.com",
  ]);
  lab.clear();
  assertEquals((await (await start()).check("new-4.com")).available, true);
  assertEquals(rdapPaths(lab), ["new-4.com"]);
});

test("the details of a taken name that its registry denies have the registry tested", async (service) => {
  const { check, lab, clock, get } = service;
  assertEquals((await check("one-name.online")).state, "available");
  clock.aheadMs += 120_000;
  lab.script("shop.online", { dns: "delegated", rdap: "free" });
  lab.script("google.online", { dns: "delegated", rdap: "free" });
  assertEquals((await get("/details?domain=shop.online")).body.state, "taken");
  await until("its test has failed", async () => !(await check("new-name.online")).available, 1);
});

test("a 404 from before the registry passed its test again makes no name available: the name is asked about once more", async ({ check, lab, clock }) => {
  lab.scriptTld("online", "free");
  assertEquals((await check("one-name.online")).state, "unknown");
  // The failure is no longer in force: the next look-up tests the registry.
  clock.aheadMs += 10 * 60_000;
  lab.scriptTld("online", undefined);
  lab.clear();
  assertEquals((await check("one-name.online")).state, "available");
  assertEquals(rdapPaths(lab).filter((path) => path === "one-name.online").length, 2);
});

Deno.test("a first check asks for two made-up names under each TLD, and for no name twice", () =>
  onLab(async ({ get, lab }) => {
    const { body } = await get("/check?name=first-name");
    assertEquals(body.results.filter(({ state }: { state: string }) => state === "unknown"), []);
    const asked = lab.requests.filter(({ path }) => path.includes("/domain/"));
    const madeUp = asked.flatMap(({ path }) => /\/[a-z]{24}\.(\w+)$/.exec(path)?.[1] ?? []);
    assertEquals(madeUp.toSorted(), BUILT_IN_TLDS.map(({ tld }) => tld));
    assertEquals(new Set(asked.map(({ path }) => path)).size, asked.length);
    const strictest = asked.filter(({ host }) => host === "rdap.identitydigital.services");
    assertEquals(strictest.length, 16, "four names, four registered and eight made-up ones");
  }));

test("probe() logs a registry that fails its test once, as a warning with the reason, until its state changes", async (service) => {
  const { events, lab } = service;
  const probe = () => runJob(service, "probe_registries");
  await probe();
  lab.scriptTld("online", "free");
  for (const _ of [1, 2, 3]) await probe();
  lab.scriptTld("online", undefined);
  for (const _ of [1, 2]) await probe();
  const logged = events.filter(({ event, tld }) => event === "server.test" && tld === "online");
  assertEquals(logged.map(({ level, kind }) => `${level} ${kind}`), [
    "info passed",
    "warn failed",
    "debug failed",
    "debug failed",
    "info passed",
    "debug passed",
  ]);
  assertMatch(`${logged[1]?.reason}`, /denies names known to be registered/);
});
