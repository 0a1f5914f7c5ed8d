import { assert, assertEquals } from "@std/assert";
import type { Decision } from "../../src/rate_limit/limiter.ts";
import { startTimer } from "../../src/flow/deadline.ts";
import { createRateLimiter, type RateLimiterOptions } from "../../src/rate_limit/limiter.ts";
import { createUnrulyKv, type KvBehaviour } from "../support/unruly_kv.ts";
import { until } from "../support/until.ts";

interface Event {
  event: string;
  fields?: Readonly<Record<string, unknown>> | undefined;
}

/** How much faster time passes while KV fails: a deadline is over soon then, and never while KV works on a busy machine. */
const HASTE = 100;

/** Windows on a KV of their own that does as it is told, and what they report. */
async function openLimiter(options: Partial<RateLimiterOptions> = {}) {
  const real = await Deno.openKv(":memory:");
  const kv = createUnrulyKv(real);
  const events: Event[] = [];
  const reported = new Map<string, PromiseWithResolvers<void>>();
  const once = (event: string) => {
    const seen = reported.get(event) ?? Promise.withResolvers<void>();
    reported.set(event, seen);
    return seen;
  };
  let time = 0;
  let readAt = performance.now();
  const paceOf = () => kv.behaviour === "works" ? 1 : HASTE;
  const limiter = createRateLimiter({
    kv,
    now: Date.now,
    monotonic() {
      const at = performance.now();
      time += (at - readAt) * paceOf();
      readAt = at;
      return time;
    },
    startAlarm: (ring, ms) => startTimer(ring, ms / paceOf()),
    report(event, fields) {
      events.push({ event, fields });
      once(event).resolve();
      reported.delete(event);
    },
    deadlineMs: 5_000,
    pauseMs: 20,
    ...options,
  });
  return {
    real,
    kv,
    limiter,
    events,
    /** Settles at the next such event. */
    next: (event: string) => once(event).promise,
    async [Symbol.asyncDispose]() {
      kv.behave("works");
      await limiter.settled();
      real.close();
    },
  };
}

function times<T>(count: number, one: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => one(n));
}

function admitted(admissions: readonly Decision[]): number {
  return admissions.filter(({ kind }) => kind === "admitted").length;
}

function remaining(admissions: readonly Decision[]): number[] {
  return admissions.filter(({ kind }) => kind === "admitted").map(({ remaining }) => remaining);
}

Deno.test("limiter.admit() admits 60 of 90 simultaneous requests, and counts 59…0 each once", async () => {
  await using platform = await openLimiter();
  const made = await Promise.all(times(90, () => platform.limiter.admit("1.2.3.4", 60)));
  assertEquals(admitted(made), 60);
  assertEquals(remaining(made), times(60, (n) => 59 - n));
  assertEquals(made.slice(60).map(({ kind, remaining }) => ({ kind, remaining })), [
    ...Array(30).fill({ kind: "refused", remaining: 0 }),
  ]);
});

Deno.test("limiter.admit() decides all waiting claims of all keys in shared commits", async () => {
  await using platform = await openLimiter();
  const keys = times(30, (n) => `10.0.0.${n}`);
  const made = await Promise.all(
    keys.flatMap((key) => times(5, () => platform.limiter.admit(key, 4))),
  );
  assertEquals(admitted(made), 120);
  assertEquals(platform.kv.calls, 3);
});

Deno.test("limiter.admit() refuses without KV once the window is full", async () => {
  await using platform = await openLimiter();
  await Promise.all(times(60, () => platform.limiter.admit("a", 60)));
  const { calls } = platform.kv;
  const made = await Promise.all(times(1_000, () => platform.limiter.admit("a", 60)));
  assertEquals(admitted(made), 0);
  assertEquals(platform.kv.calls, calls);
});

Deno.test("limiter.admit() commits less often than it is called, and reads nothing, while no other process writes", async () => {
  await using platform = await openLimiter();
  for (let n = 0; n < 20; n++) await platform.limiter.admit("a", 60);
  assert(platform.kv.calls <= 10, `${platform.kv.calls} calls`);
  assertEquals(platform.kv.reads, 0);
});

Deno.test("limiter.peek() returns the state of a key and takes nothing", async () => {
  await using platform = await openLimiter({ now: () => 5 });
  await platform.limiter.admit("a", 60);
  assertEquals(platform.limiter.peek("a", 60), { remaining: 59, resetAt: 60_005 });
  assertEquals(platform.limiter.peek("b", 60), { remaining: 60, resetAt: 5 });
  assertEquals(platform.kv.calls, 1);
});

Deno.test("limiter.admit() counts committed slots after a restart", async () => {
  const path = await Deno.makeTempFile();
  for (const expected of [40, 20, 0]) {
    const kv = await Deno.openKv(path);
    const limiter = createRateLimiter({ kv, now: Date.now, report() {} });
    assertEquals(admitted(await Promise.all(times(40, () => limiter.admit("a", 60)))), expected);
    await limiter.settled();
    kv.close();
  }
  await Deno.remove(path);
});

for (const random of [() => 0, () => 1 - 2 ** -53]) {
  Deno.test(`limiter stamps reserved slots between two ms when random() is ${random()}`, async () => {
    await using platform = await openLimiter({ random });
    for (let n = 0; n < 2; n++) await platform.limiter.admit("a", 60, 9);
    const { value } = await platform.real.get<Float64Array>(["rate", "a"]);
    const stamps = value?.filter((_, n) => n % 2 === 0) ?? [];
    assertEquals(Array.from(stamps, Number.isInteger).at(-1), false);
  });
}

