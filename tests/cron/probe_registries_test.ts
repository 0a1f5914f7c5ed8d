import { assert, assertEquals, assertMatch } from "@std/assert";
import { whoisEnv } from "../lab/lab_env.ts";
import { failingKv } from "../support/changed_kv.ts";
import { isWritten } from "../support/kv_file.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import { runJob } from "../support/run_job.ts";
import { until } from "../support/until.ts";

/** Longer than a process uses its copy of the canary results. */
const A_MOMENT_MS = 3_000;

const test = testsOnLab(({ lab }) => ({ env: { ...whoisEnv(lab), TLDS: "com,net" } }));

test("one probe detects a registry that starts to deny registered names, for all processes", async ({ lab, kv, start, clock, ...one }) => {
  const two = await start();
  assertEquals((await one.check("free-name.com")).available, true);
  await until("it is written", () => isWritten(kv, "free-name.com"));
  assertEquals((await two.check("free-name.com")).source, "rdap+cache");
  assertEquals((await two.check("free-name.net")).available, true);

  lab.scriptTld("com", "free");
  const outcome = await runJob(one, "probe_registries");
  assertEquals(outcome, { kind: "done", message: "1 failed (com), 1 passed" });
  assertMatch((await one.check("new-name.com")).error ?? "", /not trusted/);
  assertEquals((await one.check("free-name.com")).status, ["unknown"], "dropped from the cache");
  assertEquals((await one.get("/health")).body.checks.rdap, "failing");

  clock.aheadMs += A_MOMENT_MS;
  assertEquals((await two.check("free-name.com")).status, ["unknown"], "from the other's too");
  assertEquals((await two.check("newer-name.com")).status, ["unknown"]);
  assertEquals((await two.check("free-name.net")).source, "rdap+cache", "net does not lie");
  assertEquals((await two.check("taken.com")).status, ["active"]);

  lab.scriptHost("rdap.verisign.com", "html200");
  const undecided = await runJob(one, "probe_registries");
  assertMatch(undecided?.kind === "failed" ? undecided.reason : "", /2 undecided \(com, net\)/);
  lab.scriptHost("rdap.verisign.com", undefined);
  assertEquals((await two.check("newest-name.net")).available, true, "its pass stands");
});

Deno.test("one probe detects a needed WHOIS server that starts to deny registered names, for all processes", () =>
  onLab(async ({ lab, kv, start, clock, ...one }) => {
    const two = await start();
    assertEquals((await one.check("free-name.org")).available, true);
    await until("it is written", () => isWritten(kv, "free-name.org"));
    assertEquals((await two.check("free-name.org")).source, "rdap+cache");

    lab.scriptWhois("org", "denial");
    assertEquals((await runJob(one, "probe_registries"))?.kind, "done");
    clock.aheadMs += A_MOMENT_MS;
    for (const service of [one, two]) {
      const { state, likely, error = "" } = await service.check("free-name.org");
      assertEquals([state, likely], ["unknown", "available"]);
      assertMatch(error, /its WHOIS server, which tells the names that it withholds, has trouble/);
    }
  }, ({ lab }) => ({ env: { ...whoisEnv(lab), TLDS: "org" } })));

Deno.test("a cached available is returned during a KV outage by the results that this process knows", async () => {
  let fails = false;
  const kv = failingKv(await Deno.openKv(":memory:"), "list", () => fails);
  await onLab(async ({ check, clock }) => {
    assertEquals((await check("free-name.com")).available, true);
    fails = true;
    clock.aheadMs += A_MOMENT_MS;
    const kept = await check("free-name.com");
    assert(kept.available && kept.source === "rdap+cache");
  }, { env: { TLDS: "com" }, kv });
});
