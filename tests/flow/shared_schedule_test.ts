import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createGate, type Gate, type Pace, type Priority } from "../../src/flow/queue/gate.ts";
import { type ChangePace, createSharedSchedule } from "../../src/flow/queue/shared_schedule.ts";
import type { SharedPace } from "../../src/flow/queue/slots.ts";
import { FakeTime } from "../support/fake_time.ts";
import { mostWithin } from "../support/most_within.ts";
import { overPace } from "../support/over_pace.ts";

const PACE: Pace = { concurrency: 4, burst: 1, everyMs: 1_000 };
const HOUR_MS = 3_600_000;

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A store of one record with compare-and-set; reading and writing take a round trip each. */
function createStore({ roundTripMs = 0, record }: { roundTripMs?: number; record?: SharedPace }) {
  const store = { record, version: 0, changes: 0, works: true };
  const change: ChangePace = async (next) => {
    await later(roundTripMs);
    if (!store.works) return "failed";
    const { version } = store;
    const value = next(store.record);
    if (value === undefined) return "done";
    await later(roundTripMs);
    if (!store.works) return "failed";
    if (store.version !== version) return "conflict";
    Object.assign(store, { record: value, version: version + 1, changes: store.changes + 1 });
    return "done";
  };
  return Object.assign(store, { change });
}

/** A process's gate; its wall clock is `skewMs` ahead of the true time. */
function openGate(
  { change }: { change: ChangePace },
  { pace = PACE, skewMs = 0, maxWaitMs = 600_000 } = {},
): Gate {
  const monotonic = Date.now;
  return createGate({
    paceOf: () => pace,
    maxWaitMs,
    monotonic,
    scheduleOf: (_key, pace, wake) =>
      createSharedSchedule(pace, {
        change,
        horizonMs: maxWaitMs,
        now: () => Date.now() + skewMs,
        monotonic,
        wake,
      }),
  });
}

/** Runs tasks of `taskMs`; returns their start times, `undefined` for rejected ones. */
async function startsOf(
  time: FakeTime,
  gates: readonly Gate[],
  { tasks, priority = "foreground", taskMs = 0 }: {
    tasks: number;
    priority?: Priority;
    taskMs?: number;
  },
): Promise<(number | undefined)[]> {
  const passages = Array.from({ length: tasks }, async (_, n) => {
    let start: number | undefined;
    await gates[n % gates.length]?.run("host", () => (start = Date.now(), later(taskMs)), {
      priority: priority,
    });
    return start;
  });
  await time.runAll();
  return await Promise.all(passages);
}

const isStart = (one: number | undefined) => one !== undefined;

Deno.test("processes with a shared schedule start together like one, four slots per change", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  const gates = [1, 2, 3].map(() => openGate(store));
  const starts = (await startsOf(time, gates, { tasks: 30 })).filter(isStart)
    .toSorted((a, b) => a - b);
  assertEquals(
    starts.map((one) => Math.round(one / 1_000)),
    Array.from({ length: 30 }, (_, n) => n),
  );
  // The first task of each process asks by itself: (1 + 4 + 4 + 1) slots in four changes.
  assert(store.changes <= 12, `${store.changes} changes`);
});

Deno.test("a shared schedule does not wait again for as long as a write that the machine slept through", async () => {
  using time = new FakeTime(0);
  let writeMs = 30_000;
  const store = createStore({});
  const change: ChangePace = async (next) => {
    const outcome = await store.change(next);
    await later(writeMs);
    writeMs = 0;
    return outcome;
  };
  const gate = openGate({ change });
  await startsOf(time, [gate], { tasks: 1 });
  const before = Date.now();
  const [start = Infinity] = await startsOf(time, [gate], { tasks: 1 });
  assert(start - before <= 1_000, `${start - before} ms`);
});