Deno.test("limiter.admit() treats a value of another form as an empty window", async () => {
  await using platform = await openLimiter();
  await platform.real.set(["rate", "a"], { hits: 7 });
  assertEquals((await platform.limiter.admit("a", 60)).remaining, 59);
});

Deno.test("limiter.admit() retries at once while another process locks KV", async () => {
  await using platform = await openLimiter({ monotonic: () => 0 });
  platform.kv.behave("locked");
  const waiting = times(70, () => platform.limiter.admit("a", 60));
  await until("KV is asked again", () => platform.kv.calls >= 5, 1);
  platform.kv.behave("works");
  assertEquals(admitted(await Promise.all(waiting)), 60);
  assertEquals(platform.events, []);
});

Deno.test("limiter.admit() takes a lock that lasts for the deadline for a fault, whenever the clock is read", async () => {
  // The time passes between two readings of the clock, in one of these cases at the very end of the deadline.
  for (let tick = 1; tick <= 30; tick++) {
    let time = 0;
    await using platform = await openLimiter({ deadlineMs: 50, monotonic: () => time += tick });
    platform.kv.behave("locked");
    assertEquals((await platform.limiter.admit("a", 60)).kind, "admitted", `${tick} ms`);
    assertEquals(platform.events.map(({ event }) => event), ["limits.alone"]);
  }
});

for (const behaviour of ["throws", "hangs", "mute", "locked", "readonly"] satisfies KvBehaviour[]) {
  Deno.test(`limiter.admit() stays exact within this process while KV ${behaviour}`, async () => {
    await using platform = await openLimiter();
    const before = await Promise.all(times(10, () => platform.limiter.admit("a", 60)));
    platform.kv.behave(behaviour);
    const during = await Promise.all(times(30, () => platform.limiter.admit("a", 60)));
    assertEquals(platform.limiter.isOnFallback(), true);
    const more = await Promise.all(times(50, () => platform.limiter.admit("a", 60)));
    assertEquals(admitted([...before, ...during, ...more]), 60);
    assertEquals(platform.events.map(({ event }) => event), ["limits.alone"]);
    assertEquals(typeof platform.events[0]?.fields?.reason, "string");

    const shared = platform.next("limits.shared");
    platform.kv.behave("works");
    await shared;
    assertEquals(platform.limiter.isOnFallback(), false);
    assertEquals(admitted(await Promise.all(times(5, () => platform.limiter.admit("a", 60)))), 0);
    await platform.limiter.settled();
    const other = createRateLimiter({ kv: platform.real, now: Date.now, report() {} });
    assertEquals(admitted(await Promise.all(times(5, () => other.admit("a", 60)))), 0);
    await other.settled();
  });
}

Deno.test("limiter.admit() does not use KV after a failure until the pause is over, and admits again after a window", async () => {
  let now = 1_000_000;
  await using platform = await openLimiter({ pauseMs: 60_000, now: () => now });
  platform.kv.behave("throws");
  await platform.limiter.admit("a", 2);
  const { calls } = platform.kv;
  const ask = async () =>
    admitted(await Promise.all(times(9, () => platform.limiter.admit("a", 2))));
  assertEquals(await ask(), 1);
  now += 60_000;
  assertEquals([await ask(), platform.kv.calls], [2, calls]);
});

Deno.test("limiter commits the pending slots of many keys once KV is back", async () => {
  await using platform = await openLimiter();
  platform.kv.behave("throws");
  const keys = times(200, (n) => `s${n}`);
  await Promise.all(keys.map((key) => platform.limiter.admit(key, 1)));
  const shared = platform.next("limits.shared");
  platform.kv.behave("works");
  await shared;
  await platform.limiter.settled();
  const other = createRateLimiter({ kv: platform.real, now: Date.now, report() {} });
  const made = await Promise.all(keys.map((key) => other.admit(key, 1)));
  assertEquals(admitted(made), 0);
  await other.settled();
});

Deno.test("limiter.settled() commits pending slots when KV works", async () => {
  await using platform = await openLimiter({ pauseMs: 60_000 });
  platform.kv.behave("throws");
  await platform.limiter.admit("a", 1);
  platform.kv.behave("works");
  await platform.limiter.settled();
  assertEquals((await platform.real.list({ prefix: ["rate"] }).next()).value?.key, ["rate", "a"]);
});

Deno.test("limiter forgets keys beyond a bounded number, and reads them again", async () => {
  await using platform = await openLimiter({ maxKeys: 50 });
  const keys = times(500, (n) => `s${n}`);
  const round = () => Promise.all(keys.map((key) => platform.limiter.admit(key, 2)));
  await round();
  assertEquals(platform.kv.reads, 0);
  assertEquals(admitted([...await round(), ...await round()]), 500);
  assert(platform.kv.reads > 0);
});

Deno.test("limiter.admit() decides a key whose read was under way when KV failed", async () => {
  let now = 1_000_000;
  let skippedMs = 0;
  await using platform = await openLimiter({
    now: () => now,
    monotonic: () => performance.now() + skippedMs,
  });
  const other = createRateLimiter({ kv: platform.real, now: () => now, report() {} });
  await Promise.all(times(2, () => other.admit("a", 2)));
  await other.settled();
  assertEquals((await platform.limiter.admit("a", 2)).kind, "refused");
  await platform.limiter.settled();
  // After a second a refusal has KV read beside it.
  skippedMs += 2_000;
  platform.kv.behave("hangs");
  const alone = platform.next("limits.alone");
  assertEquals((await platform.limiter.admit("a", 2)).kind, "refused");
  await alone;
  platform.kv.behave("works");
  const shared = platform.next("limits.shared");
  await platform.limiter.admit("b", 2);
  await shared;
  now += 70_000;
  assertEquals((await platform.limiter.admit("a", 2)).kind, "admitted");
});
