import { assertEquals, assertMatch } from "@std/assert";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createTldStore } from "../../src/store/records.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { changedKv } from "../support/changed_kv.ts";
import { createKvFile } from "../support/kv_file.ts";
import { type Json, type RunningService, startService } from "../support/service.ts";

const env = { TLDS: "com,net" };

/** IANA's table with these bases; the lab's own for the rest. */
function tableOf(bases: Record<string, string>, publication = "2026-11-21T00:00:00Z"): string {
  const own = {
    com: "http://rdap.verisign.com/com/v1/",
    net: "http://rdap.verisign.com/net/v1/",
  };
  const services = Object.entries({ ...own, ...bases }).map(([tld, base]) => [[tld], [base]]);
  return JSON.stringify({ publication, services, version: "1.0" });
}

/** A service whose servers of com and net have passed their canaries. */
async function startProven(lab: Lab, kv?: Deno.Kv): Promise<RunningService> {
  lab.setTable(tableOf({}, "2026-11-20T00:00:00Z"));
  const service = await startService(lab, { env, ...(kv && { kv }) });
  await service.services.renewCanaries();
  return service;
}

async function serverOf({ get }: RunningService, tld: string): Promise<string> {
  const { body } = await get("/tlds");
  return body.tlds.find((row: Json) => row.tld === tld)?.rdapServer;
}

function fetchesOf(lab: Lab) {
  return lab.requests.filter(({ host }) => host === "iana.lab");
}

Deno.test("a new server is used when its canary has passed", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  await service.services.jobs.dependencies.tlds.refresh();
  assertEquals(await serverOf(service, "com"), "rdap.new-home.lab/com");
  assertEquals((await service.get("/health")).body.tlds.problem, undefined);
  lab.clear();
  assertEquals((await service.check("some-name.com")).available, true);
  assertEquals(lab.requests.map(({ host }) => host), ["rdap.new-home.lab"], "tested already");
});

Deno.test("a proven server stays in use when KV does not take its table", async () => {
  await using lab = await startLab();
  const kv = await Deno.openKv(":memory:");
  const forgetful = changedKv(
    kv,
    (name) => name === "atomic" ? () => forgettingNewHome(kv.atomic()) : undefined,
  );
  let ahead = 0;
  lab.setTable(tableOf({}, "2026-11-20T00:00:00Z"));
  const now = () => Date.now() + ahead;
  await using service = await startService(lab, { env, kv: forgetful, now });
  await service.services.renewCanaries();
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  await service.services.jobs.dependencies.tlds.refresh();
  // KV is not asked for some seconds after a failure, and the table is read again once a minute.
  ahead = 120_000;
  await service.get("/tlds");
  await service.check("taken.com");
  assertEquals(await serverOf(service, "com"), "rdap.new-home.lab/com");
});

/** A commit that fails if it stores the new server. */
function forgettingNewHome(operation: Deno.AtomicOperation): Deno.AtomicOperation {
  const { set, commit } = operation;
  let isProven = false;
  operation.set = (key, value, options) => {
    const { rows = [] } = value as { rows?: { rdapBase: string }[] };
    isProven ||= key[0] === "tlds" && rows.some(({ rdapBase }) => rdapBase.includes("new-home"));
    return set.call(operation, key, value, options);
  };
  operation.commit = () =>
    isProven ? Promise.reject(new Error("disk I/O error")) : commit.call(operation);
  return operation;
}

Deno.test("checks use the old server without waiting while the new one is tested", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  lab.scriptHost("rdap.new-home.lab", { kind: "silent" });
  const refreshed = service.services.jobs.dependencies.tlds.refresh();
  while (!lab.requests.some(({ host }) => host === "rdap.new-home.lab")) {
    assertEquals((await service.check(`name-${lab.requests.length}.com`)).available, true);
  }
  assertEquals((await service.check("another-name.com")).available, true);
  assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1");
  service.services.giveUp();
  await refreshed;
});

Deno.test("a new server that fails its canary is not used, and /health reports why", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.setTable(tableOf({ com: "http://moved.lab/com/", net: "http://rdap.new-home.lab/net/" }));
  await service.services.jobs.dependencies.tlds.refresh();
  assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1");
  assertEquals(await serverOf(service, "net"), "rdap.new-home.lab/net");
  assertEquals((await service.check("some-name.com")).available, true);
  const { tlds } = (await service.get("/health")).body;
  assertEquals(tlds.publication, "2026-11-21T00:00:00Z");
  assertMatch(tlds.problem, /^the new RDAP server for com is not used: .*not trusted/);
});

Deno.test("a new server that failed its canary is tested again by the next refresh", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.scriptHost("rdap.new-home.lab", "free");
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  await service.services.jobs.dependencies.tlds.refresh();
  assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1");
  lab.scriptHost("rdap.new-home.lab", undefined);
  await service.services.jobs.dependencies.tlds.refresh();
  assertEquals(await serverOf(service, "com"), "rdap.new-home.lab/com");
  assertEquals((await service.get("/health")).body.tlds.problem, undefined);
});

Deno.test("a process that starts does not ask IANA while the table in KV is less than a day old", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  let now = Date.now();
  const start = async () => await startService(lab, { env, kv: await file.open(), now: () => now });
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  await using _first = await start();
  for (const [ms, fetches] of [[86_399_000, 1], [-86_399_000, 1], [86_400_000, 2]] as const) {
    now += ms;
    await using later = await start();
    assertEquals(await serverOf(later, "com"), "rdap.new-home.lab/com");
    assertEquals(fetchesOf(lab).length, fetches);
  }
});