Deno.test("a shared schedule keeps the pace for any tasks, processes, round trips and task times", async () => {
  const property = fc.asyncProperty(
    fc.record({
      burst: fc.integer({ min: 1, max: 4 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      everyMs: fc.integer({ min: 20, max: 400 }),
      roundTripMs: fc.integer({ min: 0, max: 150 }),
      skews: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 4 }),
      tasks: fc.array(
        fc.record({
          process: fc.nat(3),
          afterMs: fc.nat(3_000),
          taskMs: fc.nat(900),
          leavesAfterMs: fc.option(fc.nat(2_000)),
          priority: fc.constantFrom<Priority>("foreground", "foreground", "background"),
        }),
        { maxLength: 40 },
      ),
    }),
    async ({ burst, concurrency, everyMs, roundTripMs, skews, tasks }) => {
      using time = new FakeTime(1_000_000);
      const pace: Pace = { burst, concurrency, everyMs };
      const store = createStore({ roundTripMs });
      const gates = skews.map((skewMs) => openGate(store, { pace, skewMs }));
      const starts: number[][] = gates.map(() => []);
      const runs = tasks.map(async ({ process, afterMs, taskMs, leavesAfterMs, priority }) => {
        const place = process % gates.length;
        const leaving = new AbortController();
        await later(afterMs);
        if (leavesAfterMs !== null) setTimeout(() => leaving.abort(), leavesAfterMs);
        const passage = await gates[place]!.run("host", () => {
          starts[place]!.push(Date.now());
          return later(taskMs);
        }, { priority, signal: leaving.signal });
        return leavesAfterMs !== null || passage.kind === "ran";
      });
      await time.runAll();
      assertEquals((await Promise.all(runs)).includes(false), false, "a task never ran");
      for (const one of starts) assert(overPace(one, pace) < 1e-6, "one process exceeds the pace");
      const allowed = 1 + (Math.max(...skews) - Math.min(...skews)) / everyMs;
      const over = overPace(starts.flat(), pace);
      assert(over < allowed + 1e-6, `${over} over the pace, ${allowed} allowed`);
    },
  );
  await fc.assert(property, { numRuns: 200 });
});

for (const [name, skewMs] of [["an hour ahead", HOUR_MS], ["an hour behind", -HOUR_MS]] as const) {
  Deno.test(`a process whose clock is ${name} adjusts to the others`, async () => {
    using time = new FakeTime(1e12);
    const store = createStore({ roundTripMs: 40 });
    const gates = [openGate(store), openGate(store, { skewMs })];
    const starts = (await startsOf(time, gates, { tasks: 60 })).filter(isStart);
    assertEquals(starts.length, 60);
    const over = overPace(starts, PACE);
    assert(over <= 1 + 4, `${over} over the pace`);
    const late = overPace(starts.filter((one) => one > 1e12 + 20_000), PACE);
    assert(late <= 1 + 1, `${late} over the pace once both have read each other's records`);
  });
}

Deno.test("a record from the future delays a process by no more than its backlog", async () => {
  using time = new FakeTime(1e12);
  const at = 1e12 + 24 * HOUR_MS;
  const store = createStore({ record: { at, spentUntil: at + 3_000 } });
  const starts = await startsOf(time, [openGate(store)], { tasks: 3 });
  assertEquals(starts.map((one = 0) => Math.round((one - 1e12) / 100)), [30, 40, 50]);
});

Deno.test("tasks keep their pace when the wall clock is set while they wait", async () => {
  for (const setBy of [-HOUR_MS, HOUR_MS]) {
    using time = new FakeTime(1e12);
    const store = createStore({});
    let wall = 0;
    let setAt = 0;
    const monotonic = () => Date.now() - setAt;
    const gate = createGate({
      paceOf: () => PACE,
      maxWaitMs: 60_000,
      monotonic,
      scheduleOf: (_key, pace, wake) =>
        createSharedSchedule(pace, {
          change: store.change,
          horizonMs: 60_000,
          now: () => monotonic() + wall,
          monotonic,
          wake,
        }),
    });
    const startedAt = monotonic();
    const run = () => gate.run("host", () => Promise.resolve(monotonic() - startedAt));
    const passages = [run(), run(), run()];
    wall = setBy;
    setAt += setBy;
    time.set(Date.now() + setBy);
    await time.runAll();
    const kinds = (await Promise.all(passages)).map((one) =>
      one.kind === "ran" ? Math.round(one.value / 100) : one.kind
    );
    assertEquals(kinds, [0, 10, 20]);
  }
});

