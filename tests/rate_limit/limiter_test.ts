import { assert, assertEquals } from "@std/assert";
import { startTimer } from "../../src/flow/deadline.ts";
import type { Report } from "../../src/flow/process.ts";
import {
  createRateLimiter,
  type Decision,
  type RateLimiterOptions,
} from "../../src/rate_limit/limiter.ts";
import { until } from "../support/until.ts";

/** `hangs`: it begins no operation until this changes; `throws` and `locked`: it rejects each. */
type KvBehaviour = "works" | "hangs" | "throws" | "locked";

/** What the limiter uses of a KV, with faults that a test switches on and off, and the numbers of operations and reads. */
function createUnrulyKv(kv: Deno.Kv) {
  let change = Promise.withResolvers<void>();
  const unruly = {
    calls: 0,
    reads: 0,
    behaviour: "works" as KvBehaviour,
    behave(next: KvBehaviour) {
      unruly.behaviour = next;
      change.resolve();
      change = Promise.withResolvers();
    },
    getMany: ((keys, options) => {
      unruly.reads++;
      return run(() => kv.getMany(keys, options));
    }) as Deno.Kv["getMany"],
    atomic() {
      const operation = kv.atomic();
      const { commit } = operation;
      operation.commit = () => run(() => commit.call(operation));
      return operation;
    },
  };

  async function run<T>(operation: () => Promise<T>): Promise<T> {
    unruly.calls++;
    const { behaviour } = unruly;
    if (behaviour === "throws") throw new Error("disk I/O error");
    if (behaviour === "locked") throw new TypeError("database is locked");
    if (behaviour === "hangs") await change.promise;
    return await operation();
  }

  return unruly;
}

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

Deno.test("limiter.peek() returns the state of a key and takes nothing, and admit() takes a value of another form for none", async () => {
  await using platform = await openLimiter({ now: () => 5 });
  await platform.limiter.admit("a", 60);
  assertEquals(platform.limiter.peek("a", 60), { remaining: 59, resetAt: 60_005 });
  assertEquals(platform.limiter.peek("b", 60), { remaining: 60, resetAt: 5 });
  assertEquals(platform.kv.calls, 1);
  await platform.real.set(["rate", "c"], "another form");
  assertEquals((await platform.limiter.admit("c", 60)).remaining, 59);
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

Deno.test("limiter.admit() retries at once while another process locks KV", async () => {
  await using platform = await openLimiter({ monotonic: () => 0 });
  platform.kv.behave("locked");
  const waiting = platform.take("a", 70);
  await until("KV is asked again", () => platform.kv.calls >= 5, 1);
  platform.kv.behave("works");
  assertEquals(await waiting, 60);
  assertEquals(platform.events, []);
});

for (const behaviour of ["throws", "hangs", "locked"] as const) {
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

Deno.test("limiter forgets keys beyond a bounded number, and reads them again", async () => {
  await using platform = await openLimiter({ maxKeys: 50 });
  const keys = times(500, (n) => `s${n}`);
  const round = () => Promise.all(keys.map((key) => platform.limiter.admit(key, 2)));
  await round();
  assertEquals(platform.kv.reads, 0);
  assertEquals(admitted([...await round(), ...await round()]), 500);
  assert(platform.kv.reads > 0);
});

Deno.test("limiter.admit() reads KV once a second for a key that is refused beside other processes' slots", async () => {
  let time = 0;
  await using platform = await openLimiter({ monotonic: () => time });
  assertEquals(await platform.takeOfOther(["a", "a"], 2), 2);
  for (const [ms, reads] of [[0, 1], [1_000, 1], [1, 2]] as const) {
    time += ms;
    assertEquals((await platform.limiter.admit("a", 2)).kind, "refused");
    await platform.limiter.settled();
    assertEquals(platform.kv.reads, reads);
  }
});
