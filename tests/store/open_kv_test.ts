import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { openKv, openUnlockedKv } from "../../src/store/open_kv.ts";
import { startLab } from "../lab/lab.ts";
import { sharedKv } from "../support/changed_kv.ts";
import { startHttpServer } from "../support/http_server.ts";
import { freePort, startProcess } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const SOON = { times: { retryMs: 5, startMs: 10, attemptMs: 10 } };

/** What was reported. */
function createReports() {
  const reports: { event: string; reason: string }[] = [];
  const report = (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
    void reports.push({ event, reason: String(fields.reason ?? "") });
  return { report, reports, events: () => reports.map(({ event }) => event) };
}

// Deno's client sends a request only with a token.
Deno.env.set("DENO_KV_ACCESS_TOKEN", "token-of-the-tests");

/** A server that answers Deno's client with this status. */
const answering = (status: number) => startHttpServer(() => new Response(null, { status }));

Deno.test("openKv() rejects when the configuration is wrong", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/corrupt`, "no database ".repeat(1_000));
  const rejects = async (path: string, why: RegExp) => {
    const { report, reports } = createReports();
    const error = await assertRejects(() => openKv(() => Deno.openKv(path), { report }), Error);
    assertMatch(String(error), why);
    assertEquals(reports, []);
  };
  await rejects(folder, /unable to open database file/);
  await rejects(`${folder}/no/such/folder/kv`, /unable to open database file/);
  await rejects(`${folder}/corrupt`, /file is not a database/);
  await rejects("http://", /Invalid database url/);
  for (const status of [200, 400, 401, 403, 404]) {
    await using server = answering(status);
    await rejects(server.url, status === 200 ? /not a valid KV Connect/ : new RegExp(`${status}`));
  }
});

for (const fault of ["stopped", "hang", "locked", 429, 500, 503] as const) {
  Deno.test(`openKv() opens KV later when that is at fault: ${fault}`, async () => {
    await using server = answering(Number(fault) || 500);
    const faulty = () => {
      if (fault === "hang") return new Promise<never>(() => {});
      if (fault === "locked") return Promise.reject(new Error("database is locked"));
      return Deno.openKv(fault === "stopped" ? `http://127.0.0.1:${freePort()}` : server.url);
    };
    let open: () => Promise<Deno.Kv> = faulty;
    const { report, reports, events } = createReports();
    const kv = await openKv(() => open(), { ...SOON, report });
    assertEquals(events(), ["kv.unavailable"]);
    await assertRejects(() => kv.get(["key"]), Error, "KV is unavailable");
    await assertRejects(() => kv.set(["key"], 1), Error, "KV is unavailable");
    await assertRejects(() => kv.atomic().set(["key"], 1).commit(), Error, "KV is unavailable");
    assertThrows(() => kv.list({ prefix: [] }), Error, "KV is unavailable");
    open = () => Deno.openKv(":memory:");
    await until("the operations reach KV", () => events().includes("kv.opened"));
    assertEquals((await kv.atomic().set(["key"], 1).commit()).ok, true);
    assertEquals((await kv.get(["key"])).value, 1);
    assertEquals((await kv.getMany([["key"]]))[0].value, 1);
    assertEquals(events(), ["kv.unavailable", "kv.opened"], JSON.stringify(reports));
    kv.close();
  });
}

Deno.test("openKv() reports once when a recovered server refuses the token, and keeps retrying", async () => {
  await using server = answering(401);
  const { report, reports, events } = createReports();
  const refused = () => Deno.openKv(server.url);
  let attempts = 0;
  let open = () => Deno.openKv(`http://127.0.0.1:${freePort()}`);
  const kv = await openKv(() => (attempts++, open()), { ...SOON, report });
  open = refused;
  await until("the refusal is reported", () => reports.length === 2);
  assertMatch(reports[1]?.reason ?? "", /401/);
  const before = attempts;
  await until("it tries again", () => attempts > before + 1);
  open = () => Deno.openKv(":memory:");
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

Deno.test("a process whose KV is down starts, warns, answers, limits exactly and ends", async () => {
  await using lab = await startLab();
  const KV_PATH = `http://127.0.0.1:${freePort()}`;
  await using service = await startProcess(lab, { KV_PATH, RATE_LIMIT: "3" });
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) {
    const response = await fetch(`${service.url}/check?name=free&tld=com`);
    statuses.push(response.status);
    await response.body?.cancel();
  }
  assertEquals(statuses, [200, 200, 200, 429, 429]);
  assertEquals(service.events.find(({ event }) => event === "kv.unavailable")?.level, "warn");
  service.kill("SIGTERM");
  assertEquals((await service.status).code, 0);
});

Deno.test("a service uses KV once it is back, and shares its answers from then on", async () => {
  await using lab = await startLab();
  const real = await Deno.openKv(":memory:");
  const opening = Promise.withResolvers<Deno.Kv>();
  const { report, events } = createReports();
  const kv = await openKv(() => opening.promise, { ...SOON, report });
  await using service = await startService(lab, { kv: kv as Deno.Kv });
  assertEquals((await service.check("free-before.com")).source, "rdap");
  assertEquals((await service.get("/health")).body.checks.kv, "failing");
  opening.resolve(sharedKv(real));
  await until("KV is taken up", () => events().includes("kv.opened"));
  // The limiter tries KV again after a second.
  const isWorking = async () => (await service.get("/health")).body.checks.kv === "ok";
  await until("/health reports it", isWorking);
  assertEquals((await service.get("/health/ready")).status, 200);
  await using other = await startService(lab, { kv: real });
  assertEquals((await service.check("free.com")).source, "rdap");
  const isWritten = async () => (await real.get(["domain", "free"])).value !== null;
  await until("the finding is written", isWritten);
  assertEquals((await other.check("free.com")).source, "rdap+cache");
});

Deno.test("openUnlockedKv() waits while another process locks the file, says so once, and rejects with another error", async () => {
  let locked = 0;
  let tries = 0;
  const open = () =>
    ++tries < 3 ? Promise.reject(new Error("database is locked")) : Deno.openKv(":memory:");
  const kv = await openUnlockedKv(open, { onLocked: () => void locked++ });
  assertEquals([(await kv.set(["a"], 1)).ok, tries, locked], [true, 3, 1]);
  kv.close();
  const failing = () => openUnlockedKv(() => Deno.openKv("/dev/null/kv"), { onLocked() {} });
  await assertRejects(failing, Error);
});
