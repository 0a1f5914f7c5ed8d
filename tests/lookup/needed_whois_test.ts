import { assert, assertEquals, assertMatch } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { runJob } from "../support/run_job.ts";
import { type Json, type RunningService, startService } from "../support/service.ts";

/** Enough for the test of a server and one name; then a query a minute. */
const SLOW = { concurrency: 4, burst: 3, everyMs: 60_000 };

async function post(service: RunningService, names: readonly string[]): Promise<Json[]> {
  const { status, body } = await service.get("/check", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ names, tlds: ["org"] }),
  });
  assertEquals(status, 200);
  return body.results;
}

Deno.test("a name whose needed WHOIS server has a queue is likely available, and asking again costs the WHOIS query only", async () => {
  await using lab = await startLab();
  let aheadMs = 0;
  await using service = await startService(lab, {
    env: { ...whoisEnv(lab), TLDS: "org" },
    whoisPaceOf: () => SLOW,
    now: () => Date.now() + aheadMs,
  });
  await service.services.renewCanaries();
  assertEquals((await service.check("zebra1.org")).state, "available");
  const row = await service.check("zebra2.org");
  assertEquals([row.state, row.available, row.likely], ["unknown", false, "available"]);
  assertEquals(row.status, ["unknown", "undelegated"]);
  assertMatch(row.error ?? "", /its WHOIS server, .*, could not be asked yet$/);
  assert((row.retryAfter ?? 0) > 0 && (row.retryAfter ?? 0) <= 60, `${row.retryAfter}`);
  lab.clear();
  aheadMs += 60_000;
  const later = await service.check("zebra2.org");
  assertEquals([later.state, later.checkedAt], ["available", row.checkedAt]);
  assertEquals([lab.requests, lab.dnsQueries], [[], []]);
  assertEquals(lab.whoisQueries.map(({ domain }) => domain), ["zebra2.org"]);
});

Deno.test("a kept denial is not used after its registry has failed a test, or after five minutes", async () => {
  for (const fails of [true, false]) {
    await using lab = await startLab();
    let aheadMs = 0;
    await using service = await startService(lab, {
      env: { ...whoisEnv(lab), TLDS: "org" },
      whoisPaceOf: () => SLOW,
      now: () => Date.now() + aheadMs,
    });
    await service.services.renewCanaries();
    await service.check("zebra1.org");
    assertEquals((await service.check("zebra2.org")).likely, "available");
    lab.script("zebra2.org", { dns: "nxdomain", rdap: "registered" });
    aheadMs += fails ? 60_000 : 5 * 60_000;
    if (fails) {
      for (const seed of ["google", "nic", "amazon"]) {
        lab.script(`${seed}.org`, { dns: "delegated", rdap: "free" });
      }
      await runJob(service, "probe_registries");
    }
    assertEquals((await service.check("zebra2.org")).state, "taken");
  }
});

Deno.test("a list makes no name available that only its registry's WHOIS server withholds, then or for others afterwards", async () => {
  await using lab = await startLab();
  let aheadMs = 0;
  const names = Array.from({ length: 15 }, (_, at) => [`kept-${at}`, `free-${at}`]).flat();
  for (const name of names.filter((name) => name.startsWith("kept"))) {
    lab.script(`${name}.org`, { dns: "nxdomain", rdap: "free", whois: "globalblock" });
  }
  await using service = await startService(lab, {
    env: { ...whoisEnv(lab), TLDS: "org", RATE_LIMIT: "1000" },
    whoisPaceOf: () => ({ concurrency: 6, burst: 6, everyMs: 250 }),
    now: () => Date.now() + aheadMs,
  });
  const first = await post(service, names);
  const again = await post(service, names);
  for (const row of [...first, ...again]) {
    const isKept = row.domain.startsWith("kept");
    const said = row.state === "unknown" ? `likely ${row.likely}` : row.state;
    assert(
      ["likely available", isKept ? "reserved" : "available"].includes(said),
      JSON.stringify(row),
    );
  }
  assert(first.filter(({ state }) => state === "unknown").length > 10);
  aheadMs += 60_000;
  for (const name of names.slice(-4)) {
    aheadMs += 60_000;
    const { state } = await service.check(`${name}.org`);
    assertEquals([name, state], [name, name.startsWith("kept") ? "reserved" : "available"]);
  }
});