Deno.test("the others wait no longer than for four slots of a process that died", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  const dead = openGate(store);
  let ran = 0;
  // The first task asks for itself, the next four together.
  const passages = Array.from({ length: 9 }, () =>
    dead.run("host", () => {
      if (++ran === 2) dead.close();
      return later(0);
    }));
  await time.runAll();
  await Promise.all(passages);
  assertEquals([ran, Math.floor(Date.now() / 1_000)], [2, 1]);
  const starts = (await startsOf(time, [openGate(store)], { tasks: 3 })).filter(isStart);
  assertEquals(starts.map((one) => Math.floor(one / 1_000)), [5, 6, 7]);
});

Deno.test("slots that were not used in time do not all start later", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  const gates = Array.from(
    { length: 3 },
    () => openGate(store, { pace: { ...PACE, concurrency: 1 } }),
  );
  const starts: number[] = [];
  // The second task of each runs until 30 s, when the slots of the next three are long past.
  const passages = gates.flatMap((gate) =>
    Array.from({ length: 6 }, (_, n) =>
      gate.run("host", () => {
        starts.push(Date.now());
        return later(n === 1 ? 30_000 - Date.now() : 0);
      }))
  );
  await time.runAll();
  await Promise.all(passages);
  assertEquals(starts.length, 18);
  const after = starts.filter((one) => one >= 30_000);
  assertEquals(after.length, 12);
  assert(overPace(after, PACE) <= 1, `${overPace(after, PACE)} over the pace: ${after}`);
});

Deno.test("a slot of a cancelled task goes to the next one", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  const gate = openGate(store);
  const gone = new AbortController();
  const starts: string[] = [];
  const run = (name: string, signal?: AbortSignal) =>
    gate.run("host", () => Promise.resolve(starts.push(`${name} ${Date.now()}`)), { signal });
  const passages = [run("first"), run("gone", gone.signal), run("last")];
  setTimeout(() => gone.abort(), 500);
  await time.runAll();
  await Promise.all(passages);
  assertEquals(starts.map((one) => one.replace(/\d\d$/, "00")), ["first 0", "last 1000"]);
});

Deno.test("a background task never delays another process's tasks by more than itself", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  const [warming, asked] = [openGate(store), openGate(store)];
  const order: string[] = [];
  const run = (gate: Gate, priority: Priority) =>
    gate.run("host", () => Promise.resolve(order.push(priority)), { priority: priority });
  const passages = Array.from({ length: 8 }, () => run(warming, "background"));
  setTimeout(
    () => passages.push(...Array.from({ length: 4 }, () => run(asked, "foreground"))),
    100,
  );
  await time.runAll();
  await Promise.all(passages);
  assertEquals(order.slice(0, 5), [
    "background",
    "foreground",
    "foreground",
    "foreground",
    "foreground",
  ]);
  assertEquals(order.length, 12);
});

Deno.test("a process that never reached the store uses half of the pace, and starts no background task", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  store.works = false;
  const gate = openGate(store, { pace: { ...PACE, burst: 4 }, maxWaitMs: 15_000 });
  const starts = startsOf(time, [gate], { tasks: 4 });
  const background = gate.run("host", () => Promise.resolve(), { priority: "background" });
  const seconds = (await starts).map((one = NaN) => Math.round(one / 1_000));
  assertEquals(seconds, [0, 2, 4, 6]);
  assertEquals((await background).kind, "rejected");
});

const LEARNT: Pace = { concurrency: 4, burst: 4, firstBurst: 2, everyMs: 1_000 };

/** Runs tasks at once and reports each as clean, as a registry's answers are. */
async function search(time: FakeTime, gate: Gate, tasks: number): Promise<number[]> {
  const from = Date.now();
  const starts: number[] = [];
  const results = Array.from({ length: tasks }, () =>
    gate.run("host", async () => {
      starts.push(Date.now() - from);
      await later(80);
      gate.note("host", "clean");
    }));
  await time.runAll();
  await Promise.all(results);
  return starts;
}

Deno.test("a learnt burst grows with clean answers, and other processes start with it", async () => {
  using time = new FakeTime(1_000_000);
  const store = createStore({});
  const [one, two] = [1, 2].map(() => openGate(store, { pace: LEARNT }));
  assertEquals(await search(time, one!, 4), [0, 0, 80, 80]);
  time.tick(60_000);
  assertEquals(await search(time, one!, 5), [0, 0, 0, 0, 1_000]);
  time.tick(60_000);
  assertEquals(await search(time, two!, 4), [0, 0, 0, 0]);
});

