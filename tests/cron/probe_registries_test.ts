import { assert, assertEquals, assertMatch } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { failingKv } from "../support/changed_kv.ts";
import { runJob } from "../support/run_job.ts";
import { startService } from "../support/service.ts";
import { startPair } from "../support/service_pair.ts";

/** Longer than a process uses its copy of the canary results. */
const A_MOMENT_MS = 3_000;

const startPairOn = (tlds: string) => startPair((lab) => ({ ...whoisEnv(lab), TLDS: tlds }));

Deno.test("one probe detects a registry that starts to deny registered names, for all processes", async () => {
  await using pair = await startPairOn("com,net");
  const { lab, file, one, two, clock } = pair;
  assertEquals((await one.check("free-name.com")).available, true);
  await file.written("free-name.com");
  assertEquals((await two.check("free-name.com")).source, "rdap+cache");
  assertEquals((await two.check("free-name.net")).available, true);

  lab.scriptTld("com", "free");
  const outcome = await runJob(one, "probe_registries");
  assertEquals(outcome, { kind: "done", message: "1 passed, 1 failed (com)" });
  assertMatch((await one.check("new-name.com")).error ?? "", /not trusted/);
  assertEquals((await one.check("free-name.com")).status, ["unknown"], "dropped from the cache");
  assertEquals((await one.get("/health")).body.checks.rdap, "failing");

  clock.now += A_MOMENT_MS;
  assertEquals((await two.check("free-name.com")).status, ["unknown"], "from the other's too");
  assertEquals((await two.check("newer-name.com")).status, ["unknown"]);
  assertEquals((await two.check("free-name.net")).source, "rdap+cache", "net does not lie");
  assertEquals((await two.check("taken.com")).status, ["active"]);
});

Deno.test("one probe detects a needed WHOIS server that starts to deny registered names, for all processes", async () => {
  await using pair = await startPairOn("org");
  const { lab, file, one, two, clock } = pair;
  assertEquals((await one.check("free-name.org")).available, true);
  await file.written("free-name.org");
  assertEquals((await two.check("free-name.org")).source, "rdap+cache");

  lab.scriptWhois("org", "denial");
  assertEquals((await runJob(one, "probe_registries")).kind, "done");
  clock.now += A_MOMENT_MS;
  for (const service of [one, two]) {
    const { state, likely, error = "" } = await service.check("free-name.org");
    assertEquals([state, likely], ["unknown", "available"]);
    assertMatch(error, /its WHOIS server, which tells the names that it withholds, has trouble/);
  }
});

Deno.test("a probe tests every registry again while its last result is in force, and without results it does not withdraw a pass", async () => {
  await using pair = await startPairOn("com,net");
  const { lab, one, clock } = pair;
  await runJob(one, "probe_registries");
  lab.clear();
  await runJob(one, "probe_registries");
  const asked = lab.requests.map(({ path }) => path.replace(/[a-z]{12,30}\./, "<random>."));
  const expected = ["com", "net"].flatMap((tld) =>
    ["<random>", "<random>", "google"].map((label) => `/${tld}/v1/domain/${label}.${tld}`)
  );
  assertEquals(asked.toSorted(), expected);
  lab.scriptHost("rdap.verisign.com", "html200");
  const outcome = await runJob(one, "probe_registries");
  assertMatch(outcome.kind === "failed" ? outcome.reason : "", /2 undecided \(com, net\)/);
  lab.scriptHost("rdap.verisign.com", undefined);
  clock.now += A_MOMENT_MS;
  assertEquals((await one.check("new-name.com")).available, true);
});

Deno.test("a cached available is returned during a KV outage by the results that this process knows", async () => {
  await using lab = await startLab();
  const clock = { now: Date.now() };
  let fails = false;
  const kv = failingKv(await Deno.openKv(":memory:"), "list", () => fails);
  const env = { TLDS: "com" };
  await using service = await startService(lab, { env, kv, now: () => clock.now });
  assertEquals((await service.check("free-name.com")).available, true);
  fails = true;
  clock.now += A_MOMENT_MS;
  const kept = await service.check("free-name.com");
  assert(kept.available && kept.source === "rdap+cache");
});
