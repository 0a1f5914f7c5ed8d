import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { openKv, openUnlockedKv } from "../../src/store/open_kv.ts";
import { startKvConnect } from "../lab/kv_connect/kv_connect.ts";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const SOON = { retryMs: 5, startMs: 10, attemptMs: 10 };

/** What was reported. */
function createReports() {
  const reports: { event: string; reason: string }[] = [];
  const report = (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
    void reports.push({ event, reason: String(fields.reason ?? "") });
  return { report, reports, events: () => reports.map(({ event }) => event) };
}

Deno.test("openKv() rejects when the configuration is wrong", async () => {
  await using server = startKvConnect();
  await using web = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(),
  );
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/corrupt`, "no database ".repeat(1_000));
  // Deno takes the token of this process from its environment, and that of the lab is right.
  (await server.openKv()).close();
  for (
    const [path, why] of [
      [folder, /unable to open database file/],
      [`${folder}/no/such/folder/kv`, /unable to open database file/],
      [`${folder}/corrupt`, /file is not a database/],
      ["http://", /Invalid database url/],
      [`http://127.0.0.1:${web.addr.port}`, /not a valid KV Connect endpoint/],
      [`${server.url}/elsewhere`, /404/],
    ] as const
  ) {
    const { report, reports } = createReports();
    const error = await assertRejects(() => openKv(() => Deno.openKv(path), { report }), Error);
    assertMatch(String(error), why);
    assertEquals(reports, []);
  }
  for (const status of [400, 401, 403, 404]) {
    const { report } = createReports();
    server.fail("metadata", { kind: "status", status });
    await assertRejects(
      () => openKv(() => Deno.openKv(server.url), { report }),
      Error,
      `${status}`,
    );
  }
});

for (const fault of ["stopped", "drop", "hang", 429, 500, 503] as const) {
  Deno.test(`openKv() opens a KV Connect server later when that is at fault: ${fault}`, async () => {
    await using server = startKvConnect();
    (await server.openKv()).close();
    if (fault === "stopped") server.stop();
    else if (typeof fault === "number") server.fail("metadata", { kind: "status", status: fault });
    else server.fail("metadata", { kind: fault });
    const { report, reports, events } = createReports();
    const kv = await openKv(() => Deno.openKv(server.url), { ...SOON, report });
    assertEquals(events(), ["kv.unavailable"]);
    await assertRejects(() => kv.get(["key"]), Error, "KV is unavailable");
    await assertRejects(() => kv.set(["key"], 1), Error, "KV is unavailable");
    await assertRejects(() => kv.atomic().set(["key"], 1).commit(), Error, "KV is unavailable");
    assertThrows(() => kv.list({ prefix: [] }), Error, "KV is unavailable");
    if (fault === "stopped") server.start();
    server.recover();
    await until("the operations reach KV", () => events().includes("kv.opened"));
    assertEquals((await kv.atomic().set(["key"], 1).commit()).ok, true);
    assertEquals((await kv.get(["key"])).value, 1);
    assertEquals((await kv.getMany([["key"]]))[0].value, 1);
    assertEquals(events(), ["kv.unavailable", "kv.opened"], JSON.stringify(reports));
    kv.close();
  });
}

Deno.test("openKv() reports once when a recovered server refuses the token, and keeps retrying", async () => {
  await using server = startKvConnect();
  (await server.openKv()).close();
  server.stop();
  const { report, reports, events } = createReports();
  let attempts = 0;
  const kv = await openKv(() => (attempts++, Deno.openKv(server.url)), { ...SOON, report });
  server.fail("metadata", { kind: "status", status: 401 });
  server.start();
  await until("the refusal is reported", () => reports.length === 2);
  assertMatch(reports[1]?.reason ?? "", /401/);
  const before = attempts;
  await until("it tries again", () => attempts > before + 1);
  server.recover();
  await until("the operations reach KV", () => events().includes("kv.opened"));
  assertEquals(events(), ["kv.unavailable", "kv.unavailable", "kv.opened"]);
  kv.close();
});