Deno.test("a burst that was too much falls for all processes, to half the pace for an hour", async () => {
  using time = new FakeTime(1_000_000);
  const store = createStore({});
  const [one, two] = [1, 2].map(() => openGate(store, { pace: LEARNT }));
  await search(time, one!, 4);
  await search(time, two!, 4);
  time.tick(60_000);
  one!.note("host", "limited");
  await time.runAll();
  assertEquals(await search(time, two!, 3), [0, 2_000, 4_000]);
  time.tick(HOUR_MS);
  assertEquals(await search(time, two!, 3), [0, 80, 160]);
});

Deno.test("a fall that conflicts with a change of the same process lets that change be written", async () => {
  let isWriting = true;
  let conflicts = 0;
  const { note } = createSharedSchedule(LEARNT, {
    change(next) {
      if (isWriting) return Promise.resolve(conflicts++ < 1_000 ? "conflict" : "failed");
      assertEquals(next(undefined)?.learnt?.burst, 1);
      shared.resolve();
      return Promise.resolve("done");
    },
    horizonMs: 15_000,
    now: Date.now,
    monotonic: Date.now,
    wake() {},
  });
  const shared = Promise.withResolvers<void>();
  note?.("limited");
  // The event loop gets here before the thousandth try.
  await later(0);
  isWriting = false;
  await shared.promise;
});

Deno.test("a gate expects waits by the slots that its process has taken, and by the pace in force", async () => {
  using time = new FakeTime(0);
  const pace: Pace = { concurrency: 9, burst: 4, firstBurst: 2, everyMs: 1_000 };
  const gate = openGate(createStore({}), { pace });
  const waits: { expectedMs: number; waitedMs: number }[] = [];
  const run = async () => {
    const at = Date.now();
    const wait = { expectedMs: -1, waitedMs: -1 };
    waits.push(wait);
    await gate.run("host", () => Promise.resolve(wait.waitedMs = Date.now() - at), {
      onQueue: (_, ms) => wait.expectedMs = ms,
    });
  };
  const passages = Array.from({ length: 7 }, run);
  await time.tickAsync(1_500);
  passages.push(run());
  await time.runAll();
  gate.note("host", "limited");
  passages.push(run(), run());
  await time.runAll();
  await Promise.all(passages);
  for (const { expectedMs, waitedMs } of waits) {
    // A write takes a millisecond of fake time.
    assert(Math.abs(expectedMs - waitedMs) <= 5, JSON.stringify(waits));
  }
  assertEquals(waits.map(({ expectedMs }) => Math.round(expectedMs / 500) / 2), [
    ...[0, 0, 1, 2, 3, 4, 5],
    4.5,
    // Half the pace, after the burst that was used up.
    ...[2, 4],
  ]);
});

Deno.test("expectedWaitMs() counts a task once while the slot for it is being written", async () => {
  using time = new FakeTime(0);
  const gate = openGate(createStore({ roundTripMs: 100 }), {
    pace: { ...PACE, burst: 2, everyMs: 60_000 },
  });
  const passage = gate.run("host", () => Promise.resolve());
  for (const writtenMs of [0, 150, 250]) {
    await time.tickAsync(writtenMs - Date.now());
    assertEquals([writtenMs, gate.expectedWaitMs("host")], [writtenMs, 0]);
  }
  await passage;
});

Deno.test("a client that asks for little takes no slots for the tasks of others, so that the next one finds the burst", async () => {
  using time = new FakeTime(0);
  const gate = openGate(createStore({ roundTripMs: 5 }), { pace: { ...PACE, burst: 4 } });
  const starts: Record<string, number[]> = { list: [], other: [], one: [], two: [] };
  const run = (client: string) =>
    gate.run("host", () => Promise.resolve(starts[client]?.push(Date.now())), { client });
  const passages = Array.from({ length: 12 }, (_, n) => run(n % 2 === 0 ? "list" : "other"));
  await time.tickAsync(10_500);
  passages.push(run("one"), run("one"));
  await time.tickAsync(1_000);
  passages.push(run("two"), run("two"));
  await time.runAll();
  await Promise.all(passages);
  // A round trip reads the record, another one writes it; the first task does not wait for the second.
  assertEquals([starts.one, starts.two], [[10_510, 10_520], [11_510, 11_520]]);
});

