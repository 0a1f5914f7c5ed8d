import { assert, assertEquals } from "@std/assert";
import { startTimer } from "../../src/flow/deadline.ts";
import type { Report } from "../../src/flow/process.ts";
import {
  createRateLimiter,
  type Decision,
  type RateLimiterOptions,
} from "../../src/rate_limit/limiter.ts";
import { createUnrulyKv, type KvBehaviour } from "../support/unruly_kv.ts";
import { until } from "../support/until.ts";

/** How much faster time passes while KV fails: a deadline is over soon then, and never while KV works on a busy machine. */
const HASTE = 100;

/** Windows on a KV of their own that does as it is told, and what they report. */
async function openLimiter({ now = Date.now, ...options }: Partial<RateLimiterOptions> = {}) {
  const real = await Deno.openKv(":memory:");
  const kv = createUnrulyKv(real);
  const events: Parameters<Report>[] = [];
  let time = 0;
  let readAt = performance.now();
  const paceOf = () => kv.behaviour === "works" ? 1 : HASTE;
  const limiter = createRateLimiter({
    kv,
    now,
    monotonic() {
      const at = performance.now();
      time += (at - readAt) * paceOf();
      readAt = at;
      return time;
    },
    startAlarm: (ring, ms) => startTimer(ring, ms / paceOf()),
    report: (...event) => void events.push(event),
    deadlineMs: 5_000,
    pauseMs: 20,
    ...options,
  });
  return {
    real,
    kv,
    limiter,
    events,
    /** Claims slots at once, and returns how many were admitted. */
    async take(key: string, count: number, limit = 60): Promise<number> {
      return admitted(await Promise.all(times(count, () => limiter.admit(key, limit))));
    },
    /** Claims a slot of each key by another limiter on this KV, and returns how many were admitted. */
    async takeOfOther(keys: readonly string[], limit: number): Promise<number> {
      const other = createRateLimiter({ kv: real, now, report() {} });
      const made = await Promise.all(keys.map((key) => other.admit(key, limit)));
      await other.settled();
      return admitted(made);
    },
    /** Settles once KV works and this process shares its windows again. */
    async recover(): Promise<void> {
      kv.behave("works");
      await until("the windows are shared again", () => !limiter.isOnFallback(), 1);
    },
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

Deno.test("limiter.admit() decides all waiting claims of all keys in shared commits", async () => {
  await using platform = await openLimiter();
  const keys = times(30, (n) => `10.0.0.${n}`);
  const made = await Promise.all(keys.map((key) => platform.take(key, 5, 4)));
  assertEquals(made, Array(30).fill(4));
  assertEquals(platform.kv.calls, 3);
});

Deno.test("limiter.admit() commits less often than it is called, reads nothing while no other process writes, and refuses without KV once the window is full", async () => {
  await using platform = await openLimiter();
  for (let n = 0; n < 20; n++) await platform.limiter.admit("a", 60);
  assert(platform.kv.calls <= 10, `${platform.kv.calls} calls`);
  assertEquals(await platform.take("a", 40), 40);
  const { calls } = platform.kv;
  assertEquals(await platform.take("a", 1_000), 0);
  assertEquals([platform.kv.calls, platform.kv.reads], [calls, 0]);
});

Deno.test("limiter.peek() returns the state of a key and takes nothing", async () => {
  await using platform = await openLimiter({ now: () => 5 });
  await platform.limiter.admit("a", 60);
  assertEquals(platform.limiter.peek("a", 60), { remaining: 59, resetAt: 60_005 });
  assertEquals(platform.limiter.peek("b", 60), { remaining: 60, resetAt: 5 });
  assertEquals(platform.kv.calls, 1);
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
  const waiting = platform.take("a", 70);
  await until("KV is asked again", () => platform.kv.calls >= 5, 1);
  platform.kv.behave("works");
  assertEquals(await waiting, 60);
  assertEquals(platform.events, []);
});

Deno.test("limiter.admit() takes a lock that lasts for the deadline for a fault, whenever the clock is read", async () => {
  // The time passes between two readings of the clock, in one of these cases at the very end of the deadline.
  for (let tick = 1; tick <= 30; tick++) {
    let time = 0;
    await using platform = await openLimiter({ deadlineMs: 50, monotonic: () => time += tick });
    platform.kv.behave("locked");
    assertEquals((await platform.limiter.admit("a", 60)).kind, "admitted", `${tick} ms`);
    assertEquals(platform.events.map(([event]) => event), ["limits.alone"]);
  }
});

for (const behaviour of ["throws", "hangs", "mute", "locked", "readonly"] satisfies KvBehaviour[]) {
  Deno.test(`limiter.admit() stays exact within this process while KV ${behaviour}`, async () => {
    await using platform = await openLimiter();
    assertEquals(await platform.take("a", 10), 10);
    platform.kv.behave(behaviour);
    assertEquals(await platform.take("a", 30), 30);
    assertEquals(platform.limiter.isOnFallback(), true);
    assertEquals(await platform.take("a", 50), 20);
    assertEquals(platform.events.map(([event]) => event), ["limits.alone"]);
    assertEquals(typeof platform.events[0]?.[1]?.reason, "string");

    await platform.recover();
    assertEquals(platform.limiter.isOnFallback(), false);
    assertEquals(await platform.take("a", 5), 0);
    await platform.limiter.settled();
    assertEquals(await platform.takeOfOther(["a"], 60), 0);
  });
}

Deno.test("limiter.admit() does not use KV after a failure until the pause is over, admits again after a window, and settled() commits what is pending when KV works", async () => {
  let now = 1_000_000;
  await using platform = await openLimiter({ pauseMs: 60_000, now: () => now });
  platform.kv.behave("throws");
  await platform.limiter.admit("a", 2);
  const { calls } = platform.kv;
  assertEquals(await platform.take("a", 9, 2), 1);
  now += 60_000;
  assertEquals([await platform.take("a", 9, 2), platform.kv.calls], [2, calls]);
  platform.kv.behave("works");
  await platform.limiter.settled();
  assertEquals((await platform.real.list({ prefix: ["rate"] }).next()).value?.key, ["rate", "a"]);
});

Deno.test("limiter commits the pending slots of many keys once KV is back", async () => {
  await using platform = await openLimiter();
  platform.kv.behave("throws");
  const keys = times(200, (n) => `s${n}`);
  await Promise.all(keys.map((key) => platform.limiter.admit(key, 1)));
  await platform.recover();
  await platform.limiter.settled();
  assertEquals(await platform.takeOfOther(keys, 1), 0);
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
  assertEquals(await platform.takeOfOther(["a", "a"], 2), 2);
  assertEquals((await platform.limiter.admit("a", 2)).kind, "refused");
  await platform.limiter.settled();
  // After a second a refusal has KV read beside it.
  skippedMs += 2_000;
  platform.kv.behave("hangs");
  assertEquals((await platform.limiter.admit("a", 2)).kind, "refused");
  await until("it decides alone", platform.limiter.isOnFallback, 1);
  const recovered = platform.recover();
  await platform.limiter.admit("b", 2);
  await recovered;
  now += 70_000;
  assertEquals((await platform.limiter.admit("a", 2)).kind, "admitted");
});
