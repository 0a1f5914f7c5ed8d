import { assert, assertEquals, assertMatch } from "@std/assert";
import { stateOf } from "../../src/rules/verdict.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { createKvFile } from "../support/kv_file.ts";
import { runJob } from "../support/run_job.ts";
import { type RunningService, startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { verdictOfEntries } from "../support/verdict_of_entries.ts";

/** The names in the paths. */
function rdapPaths(lab: Lab): string[] {
  return lab.requests.filter(({ path }) => path.includes("/domain/"))
    .map(({ path }) => path.replace(/.*\/domain\//, ""))
    .map((name) => name.replace(/^(?:[a-z]{30}|[a-z]{12})\./, "<made-up>."));
}

Deno.test("a registry that denies registered names is never trusted", async () => {
  await using lab = await startLab({ lyingHosts: ["rdap.radix.host"] });
  await using service = await startService(lab);
  const result = await service.check("some-name.online");
  assertEquals([result.available, result.status], [false, ["unknown"]]);
  assertMatch(
    result.error ?? "",
    /not trusted: its RDAP server denies names known to be registered/,
  );
  assertEquals((await service.check("taken.online")).status, ["active"]);
  assertEquals((await service.get("/health")).body.checks.rdap, "failing");
});

Deno.test("a registry is trusted for one TLD and not for another on the same host", async () => {
  await using lab = await startLab();
  lab.scriptTld("site", "free");
  await using service = await startService(lab);
  assertEquals((await service.check("some-name.online")).available, true);
  assertMatch((await service.check("some-name.site")).error ?? "", /not trusted/);
});

Deno.test("a registry that reports a made-up name as registered is not trusted", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "online" } });
  lab.scriptTld("online", "registered");
  await service.services.renewCanaries();
  lab.scriptTld("online", undefined);
  const result = await service.check("another-name.online");
  assertMatch(result.error ?? "", /has a record of a made-up name/);
});

Deno.test("a record proves nothing while the registry's test with a made-up name has failed", async () => {
  await using lab = await startLab();
  let now = Date.now();
  const env = { TLDS: "online" };
  await using service = await startService(lab, { env, now: () => now });
  lab.scriptTld("online", "registered");
  await service.services.renewCanaries();
  lab.clear();
  const { body } = await service.get("/check?name=some-name&tld=online&evidence=1");
  const [{ state, available, likely, error, evidence }] = body.results;
  assertEquals([state, available, likely], ["unknown", false, "taken"]);
  assertMatch(error, /record of this name proves nothing: .* made-up name/);
  const [dns, rdap] = evidence;
  assertEquals([dns.means, rdap.means, rdap.canary.found], [
    "not_delegated",
    "registered",
    "failed",
  ]);
  assert(Date.parse(rdap.canary.testedAt) > 0);
  assertEquals(stateOf(verdictOfEntries(evidence)), "unknown");
  assertEquals((await service.check("taken.online")).state, "taken", "DNS shows it");
  assertEquals(rdapPaths(lab), ["some-name.online"], "no test more");
  // Its result is no longer in force.
  now += 3_600_000;
  assertEquals((await service.check("some-name.online")).state, "taken");
});

Deno.test("a record proves a registration when the registry failed a test in another way", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "online" } });
  for (const seed of ["google", "nic", "amazon"]) {
    lab.script(seed, { dns: "delegated", rdap: "free" });
  }
  await service.services.renewCanaries();
  assertMatch((await service.check("free-name.online")).error ?? "", /not trusted/);
  assertEquals((await service.check("undelegated.online")).state, "taken");
});

for (const [confirming, other] of [["online", "site"], ["site", "online"]]) {
  Deno.test(`records of ${other} count while ${confirming} of the same host confirms a made-up name`, async () => {
    await using lab = await startLab();
    await using service = await startService(lab, { env: { TLDS: "online,site" } });
    lab.scriptTld(`${confirming}`, "registered");
    // The first check tests both with one question.
    await service.get("/check?name=first-name");
    assertEquals((await service.check(`undelegated.${other}`)).state, "taken");
    assertEquals((await service.check(`free-name.${other}`)).state, "available");
  });
}