Deno.test("openKv() closes a KV that opens after close(), and stops retrying", async () => {
  const opening = Promise.withResolvers<Deno.Kv>();
  let attempts = 0;
  const kv = await openKv(() => (attempts++, opening.promise), { ...createReports(), ...SOON });
  kv.close();
  const real = await Deno.openKv(":memory:");
  opening.resolve(real);
  await until("the late one is closed", () => real.get(["key"]).then(() => false, () => true));
  assertEquals(attempts, 1);
});

Deno.test("a process whose KV is down answers, limits exactly, and reports in /health and its log that it has no KV", async () => {
  await using server = startKvConnect();
  await using lab = await startLab();
  server.stop();
  await using service = await startProcess(lab, { ...server.env, RATE_LIMIT: "3" });
  const get = async (path: string) => {
    const response = await fetch(`${service.url}${path}`);
    return { status: response.status, body: await response.json() };
  };
  const { status, checks } = (await get("/health")).body;
  assertEquals([status, checks.kv], ["degraded", "failing"]);
  assertEquals((await get("/health/ready")).status, 503);
  assertEquals((await get("/check?name=taken&tld=com")).body.results[0].state, "taken");
  assertEquals((await get("/check?name=free&tld=com")).body.results[0].state, "available");
  assertEquals((await get("/tlds")).status, 200);
  for (let n = 0; n < 3; n++) assertEquals((await get("/tlds")).status, 429);
  const unavailable = service.events.find(({ event }) => event === "kv.unavailable");
  assertEquals(unavailable?.level, "warn");
  service.kill("SIGTERM");
  assertEquals((await service.status).code, 0);
});

Deno.test("a service uses KV once it is back, and shares its answers from then on", async () => {
  await using server = startKvConnect();
  await using lab = await startLab();
  (await server.openKv()).close();
  server.stop();
  const { report, events } = createReports();
  const kv = await openKv(() => Deno.openKv(server.url), { ...SOON, report });
  await using service = await startService(lab, { kv });
  assertEquals((await service.check("free-before.com")).source, "rdap");
  assertEquals((await service.get("/health")).body.checks.kv, "failing");
  server.start();
  await until("KV is taken up", () => events().includes("kv.opened"));
  await until(
    "KV answers",
    async () => (await service.get("/health/ready")).status === 200,
  );
  // The limiter tries KV again after a second.
  await until(
    "/health reports it",
    async () => (await service.get("/health")).body.checks.kv === "ok",
  );
  await using other = await startService(lab, { kv: await server.openKv() });
  let tries = 0;
  await until("another service answers from what the first one found", async () => {
    const domain = `free-${tries++}.com`;
    assertEquals((await service.check(domain)).source, "rdap");
    await until("it is written", () =>
      server.commits.some(({ mutations }) => {
        return mutations.some(({ key }) => `${key.join(".")}.com` === `domain.${domain}`);
      }));
    return (await other.check(domain)).source === "rdap+cache";
  });
});

Deno.test("openUnlockedKv() waits while another process locks the file, and says so once", async () => {
  let locked = 0;
  let tries = 0;
  const open = () =>
    ++tries < 3 ? Promise.reject(new Error("database is locked")) : Deno.openKv(":memory:");
  const stop = new AbortController().signal;
  const kv = await openUnlockedKv(open, { onLocked: () => void locked++, stop });
  assertEquals([(await kv.set(["a"], 1)).ok, tries, locked], [true, 3, 1]);
  kv.close();
});

Deno.test("openUnlockedKv() rejects with the error when it is no lock, or once it is stopped", async () => {
  const stop = new AbortController();
  let locked = 0;
  const options = { onLocked: () => (locked++, stop.abort()), stop: stop.signal };
  await assertRejects(() => openUnlockedKv(() => Deno.openKv("/dev/null/kv"), options), Error);
  const open = () => Promise.reject(new Error("database is locked"));
  await assertRejects(() => openUnlockedKv(open, options), Error, "locked");
  assertEquals(locked, 1);
});
