import { assert, assertEquals } from "@std/assert";
import type { Decision } from "../../src/rate_limit/limiter.ts";
import { startTimer } from "../../src/flow/deadline.ts";
import { createRateLimiter, type RateLimiterOptions } from "../../src/rate_limit/limiter.ts";
import { createUnrulyKv, type KvBehaviour } from "../support/unruly_kv.ts";

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

Deno.test("limiter.admit() takes as many slots as a claim costs, or none", async () => {
  await using platform = await openLimiter();
  const made = await Promise.all([7, 2, 4, 1].map((cost) => platform.limiter.admit("a", 10, cost)));
  assertEquals(made.map(({ kind, remaining }) => [kind, remaining]), [
    ["admitted", 3],
    ["admitted", 1],
    ["refused", 1],
    ["admitted", 0],
  ]);
});

Deno.test("limiter.admit() admits again once the window has passed", async () => {
  let now = 1_000_000;
  await using platform = await openLimiter({ now: () => now });
  const three = async () =>
    admitted(await Promise.all(times(3, () => platform.limiter.admit("a", 2))));
  assertEquals(await three(), 2);
  now += 59_999;
  assertEquals(await three(), 0);
  now += 1;
  assertEquals(await three(), 2);
});

/** A clock that moves on at most readings of it, the same way each time. */
function restlessClock(): () => number {
  let now = 0;
  let seed = 1;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    now += seed / 2 ** 31;
    return Math.floor(now);
  };
}

Deno.test("limiter.admit() keeps the limit to the ms while the clock advances", async () => {
  for (const limit of [2, 5, 20]) {
    await using platform = await openLimiter({
      now: restlessClock(),
      windowMs: 30,
    });
    const taken: number[] = [];
    await Promise.all(times(6, async (n) => {
      for (let round = 0; round < 600; round++) {
        const admission = await platform.limiter.admit("a", limit);
        if (admission.kind === "admitted") taken.push(admission.at);
        if (round % (n + 2) === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      }
    }));
    assert(taken.length > 100);
    taken.sort((a, b) => a - b);
    taken.slice(limit).forEach((at, n) => assert(at - (taken[n] ?? 0) >= 30));
  }
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

Deno.test("two limiters on one KV never admit more than the limit together", async () => {
  await using platform = await openLimiter();
  const other = createRateLimiter({
    kv: platform.real,
    now: Date.now,
    report() {},
    deadlineMs: 5_000,
  });
  const both = [platform.limiter, other];
  for (let n = 0; n < 3; n++) {
    const made: Decision[] = [];
    for (let round = 0; round < 12; round++) {
      const asked = both.flatMap((one) => times(2, () => one.admit(`s${n}`, 20)));
      made.push(...await Promise.all(asked));
    }
    // What one of them holds in reserve, an eighth, is not there for the other.
    assert(admitted(made) <= 20 && admitted(made) >= 17, `${admitted(made)} of 20`);
  }
  await other.settled();
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
  while (platform.kv.calls < 5) await new Promise((resolve) => setTimeout(resolve, 1));
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

Deno.test("limiter.admit() does not use KV after a failure until the pause is over", async () => {
  await using platform = await openLimiter({ pauseMs: 60_000 });
  platform.kv.behave("throws");
  await platform.limiter.admit("a", 60);
  const { calls } = platform.kv;
  await Promise.all(times(100, (n) => platform.limiter.admit(`b${n}`, 60)));
  assertEquals(platform.kv.calls, calls);
});

Deno.test("limiter.admit() is decided within the deadline when KV hangs", async () => {
  await using platform = await openLimiter();
  platform.kv.behave("hangs");
  const startedAt = performance.now();
  assertEquals((await platform.limiter.admit("a", 60)).kind, "admitted");
  assert(performance.now() - startedAt >= 40);
});

Deno.test("limiter stays on its fallback while recovery fails, and keeps all pending slots", async () => {
  await using platform = await openLimiter({ pauseMs: 1 });
  platform.kv.behave("readonly");
  const made = await Promise.all(times(40, () => platform.limiter.admit("a", 60)));
  const { calls } = platform.kv;
  while (platform.kv.calls < calls + 6) await new Promise((resolve) => setTimeout(resolve, 1));
  made.push(...await Promise.all(times(40, () => platform.limiter.admit("a", 60))));
  assertEquals(admitted(made), 60);
  assertEquals(platform.events.map(({ event }) => event), ["limits.alone"]);
  const shared = platform.next("limits.shared");
  platform.kv.behave("works");
  await shared;
  const stored = await platform.real.get<Float64Array>(["rate", "a"]);
  const counts = stored.value?.filter((_, n) => n % 2 === 1) ?? new Float64Array();
  assertEquals(counts.reduce((sum, count) => sum + count, 0), 60);
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

Deno.test("limiter remembers a bounded number of keys, and reads the others again", async () => {
  await using platform = await openLimiter({ maxKeys: 50 });
  const keys = times(500, (n) => `s${n}`);
  const round = () => Promise.all(keys.map((key) => platform.limiter.admit(key, 2)));
  assertEquals(admitted([...await round(), ...await round(), ...await round()]), 1_000);
  await platform.limiter.settled();
  assert(platform.limiter.size >= 25 && platform.limiter.size <= 50, `${platform.limiter.size}`);
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

for (
  const [behaviour, fault] of [
    ["conflicts", "met conflicts"],
    ["throws", "failed"],
  ] as const
) {
  Deno.test(`limiter.settled() gives back a reservation whose renewal ${fault}`, async () => {
    await using platform = await openLimiter();
    const { kv, limiter, real } = platform;
    const ask = (count: number, cost = 1) =>
      Promise.all(times(count, () => limiter.admit("a", 60, cost)));
    await ask(10);
    // A second commit, because a new key gets no reservation.
    await ask(1);
    kv.behave(behaviour);
    // More than is reserved, so it waits for a commit.
    const admissions = await ask(1, 20);
    kv.behave("works");
    await limiter.settled();
    const { value } = await real.get<Float64Array>(["rate", "a"]);
    const counts = value?.filter((_, n) => n % 2 === 1) ?? new Float64Array();
    const taken = 11 + 20 * admitted(admissions);
    assertEquals(counts.reduce((sum, count) => sum + count, 0), taken);
  });
}
