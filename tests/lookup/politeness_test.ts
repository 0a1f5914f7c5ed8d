import { assert, assertEquals, assertMatch } from "@std/assert";
import { hostPolicy } from "../../src/rules/tables/hosts.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { createKvFile } from "../support/kv_file.ts";
import { overPace } from "../support/over_pace.ts";
import { startService } from "../support/service.ts";

function asked(lab: Lab, host: string): number {
  return lab.requests.filter((request) => request.host === host).length;
}

function wasAsked(lab: Lab, domain: string): boolean {
  return lab.requests.some(({ path }) => path.endsWith(`/domain/${domain}`));
}

Deno.test("a host in a cooldown is not asked again, and the error says when to retry", async () => {
  await using lab = await startLab();
  lab.script("limited.com", { dns: "nxdomain", rdap: "rateLimitedSeconds" });
  await using service = await startService(lab);
  const first = await service.check("limited.com");
  assertMatch(first.error ?? "", /429/);
  assertEquals(first.retryAfter, 30);
  assertEquals((await service.get("/health")).body.checks.rdap, "failing");
  const other = await service.check("other-name.net");
  assertEquals([other.available, other.status], [false, ["unknown"]]);
  // Of the 30 s, a busy machine may have used some.
  assert((other.retryAfter ?? 0) >= 20 && (other.retryAfter ?? 0) <= 30, `${other.retryAfter} s`);
  assertMatch(other.error ?? "", /^rdap\.verisign\.com is rate-limiting us; retry in (2\d|30) s$/);
  assertEquals(wasAsked(lab, "other-name.net"), false);
  assertEquals((await service.check("taken.com")).status, ["active"]);
  assertEquals((await service.check("free-name.org")).available, true);
  assertEquals((await service.get("/health")).body.status, "degraded");
});

/** Two services on one KV, with one clock, and a registry that answers 429 to limited.com. */
async function startPair() {
  const clock = { now: Date.now() };
  await using stack = new AsyncDisposableStack();
  const file = stack.use(await createKvFile());
  const lab = stack.use(await startLab());
  lab.script("limited.com", { dns: "nxdomain", rdap: "rateLimitedSeconds" });
  const start = async () =>
    stack.use(
      await startService(lab, {
        kv: await file.open(),
        now: () => clock.now,
        env: { TLDS: "com" },
      }),
    );
  const [one, two] = [await start(), await start()];
  const started = stack.move();
  return { lab, clock, one, two, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

Deno.test("a cooldown applies to all processes on the same KV, and ends", async () => {
  await using pair = await startPair();
  const { lab, clock, one, two } = pair;
  // No canary test must run when the cooldown ends, since the cooldown would have cancelled it.
  await one.services.renewCanaries();
  await one.check("limited.com");
  // Known at once, because it has read no cooldowns yet; otherwise within three seconds (`cooldowns.ts`).
  assertMatch((await two.check("other.com")).error ?? "", /is rate-limiting us; retry in/);
  assertEquals(wasAsked(lab, "other.com"), false);
  clock.now += 31_000;
  assertEquals((await two.check("further.com")).available, true);
});

Deno.test("a process that has just read the pauses knows of another process's pause within three seconds", async () => {
  await using pair = await startPair();
  const { lab, clock, one, two } = pair;
  await one.services.renewCanaries();
  assertEquals((await two.check("first.com")).available, true);
  await one.check("limited.com");
  clock.now += 3_000;
  assertMatch((await two.check("other.com")).error ?? "", /retry in/);
  assertEquals(wasAsked(lab, "other.com"), false);
});

for (const [change, ms] of [["back by an hour", -3_600_000], ["ahead by a day", 86_400_000]]) {
  Deno.test(`look-ups continue when the wall clock is set ${change}`, async () => {
    await using lab = await startLab();
    let setBy = 0;
    const clocks = { now: () => Date.now() + setBy, monotonic: () => performance.now() };
    await using service = await startService(lab, clocks);
    assertEquals((await service.check("free-one.com")).available, true);
    setBy = Number(ms);
    assertEquals((await service.check("free-two.com")).available, true);
  });
}

Deno.test("the circuit of a host opens at the fifth fault in a row", async () => {
  await using lab = await startLab();
  lab.scriptHost("rdap.radix.host", "unavailable503");
  await using service = await startService(lab);
  const labels = ["a1", "a2", "a3", "a4", "a5", "a6", "a7"];
  const errors: (string | undefined)[] = [];
  for (const label of labels) errors.push((await service.check(`${label}.online`)).error);
  assert(asked(lab, "rdap.radix.host") >= 5);
  assertMatch(errors[0] ?? "", /503/);
  assertMatch(errors.at(-1) ?? "", /^rdap\.radix\.host could not be reached; retry in \d+ s$/);
  const before = asked(lab, "rdap.radix.host");
  await service.check("a8.tech");
  assertEquals(asked(lab, "rdap.radix.host"), before);
});

Deno.test("a paced host is asked for no more than a burst of four and one per pause beyond it", async () => {
  await using lab = await startLab();
  const everyMs = 250;
  await using service = await startService(lab, {
    paceOf: (host) => ({ ...hostPolicy(host), everyMs }),
  });
  const host = "pubapi.registry.google";
  for (const name of ["some-name", "other-name", "third-name"]) {
    const rows = await Promise.all(["app", "dev"].map((tld) => service.check(`${name}.${tld}`)));
    assertEquals(rows.map(({ available }) => available), [true, true]);
  }
  const starts = lab.requests.filter((request) => request.host === host).map(({ at }) => at);
  assert(starts.length >= 8, `${starts.length} questions`);
  // The lab notes a request some time after the service started it. Without a pace, four or more exceed it.
  assert(overPace(starts, { burst: 4, everyMs }) < 3, `${starts}`);
});

Deno.test("a failing registry does not affect the answers of others", async () => {
  await using lab = await startLab();
  lab.scriptHost("rdap.radix.host", "cut");
  lab.scriptHost("rdap.verisign.com", "html200");
  await using service = await startService(lab, { env: { TLDS: "com,dev,online,org,xyz" } });
  const { body } = await service.get("/check?name=some-name");
  const available = body.results.map((
    { tld, available }: Record<string, unknown>,
  ) => [tld, available]);
  assertEquals(available, [
    ["com", false],
    ["dev", true],
    ["online", false],
    ["org", true],
    ["xyz", true],
  ]);
});