Deno.test("WHOIS can prove a registration where the registry's record proves nothing", async () => {
  await using lab = await startLab();
  const env = { TLDS: "online", ...whoisEnv(lab) };
  await using service = await startService(lab, { env });
  lab.script("kept.online", { dns: "nxdomain", rdap: "registered", whois: "record" });
  lab.script("left.online", { dns: "nxdomain", rdap: "registered", whois: "denial" });
  lab.scriptTld("online", "registered");
  await service.services.renewCanaries();
  const { state, source } = await service.check("kept.online");
  assertEquals([state, source], ["taken", "whois"]);
  assertEquals((await service.check("left.online")).state, "unknown");
});

Deno.test("a cached record proves nothing once the registry confirms a made-up name, and is looked up again after that", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  let now = Date.now();
  const start = async () =>
    await startService(lab, {
      env: { TLDS: "online" },
      kv: await file.open(),
      now: () => now,
      // Time stands still, in which no pace lets a further test start.
      paceOf: () => ({ concurrency: 4, burst: 4, everyMs: 0 }),
    });
  await using one = await start();
  await using two = await start();
  await one.services.renewCanaries();
  const rowOf = async (service: RunningService, name: string) => {
    const { state, source } = await service.check(`${name}.online`);
    return [state, source];
  };
  await one.check("reserved.online");
  lab.scriptTld("online", "registered");
  for (const service of [one, two]) {
    for (const name of ["some-name", "taken"]) await service.check(`${name}.online`);
    assertEquals(await rowOf(service, "some-name"), ["taken", "rdap+cache"]);
  }
  now += 1;
  await runJob(one, "probe_registries");
  assertEquals(await rowOf(one, "some-name"), ["unknown", "rdap"]);
  assertEquals(await rowOf(one, "taken"), ["taken", "dns+cache"]);
  assertEquals(await rowOf(one, "reserved"), ["reserved", "rdap+cache"]);
  now += 3_000;
  assertEquals(await rowOf(two, "some-name"), ["unknown", "rdap"]);
  lab.scriptTld("online", undefined);
  lab.script("some-name.online", { dns: "nxdomain", rdap: "registered" });
  await runJob(one, "probe_registries");
  now += 3_000;
  for (const service of [one, two]) {
    assertEquals(await rowOf(service, "some-name"), ["taken", "rdap"]);
    assertEquals(await rowOf(service, "some-name"), ["taken", "rdap+cache"]);
    assertEquals(await rowOf(service, "taken"), ["taken", "dns+cache"]);
  }
});

Deno.test("a name that DNS has shown as delegated serves as a canary when no seed is delegated", async () => {
  await using lab = await startLab();
  for (const seed of ["google", "nic", "amazon"]) {
    lab.script(seed, { dns: "nxdomain", rdap: "free" });
  }
  await using service = await startService(lab);
  await service.check("taken.com");
  assertEquals((await service.check("some-name.com")).available, true);
  assertEquals(rdapPaths(lab).includes("taken.com"), true);
});

Deno.test("a registry passes when it denies one registered name and confirms the next", async () => {
  await using lab = await startLab();
  lab.script("google.com", { dns: "delegated", rdap: "free" });
  await using service = await startService(lab);
  assertEquals((await service.check("some-name.com")).available, true);
  assertEquals(rdapPaths(lab).toSorted(), [
    "<made-up>.com",
    "<made-up>.com",
    "google.com",
    "nic.com",
    "some-name.com",
  ]);
});

Deno.test("a test is made once and stored in KV for other processes", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  await using one = await startService(lab, { kv: await file.open() });
  await Promise.all(["new-1", "new-2", "new-3"].map((label) => one.check(`${label}.com`)));
  assertEquals(rdapPaths(lab).filter((name) => name === "<made-up>.com").length, 2);
  lab.clear();
  await using two = await startService(lab, { kv: await file.open() });
  assertEquals((await two.check("new-4.com")).available, true);
  assertEquals(rdapPaths(lab), ["new-4.com"]);
});

Deno.test("a test result is valid for one base: another base of the TLD is tested again", async () => {
  const kv = await Deno.openKv(":memory:");
  await kv.set(["test", "rdap", "com"], {
    server: "http://moved.lab/com/",
    result: { kind: "passed", witness: "google", templates: [] },
    testedAt: Date.now(),
    expiresAt: Date.now() + 3_600_000,
  });
  await kv.set(["tests"], true);
  await using lab = await startLab({ lyingHosts: ["rdap.verisign.com"] });
  await using service = await startService(lab, { kv });
  assertMatch((await service.check("new-1.com")).error ?? "", /not trusted/);
});

