import { assertEquals, assertMatch } from "@std/assert";
import { createBootstrapFetch } from "../../src/sources/bootstrap.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createTldStore } from "../../src/store/tld_editions.ts";
import { type Lab, startLab } from "../lab/lab.ts";
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
  const forgetful = new Proxy(kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return name === "atomic" ? () => forgettingNewHome(kv.atomic()) : value.bind(target);
    },
  });
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

Deno.test("a new server that failed its canary is tested again though the file is unchanged", async () => {
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

Deno.test("an unchanged file is not sent again, nor to another process", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  let now = Date.now();
  await using one = await startService(lab, { env, kv: await file.open(), now: () => now });
  const first = (await one.get("/health")).body.tlds;
  now += 86_400_000;
  await using two = await startService(lab, { env, kv: await file.open(), now: () => now });
  const [full, conditional] = fetchesOf(lab);
  assertEquals([full?.headers["if-none-match"], conditional?.headers["if-none-match"]], [
    undefined,
    '"0"',
  ]);
  assertEquals(two.events.some(({ event }) => event === "tlds.unchanged"), true);
  const again = (await two.get("/health")).body.tlds;
  assertEquals(again.publication, first.publication);
  assertEquals(Date.parse(again.refreshedAt) - Date.parse(first.refreshedAt) >= 86_400_000, true);
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

Deno.test("a process that starts asks IANA if a server in KV's table still waits for its test", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  const kv = await file.open();
  await using _first = await startProven(lab, kv);
  const store = createTldStore(
    guardKv(kv, { report: () => {}, monotonic: () => performance.now() }),
  );
  const edition = await store.get();
  await store.set({
    ...edition!,
    contested: [{ tld: "com", rdapBase: "http://rdap.new-home.lab/com/" }],
  });
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  await using later = await startService(lab, { env, kv: await file.open() });
  assertEquals(await serverOf(later, "com"), "rdap.new-home.lab/com");
});

Deno.test("a file is fetched whole when TLDS or the URL has changed", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  const open = async (env: Record<string, string>) =>
    await startService(lab, { env, kv: await file.open() });
  await using _one = await open(env);
  await using more = await open({ TLDS: "com,net,page" });
  assertEquals(await serverOf(more, "page"), "pubapi.registry.google/rdap");
  await using _elsewhere = await open({
    ...env,
    RDAP_BOOTSTRAP_URL: `${lab.proxyUrl}/rdap/dns.json`,
  });
  const asked = lab.requests.filter(({ path }) => path === "/rdap/dns.json");
  assertEquals(asked.map(({ headers }) => headers["if-none-match"]), [
    undefined,
    undefined,
    undefined,
  ]);
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
  // Contested rows are stored with the rows in use.
  const faults: string[] = [];
  const guarded = guardKv(kv, { report: (event) => faults.push(event), monotonic: Date.now });
  await createTldStore(guarded).set({
    publication: "2026-11-21T00:00:00.123456789+00:00",
    refreshedAt: "2100-01-01T00:00:00.000Z",
    ...largestRows(),
    validators: { etag: "x".repeat(256), lastModified: "x".repeat(256) },
    origin: `https://data.iana.org/rdap/dns.json ${MANY_TLDS.map((tld) => tld.padEnd(63, "x"))}`,
    problem: "x".repeat(1_000),
  });
  assertEquals(faults, []);
});

/** Rows and contested rows of 100 bytes each, the highest accepted average. */
function largestRows() {
  const rows = MANY_TLDS.map((tld) => ({ tld: tld.padEnd(5, "x"), rdapBase: "x".repeat(70) }));
  return { rows, contested: rows.map((row) => ({ ...row })) };
}

Deno.test("a file whose publication is not a time is refused and not shown", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.setTable(tableOf({}, `2026-11-21T00:00:00Z${"x".repeat(700_000)}`));
  await service.services.jobs.dependencies.tlds.refresh();
  const { tlds } = (await service.get("/health")).body;
  assertEquals(tlds.publication, "2026-11-20T00:00:00Z");
  assertMatch(tlds.problem, /not a valid RFC 9224 table/);
});

Deno.test("an entity tag that is too long is dropped", async () => {
  const reply = new Response(tableOf({}), {
    headers: { etag: `"${"x".repeat(300)}"`, "last-modified": "Sat, 21 Nov 2026 00:00:00 GMT" },
  });
  const get = async () => ({
    kind: "reply" as const,
    status: 200,
    headers: reply.headers,
    body: await reply.text(),
    url: "https://iana.example/",
  });
  const answer = await createBootstrapFetch(get, "https://iana.example/")();
  assertEquals(answer.kind === "file" && answer.validators, {
    lastModified: "Sat, 21 Nov 2026 00:00:00 GMT",
  });
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
