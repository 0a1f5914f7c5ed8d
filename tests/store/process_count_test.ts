import { assertEquals } from "@std/assert";
import { type GuardedKv, guardKv } from "../../src/store/guarded_kv.ts";
import { createProcessCount } from "../../src/store/process_count.ts";
import { onEachKv } from "../support/on_each_kv.ts";

const START = Date.UTC(2026, 10, 22);
const LIFETIME_MS = 90_000;

/** A clock for all processes of a test. */
interface Clock {
  ms: number;
}

/** One process on a KV, whose heartbeats come when the test wants them. */
function openProcess(real: Deno.Kv, clock: Clock) {
  const guarded = guardKv(real, { report() {}, monotonic: () => clock.ms });
  let isAway = false;
  let attempts = 0;
  const attempt: GuardedKv["attempt"] = (operation, fallback) => {
    attempts++;
    return isAway ? Promise.resolve(fallback) : guarded.attempt(operation, fallback);
  };
  let armed = Promise.withResolvers<{ ring: () => void; ms: number }>();
  const beats: string[] = [];
  const count = createProcessCount({ attempt }, {
    beforeBeat: () => Promise.resolve(void beats.push(`${attempts} before`)),
    now: () => START + clock.ms,
    monotonic: () => clock.ms,
    alarm(ring, ms) {
      armed.resolve({ ring, ms });
      return { stop() {} };
    },
  });
  return {
    ...count,
    attempts: () => attempts,
    beats,
    loseKv: () => void (isAway = true),
    regainKv: () => void (isAway = false),
    /** Waits for the heartbeat that `start` began, and returns the pause after it in ms. */
    pauseMs: async () => (await armed.promise).ms,
    /** Has it send the next heartbeat, and returns the pause after it in ms. */
    async beat() {
      const { ring } = await armed.promise;
      armed = Promise.withResolvers();
      ring();
      return (await armed.promise).ms;
    },
    async [Symbol.asyncDispose]() {
      await count.stop();
      await guarded.settled();
    },
  };
}

onEachKv(
  "processCount.current() counts the processes that send heartbeats to one KV",
  async (kv, open) => {
    const clock = { ms: 0 };
    await using one = openProcess(kv, clock);
    assertEquals(one.current(), 1);
    one.start();
    await one.pauseMs();
    {
      await using two = openProcess(await open.openAnother(), clock);
      two.start();
      await two.pauseMs();
      await one.beat();
      assertEquals([one.current(), two.current()], [2, 2]);
    }
    await one.beat();
    assertEquals(one.current(), 1);
  },
);

Deno.test("processCount.current() leaves out a process that has been silent for 90 s", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { ms: 0 };
  await kv.set(["process", "killed"], START);
  await using process = openProcess(kv, clock);
  process.start();
  await process.pauseMs();
  assertEquals(process.current(), 2);
  clock.ms = LIFETIME_MS - 1;
  await process.beat();
  assertEquals(process.current(), 2);
  clock.ms = LIFETIME_MS;
  await process.beat();
  assertEquals(process.current(), 1);
});

Deno.test("processCount.current() does not fall while KV fails, nor for 90 s after it", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { ms: 0 };
  await kv.set(["process", "other"], START);
  await using process = openProcess(kv, clock);
  process.start();
  await process.pauseMs();
  process.loseKv();
  clock.ms = 3_600_000;
  await process.beat();
  assertEquals(process.current(), 2);
  process.regainKv();
  await process.beat();
  clock.ms += LIFETIME_MS - 1;
  await process.beat();
  assertEquals(process.current(), 2);
  clock.ms += 1;
  assertEquals(process.current(), 1);
});

Deno.test("processCount.current() does not fall for 90 s after KV lost all heartbeats between two of this process", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { ms: 0 };
  await kv.set(["process", "other"], START);
  await using process = openProcess(kv, clock);
  process.start();
  await process.pauseMs();
  for await (const { key } of kv.list({ prefix: [] })) await kv.delete(key);
  clock.ms = 30_000;
  await process.beat();
  assertEquals(process.current(), 2);
  clock.ms += LIFETIME_MS - 1;
  await process.beat();
  assertEquals(process.current(), 2);
  clock.ms += 1;
  assertEquals(process.current(), 1);
});

Deno.test("processCount.start() sends heartbeats at pauses that double from 1 s up to 30 s, also while KV fails", async () => {
  using kv = await Deno.openKv(":memory:");
  await using process = openProcess(kv, { ms: 0 });
  process.start();
  const pauses = [await process.pauseMs(), await process.beat()];
  process.loseKv();
  for (let n = 0; n < 5; n++) pauses.push(await process.beat());
  assertEquals(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

Deno.test("processCount.stop() uses no KV where the process was not announced", async () => {
  using kv = await Deno.openKv(":memory:");
  const process = openProcess(kv, { ms: 0 });
  await process.stop();
  assertEquals(process.attempts(), 0);
});

onEachKv(
  "processCount.hasHeard() is true once a process that has run for an hour sends another heartbeat",
  async (kv, open) => {
    const clock = { ms: 0 };
    await using old = openProcess(kv, clock);
    old.start();
    await old.pauseMs();
    clock.ms = 3_600_000 - 1;
    await old.beat();
    await using one = openProcess(await open.openAnother(), clock);
    one.start();
    await one.pauseMs();
    assertEquals([one.current(), one.hasHeard()], [2, false], "its heartbeat may be an old copy");
    clock.ms++;
    await old.beat();
    await one.beat();
    assertEquals(one.hasHeard(), true);
    assertEquals(old.hasHeard(), false, "the other has just started");
  },
);

Deno.test("processCount.hasHeard() is false for processes that started together on an old copy of KV", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { ms: 0 };
  await kv.set(["process", "in-the-copy", START - 7_200_000], START);
  await kv.set(["process", "of-another-version"], START);
  await using one = openProcess(kv, clock);
  await using two = openProcess(kv, clock);
  for (const process of [one, two]) {
    process.start();
    await process.pauseMs();
  }
  for (let beats = 0; beats < 3; beats++) {
    clock.ms += 30_000;
    await kv.set(["process", "of-another-version"], START + clock.ms);
    for (const process of [one, two]) await process.beat();
  }
  assertEquals([one.hasHeard(), two.hasHeard()], [false, false]);
});

Deno.test("processCount.start() has what KV has lost written before each heartbeat", async () => {
  using kv = await Deno.openKv(":memory:");
  await using process = openProcess(kv, { ms: 0 });
  process.start();
  await process.pauseMs();
  await process.beat();
  assertEquals(process.beats, ["0 before", "1 before"]);
});