Deno.test("a learnt interval falls with clean answers in a row, and doubles for all processes after a refusal", async () => {
  using time = new FakeTime(0);
  const pace: Pace = { concurrency: 9, burst: 1, everyMs: 200, fastestEveryMs: 100 };
  const store = createStore({});
  const [one, two] = [openGate(store, { pace }), openGate(store, { pace })];
  const spanOf = async (gate: Gate, tasks: number) => {
    await time.tickAsync(60_000);
    const [first = 0, ...rest] = await startsOf(time, [gate], { tasks });
    return Math.round(((rest.at(-1) ?? 0) - first) / rest.length);
  };
  assertEquals(await spanOf(one, 11), 200);
  for (let answers = 0; answers < 120; answers++) one.note("host", "clean");
  assertEquals([await spanOf(one, 11), await spanOf(two, 11)], [100, 100]);
  two.note("host", "limited");
  assertEquals([await spanOf(one, 11), await spanOf(two, 11)], [200, 200]);
  const place = { client: "list" };
  const [first, second] = [one.retryMs("host", place), one.retryMs("host", place)];
  assertEquals(second - first, 250, "by the pace in force");
});

Deno.test("a list takes no slot ahead of a client that comes, where a head start leaves a part of the burst", async () => {
  using time = new FakeTime(0);
  const pace: Pace = { concurrency: 9, burst: 6, headStart: 3, everyMs: 1_000 };
  const gate = openGate(createStore({}), { pace });
  const starts: string[] = [];
  const run = (client: string) =>
    gate.run("host", () => {
      // A timer of 0 ms takes 1.
      starts.push(`${client} ${Math.round(Date.now() / 100)}`);
      return Promise.resolve();
    }, { client });
  const passages = Array.from({ length: 5 }, () => run("list"));
  await time.tickAsync(100);
  assertEquals(starts.splice(0), Array(3).fill("list 0"));
  passages.push(run("person"), run("person"), run("person"));
  await time.runAll();
  await Promise.all(passages);
  assertEquals(starts, [...Array(3).fill("person 1"), "list 60", "list 70"]);
});

/** As CentralNic's: 1,200 of them are used. */
const WINDOW = { limit: 1_800, ms: 900_000 };
const PUBLISHED: Pace = { concurrency: 4, burst: 4, everyMs: 100, window: WINDOW };

/** Runs tasks of a client, four at a time as the command line does, until `until`; returns their starts. */
async function runList(
  gates: readonly Gate[],
  { until, client = "list", taskMs = 100 }: { until: number; client?: string; taskMs?: number },
): Promise<number[]> {
  const starts: number[] = [];
  await Promise.all(
    gates.flatMap((gate) =>
      Array.from({ length: PUBLISHED.concurrency }, async () => {
        while (Date.now() < until) {
          const result = await gate.run("host", () => {
            starts.push(Date.now());
            return later(taskMs);
          }, { client });
          if (result.kind === "rejected") await later(gate.retryMs("host", { client }));
        }
      })
    ),
  );
  return starts;
}

const openPublished = (store: { change: ChangePace }) =>
  openGate(store, { pace: PUBLISHED, maxWaitMs: 15_000 });

const countBetween = (starts: readonly number[], from: number, to: number) =>
  starts.filter((start) => start >= from && start < to).length;

Deno.test("a list at a published window gets half of it at ten a second, then one in about 3 s without a rejection", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  const gate = openPublished(store);
  let rejected = 0;
  const { run } = gate;
  gate.run = async (...args) => {
    const result = await run(...args);
    if (result.kind === "rejected") rejected++;
    return result;
  };
  const list = runList([gate], { until: 3_000_000 });
  await time.tickAsync(3_200_000);
  const starts = await list;
  assert(countBetween(starts, 0, 62_000) >= 600, `${countBetween(starts, 0, 62_000)} in 62 s`);
  const slow = countBetween(starts, 100_000, 900_000);
  assert(slow >= 240 && slow <= 300, `${slow} between 100 and 900 s`);
  assert(mostWithin(starts, WINDOW.ms) <= 900, `${mostWithin(starts, WINDOW.ms)} in 15 minutes`);
  assertEquals(rejected, 0);
  assert(starts.length >= 2_400, `${starts.length} in 50 minutes`);
  // The record does not grow with the starts.
  assert(store.changes <= 0.75 * starts.length, `${store.changes} changes`);
  assert((store.record?.use?.starts.length ?? 0) <= 18);
});