Deno.test("a test that found out nothing is made again after a minute", async () => {
  await using lab = await startLab();
  let now = Date.now();
  lab.script("google.com", { dns: "delegated", rdap: "html200" });
  lab.script("nic.com", { dns: "delegated", rdap: "html200" });
  lab.script("amazon.com", { dns: "delegated", rdap: "html200" });
  await using service = await startService(lab, { now: () => now });
  assertMatch((await service.check("some-name.com")).error ?? "", /could not be tested/);
  lab.script("google.com", { dns: "delegated", rdap: "registered" });
  lab.clear();
  assertEquals((await service.check("some-name.com")).state, "unknown");
  assertEquals(rdapPaths(lab), ["some-name.com"]);
  now += 60_000;
  assertEquals((await service.check("some-name.com")).available, true);
});

Deno.test("a pass is withdrawn at once when the name is denied on which it rests, before the test goes on", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "bot" } });
  assertEquals((await service.check("one-name.bot")).state, "available");
  lab.script("google.bot", { dns: "delegated", rdap: "free" });
  lab.script("nic.bot", { dns: "delegated", rdap: "registered", delayMs: 300 });
  lab.clear();
  const probing = runJob(service, "probe_registries");
  await until("its test has begun", () => rdapPaths(lab).includes("nic.bot"), 1);
  assertEquals((await service.check("another-name.bot")).available, false);
  await probing;
  assertEquals((await service.check("new-name.bot")).state, "available");
});

Deno.test("a look-up does not return available when the registry fails its test during it", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "bot" } });
  await service.check("one-name.bot");
  lab.script("slow-one.bot", { dns: "nxdomain", rdap: "free", delayMs: 500 });
  lab.clear();
  const late = service.check("slow-one.bot");
  await until("the name is asked for", () => rdapPaths(lab).includes("slow-one.bot"), 1);
  for (const seed of ["google", "nic", "amazon"]) {
    lab.script(seed, { dns: "delegated", rdap: "free" });
  }
  await runJob(service, "probe_registries");
  assertEquals((await late).state, "unknown");
});

Deno.test("a 404 from before the registry passed its test again makes no name available", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using service = await startService(lab, { env: { TLDS: "bot" }, now: () => now });
  lab.scriptTld("bot", "free");
  assertEquals((await service.check("one-name.bot")).state, "unknown");
  // The failure is no longer in force: the next look-up tests the registry.
  now += 10 * 60_000;
  lab.scriptTld("bot", undefined);
  const early = await service.check("one-name.bot");
  assertEquals(early.state, "unknown");
  assertMatch(early.error ?? "", /failed a test of its 404s when it was asked/);
  now += 1;
  assertEquals((await service.check("one-name.bot")).state, "available");
});

Deno.test("a first check asks for two made-up names under each TLD, and for no name twice", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const { body } = await service.get("/check?name=first-name");
  assertEquals(body.results.filter(({ state }: { state: string }) => state === "unknown"), []);
  const asked = lab.requests.filter(({ path }) => path.includes("/domain/"));
  const madeUp = asked.flatMap(({ path }) => /\/[a-z]{30}\.(\w+)$/.exec(path)?.[1] ?? []);
  assertEquals(madeUp.toSorted(), BUILT_IN_TLDS.map(({ tld }) => tld));
  assertEquals(new Set(asked.map(({ path }) => path)).size, asked.length);
  const strictest = asked.filter(({ host }) => host === "rdap.identitydigital.services");
  assertEquals(strictest.length, 16, "four names, four registered and eight made-up ones");
});

Deno.test("probe() logs a registry that fails its test once, as a warning with the reason, until its state changes", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "bot" } });
  const probe = () => runJob(service, "probe_registries");
  await probe();
  lab.scriptTld("bot", "free");
  for (const _ of [1, 2, 3]) await probe();
  lab.scriptTld("bot", undefined);
  for (const _ of [1, 2]) await probe();
  const logged = service.events.filter(({ event }) => event === "server.test");
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