Deno.test("a process that starts asks IANA if the table in KV has a problem", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  const start = async () => await startService(lab, { env, kv: await file.open() });
  await using first = await start();
  lab.setTable("{");
  await first.services.jobs.dependencies.tlds.refresh();
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  await using later = await start();
  assertEquals(await serverOf(later, "com"), "rdap.new-home.lab/com");
  assertEquals((await later.get("/health")).body.tlds.problem, undefined);
});

Deno.test("a process that starts asks IANA if the table in KV is of other TLDs", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  await using _one = await startService(lab, { env, kv: await file.open() });
  const more = { TLDS: "com,net,page" };
  await using service = await startService(lab, { env: more, kv: await file.open() });
  assertEquals(await serverOf(service, "page"), "pubapi.registry.google/rdap");
});

/** The maximum number of TLDs, none of them built in. */
const MANY_TLDS = Array.from(
  { length: 200 },
  (_, n) => `t${n}`.replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? ""),
);

/** A table of them with bases of this length. */
function tableOfLongBases(length: number): string {
  const services = MANY_TLDS.map((
    tld,
  ) => [[tld], [`http://rdap.${tld}.lab/`.padEnd(length - 1, "x") + "/"]]);
  return JSON.stringify({ publication: "2026-11-21T00:00:00Z", services, version: "1.0" });
}

Deno.test("the largest accepted table fits into KV, and a larger one is refused", async () => {
  await using lab = await startLab();
  const kv = await Deno.openKv(":memory:");
  lab.setTable(tableOfLongBases(70));
  await using service = await startService(lab, { env: { TLDS: MANY_TLDS.join() }, kv });
  const kept = (await kv.get<{ rows: unknown[] }>(["tlds"])).value;
  assertEquals(kept?.rows.length, 200);
  lab.setTable(tableOfLongBases(200));
  await service.services.jobs.dependencies.tlds.refresh();
  assertMatch((await service.get("/health")).body.tlds.problem, /^the RDAP servers take \d+ bytes/);
  assertEquals(await serverOf(service, "ta"), "rdap.ta.lab/".padEnd(62, "x"));
  const faults: string[] = [];
  const guarded = guardKv(kv, { report: (event) => faults.push(event), monotonic: Date.now });
  await createTldStore(guarded, { now: Date.now }).set({
    publication: "2026-11-21T00:00:00.123456789+00:00",
    refreshedAt: "2100-01-01T00:00:00.000Z",
    rows: MANY_TLDS.map((tld) => ({ tld: tld.padEnd(5, "x"), rdapBase: "x".repeat(70) })),
    origin: `https://data.iana.org/rdap/dns.json ${MANY_TLDS.map((tld) => tld.padEnd(63, "x"))}`,
    problem: "x".repeat(1_000),
  });
  assertEquals(faults, []);
});

Deno.test("a file whose publication is not a time is refused and not shown", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.setTable(tableOf({}, `2026-11-21T00:00:00Z${"x".repeat(700_000)}`));
  await service.services.jobs.dependencies.tlds.refresh();
  const { tlds } = (await service.get("/health")).body;
  assertEquals(tlds.publication, "2026-11-20T00:00:00Z");
  assertMatch(tlds.problem, /not a valid RFC 9224 table/);
});

/** Files that may be published by mistake. */
function mistakes(lab: Lab): Record<string, () => void> {
  const table = tableOf({});
  return {
    "HTTP 500": () => lab.setTable(table, 500),
    "not a valid RFC 9224 table": () => lab.setTable(table.slice(0, -20)),
    "no usable RDAP server for com": () => lab.setTable(table.replace('["com"]', '["museum"]')),
    oversized: () => lab.setTable(table + " ".repeat(50 * 1_024 * 1_024)),
  };
}

Deno.test("a broken or shrunken file changes nothing, fails no check, and is reported until it is repaired", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  for (const [problem, publish] of Object.entries(mistakes(lab))) {
    publish();
    const refreshed = service.services.jobs.dependencies.tlds.refresh();
    assertEquals((await service.check(`during-${lab.requests.length}.com`)).available, true);
    await refreshed;
    const { tlds } = (await service.get("/health")).body;
    assertEquals(tlds.publication, "2026-11-20T00:00:00Z", problem);
    assertMatch(tlds.problem, new RegExp(problem));
    assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1", problem);
    const failures = service.events.filter(({ event }) => event === "tlds.refresh_failed");
    assertMatch(String(failures.at(-1)?.reason), new RegExp(problem));
  }
  lab.setTable(tableOf({}));
  await service.services.jobs.dependencies.tlds.refresh();
  const { tlds } = (await service.get("/health")).body;
  assertEquals([tlds.publication, tlds.problem], ["2026-11-21T00:00:00Z", undefined]);
});

Deno.test("a process uses the table that another one refreshed within two minutes, and reports its problem", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  let now = Date.now();
  await using one = await startProven(lab, await file.open());
  await using two = await startService(lab, { env, kv: await file.open(), now: () => now });
  lab.setTable(tableOf({ com: "http://moved.lab/com/", net: "http://rdap.new-home.lab/net/" }));
  await one.services.jobs.dependencies.tlds.refresh();
  assertEquals(await serverOf(two, "net"), "rdap.verisign.com/net/v1");
  now += 61_000;
  while (await serverOf(two, "net") !== "rdap.new-home.lab/net") await two.get("/tlds");
  assertEquals(await serverOf(two, "com"), "rdap.verisign.com/com/v1");
  assertMatch((await two.get("/health")).body.tlds.problem, /not used/);
});