Deno.test("single questions start at once when lists of several processes have used their part of a window", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  const gates = [1, 2, 3].map(() => openPublished(store));
  const lists = ["a", "b"].map((client) => runList(gates, { until: 840_000, client }));
  const waits: number[] = [];
  const starts: number[] = [];
  const singles = Promise.all(Array.from({ length: 290 }, async (_, n) => {
    await later(120_000 + n * 2_400);
    const from = Date.now();
    await gates[n % 3]?.run("host", () => {
      starts.push(Date.now());
      waits.push(Date.now() - from);
      return later(100);
    }, { client: `person ${n}` });
  }));
  await time.tickAsync(1_000_000);
  await singles;
  const ofLists = (await Promise.all(lists)).flat();
  assertEquals(waits.length, 290);
  assert(Math.max(...waits) <= 200, `${Math.max(...waits)} ms`);
  assert(mostWithin([...ofLists, ...starts], WINDOW.ms) <= 1_200);
  // Lists stop when only a quarter is left.
  assert(ofLists.length <= 900 && ofLists.length >= 600, `${ofLists.length} of lists`);
  const last = Math.max(...ofLists);
  const before = countBetween(starts, 0, last) + ofLists.length;
  assert(before <= 900, `${before} before the last of the lists`);
});

Deno.test("any single questions of three processes use two thirds of a published window at most, and wait for the rest", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  const gates = [1, 2, 3].map(() => openPublished(store));
  const starts: number[] = [];
  const kinds = Promise.all(Array.from({ length: 4_000 }, async (_, n) => {
    await later(n * 500);
    const start = () => Promise.resolve(starts.push(Date.now()));
    return (await gates[n % 3]!.run("host", start, { client: `person ${n}` })).kind;
  }));
  await time.tickAsync(2_100_000);
  const ran = (await kinds).filter((kind) => kind === "ran").length;
  assertEquals(ran, starts.length);
  const most = mostWithin(starts, WINDOW.ms);
  assert(most <= 1_200 && most >= 1_190, `${most} in 15 minutes`);
});

Deno.test("a task that would wait for a list's slow part of a window is rejected at once", async () => {
  using time = new FakeTime(0);
  const gate = openPublished(createStore({}));
  const list = runList([gate], { until: 90_000 });
  await time.tickAsync(120_000);
  await list;
  const from = Date.now();
  const results = Array.from({ length: 40 }, async () => {
    const { kind } = await gate.run("host", () => Promise.resolve(), { client: "list" });
    return `${kind} ${Date.now() === from ? "at once" : "later"}`;
  });
  await time.tickAsync(20_000);
  const counts = Map.groupBy(await Promise.all(results), (result) => result);
  const rejected = counts.get("rejected at once")?.length ?? 0;
  assert(rejected >= 30, [...counts].map(([kind, { length }]) => `${length} ${kind}`).join());
});

Deno.test("slow tasks drop few slots of a published window: those count as used", async () => {
  using time = new FakeTime(0);
  const store = createStore({});
  const gate = openGate(store, { pace: { ...PUBLISHED, concurrency: 1 } });
  const list = runList([gate], { until: 60_000, taskMs: 300 });
  await time.tickAsync(100_000);
  const { length } = await list;
  const used = (store.record?.use?.starts ?? []).reduce((sum, [, count]) => sum + count, 0);
  assert(length > 180 && used <= 1.5 * length, `${length} starts, ${used} used`);
});

Deno.test("a client that asks for one name after another, about once a second, is a list to a published window", async () => {
  using time = new FakeTime(0);
  const gate = openPublished(createStore({}));
  let starts = 0;
  const asked = (async () => {
    while (Date.now() < WINDOW.ms) {
      await gate.run("host", () => Promise.resolve(starts++), { client: "one by one" });
      await later(1_100);
    }
  })();
  await time.tickAsync(WINDOW.ms + 20_000);
  await asked;
  assert(starts >= 650 && starts <= 700, `${starts} in 15 minutes`);
});
