import { assertEquals, assertMatch } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { createKvFile } from "../support/kv_file.ts";
import { startService } from "../support/service.ts";
import { verdictOfEntries } from "../support/verdict_of_entries.ts";

const HOUR_MS = 3_600_000;
const TLDS = ["com", "info", "io", "org", "site"];

/** A service that has seen a label registered under all TLDs, which the registries have deleted since, and its clock. */
async function startAfterDrop(lab: Lab, env: Record<string, string> = {}) {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const service = await startService(lab, {
    env: { TLDS: TLDS.join(), ...env },
    now,
    // What waits in the background must not seem to wait for hours.
    monotonic: () => performance.now(),
  });
  lab.script("dropped", { dns: "delegated", rdap: "registered" });
  lab.script("dropped.org", { dns: "nxdomain", rdap: "registered" });
  const check = async () => {
    const { body } = await service.get("/check?name=dropped&evidence=1");
    return body.results as (typeof body)[];
  };
  await check();
  // The second check waits for what the first writes.
  const seen = await check();
  assertEquals(seen.map(({ state }) => state), TLDS.map(() => "taken"));
  for (const name of ["dropped", "dropped.org"]) {
    lab.script(name, { dns: "nxdomain", rdap: "free" });
  }
  return {
    service,
    at: (ms: number) => (aheadMs = ms, check()),
    seenAt: Object.fromEntries(seen.map(({ tld, checkedAt }) => [tld, checkedAt])),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

Deno.test("a name of org and info that was registered within 48 hours is unknown, and not cached", async () => {
  await using lab = await startLab();
  await using dropped = await startAfterDrop(lab);
  for (const hours of [1, 2, 24, 47.9]) {
    for (const row of await dropped.at(hours * HOUR_MS)) {
      const isHeldBack = ["info", "org"].includes(row.tld);
      const what = `${row.domain} after ${hours} hours`;
      assertEquals(row.state, isHeldBack ? "unknown" : "available", what);
      assertEquals(verdictOfEntries(row.evidence).status, row.status, what);
      if (!isHeldBack) continue;
      assertMatch(
        row.error,
        /^Just dropped: registered until \S+ at least, .* after its deletion$/,
      );
      assertEquals(row.error.includes(dropped.seenAt[row.tld]), true, row.error);
      assertEquals([row.source, row.likely, row.retryAfter], ["rdap", undefined, undefined]);
    }
  }
  const metrics = await (await fetch(`${dropped.service.url}/metrics`)).text();
  assertMatch(metrics, /\{tld="info",reason="just_dropped"\} 4/);
  const rows = await dropped.at(48 * HOUR_MS);
  assertEquals(rows.map(({ state, error }) => error ?? state), TLDS.map(() => "available"));
});

Deno.test("a name that was registered within 48 hours is unknown also where its registry called it reserved in between", async () => {
  await using lab = await startLab();
  await using dropped = await startAfterDrop(lab);
  for (const name of ["dropped", "dropped.org"]) {
    lab.script(name, { dns: "nxdomain", rdap: "dropzone" });
  }
  const between = await dropped.at(2 * HOUR_MS);
  assertEquals(between.map(({ state }) => state), TLDS.map(() => "reserved"));
  for (const name of ["dropped", "dropped.org"]) {
    lab.script(name, { dns: "nxdomain", rdap: "free" });
  }
  for (const [hours, held] of [[47, ["info", "org"]], [49, []]] as const) {
    const rows = await dropped.at(hours * HOUR_MS);
    const unknown = rows.filter(({ state }) => state === "unknown").map(({ tld }) => tld);
    assertEquals(unknown, [...held], `after ${hours} hours`);
  }
});

Deno.test("a name that was registered within 48 hours is available where a needed WHOIS server denies it, too", async () => {
  await using lab = await startLab();
  await using dropped = await startAfterDrop(lab, whoisEnv(lab));
  const states = (await dropped.at(HOUR_MS)).map(({ tld, state }) => [tld, state]);
  assertEquals(Object.fromEntries(states), {
    com: "available",
    info: "unknown",
    io: "available",
    org: "available",
    site: "available",
  });
});

Deno.test("a name that was registered within 48 hours is unknown for another process on the same KV", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  const start = async (now: () => number) =>
    await startService(lab, { env: { TLDS: "info" }, kv: await file.open(), now });
  {
    await using one = await start(Date.now);
    assertEquals((await one.check("taken.info")).state, "taken");
  }
  lab.script("taken", { dns: "nxdomain", rdap: "free" });
  await using two = await start(() => Date.now() + 2 * HOUR_MS);
  assertEquals((await two.check("taken.info")).state, "unknown");
  assertEquals((await two.check("other-name.info")).state, "available");
});
