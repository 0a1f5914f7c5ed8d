import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { startFlight } from "../../src/flow/cache/flight.ts";
import { FakeTime } from "../support/fake_time.ts";
import { createGate, type Pace } from "../../src/flow/queue/gate.ts";
import { overPace } from "../support/over_pace.ts";

function gateOf(pace: Pace, maxWaitMs = 60_000) {
  return createGate({ paceOf: () => pace, maxWaitMs, monotonic: Date.now });
}

Deno.test("gate.run() runs at most `concurrency` tasks of a key at once", async () => {
  const gate = gateOf({ concurrency: 2, burst: 9, everyMs: 0 });
  const end = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const run = async () => {
    most = Math.max(most, ++running);
    await end.promise;
    running--;
  };
  const passages = Array.from({ length: 20 }, () => gate.run("host", run));
  assertEquals(running, 2);
  assertEquals(await gate.run("other", () => Promise.resolve("in")), { kind: "ran", value: "in" });
  end.resolve();
  const kinds = (await Promise.all(passages)).map(({ kind }) => kind);
  assertEquals(kinds, Array(20).fill("ran"));
  assertEquals(most, 2);
});

Deno.test("gate.run() spaces starts by `everyMs` once the burst is used up", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 9, burst: 2, everyMs: 1_000 });
  const starts: number[] = [];
  const passages = Array.from(
    { length: 4 },
    () => gate.run("host", () => Promise.resolve(starts.push(Date.now()))),
  );
  await time.runAll();
  await Promise.all(passages);
  assertEquals(starts, [0, 0, 1_000, 2_000]);
});

Deno.test("gate.run() restores the burst after a quiet time, and no more than it", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 9, burst: 2, everyMs: 1_000 });
  const starts: number[] = [];
  const note = () => Promise.resolve(starts.push(Date.now()));
  await gate.run("host", note);
  time.tick(60_000);
  const passages = [gate.run("host", note), gate.run("host", note), gate.run("host", note)];
  await time.runAll();
  await Promise.all(passages);
  assertEquals(starts, [0, 60_000, 60_000, 61_000]);
});

Deno.test("gate.run() starts a background task only when no foreground task waits", async () => {
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 0 });
  const order: string[] = [];
  const note = (name: string) => () => Promise.resolve(order.push(name));
  const first = Promise.withResolvers<void>();
  const passages = [
    gate.run("host", () => first.promise),
    gate.run("host", note("background"), { priority: "background" }),
    gate.run("host", note("foreground"), { priority: "foreground" }),
  ];
  first.resolve();
  await Promise.all(passages);
  assertEquals(order, ["foreground", "background"]);
});

Deno.test("gate.run() leaves half of the burst and of the concurrency to foreground tasks", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 4, burst: 4, everyMs: 1_000 });
  const starts: string[] = [];
  const end = Promise.withResolvers<void>();
  const note = (priority: "foreground" | "background") =>
    gate.run("host", () => (starts.push(`${priority} ${Date.now()}`), end.promise), {
      priority: priority,
    });
  const passages = [
    note("background"),
    note("background"),
    note("background"),
    note("foreground"),
    note("foreground"),
  ];
  assertEquals(starts, ["background 0", "background 0", "foreground 0", "foreground 0"]);
  end.resolve();
  await time.runAll();
  await Promise.all(passages);
  assertEquals(starts.at(-1), "background 3000");
});

Deno.test("gate.run() starts a foreground task on time when a background task waits for a later start", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 1_000 });
  const starts: string[] = [];
  const note = (name: string) => () => Promise.resolve(starts.push(`${name} ${Date.now()}`));
  await gate.run("host", note("first"));
  const passages = [
    gate.run("host", note("background"), { priority: "background" }),
    gate.run("host", note("foreground")),
  ];
  await time.runAll();
  await Promise.all(passages);
  assertEquals(starts, ["first 0", "foreground 1000", "background 3000"]);
});

Deno.test("gate.run() rejects no foreground task because of waiting background tasks", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 1_000 }, 2_500);
  const run = (priority: "foreground" | "background") =>
    gate.run("host", () => Promise.resolve(priority), { priority: priority });
  const passages = [
    run("foreground"),
    run("background"),
    run("background"),
    run("background"),
    run("background"),
    run("foreground"),
  ];
  await time.runAll();
  const kinds = (await Promise.all(passages)).map(({ kind }) => kind);
  assertEquals([kinds.at(0), kinds.at(4), kinds.at(5)], ["ran", "rejected", "ran"]);
});

Deno.test("gate.run() rejects a task at once when its wait would certainly be too long", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 1_000 }, 2_500);
  const passages = Array.from({ length: 4 }, () => gate.run("host", () => Promise.resolve("ran")));
  assertEquals((await gate.run("host", () => Promise.resolve("ran"))).kind, "rejected");
  await time.runAll();
  const kinds = (await Promise.all(passages)).map(({ kind }) => kind);
  assertEquals(kinds, ["ran", "ran", "ran", "rejected"]);
});

Deno.test("gate.run() rejects a task when its wait is too long", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 0 }, 2_000);
  const stuck = Promise.withResolvers<void>();
  const first = gate.run("host", () => stuck.promise);
  const second = gate.run("host", () => Promise.resolve());
  time.tick(2_000);
  assertEquals((await second).kind, "rejected");
  stuck.resolve();
  assertEquals((await first).kind, "ran");
});

for (const [change, ms] of [["back by an hour", -3_600_000], ["ahead by a day", 86_400_000]]) {
  Deno.test(`gate.run() keeps its pace when the wall clock is set ${change}`, async () => {
    using time = new FakeTime(1e12);
    let setBy = 0;
    const monotonic = () => Date.now() - setBy;
    const gate = createGate({
      paceOf: (key) => ({ concurrency: 9, burst: 1, everyMs: key === "paced" ? 1_000 : 0 }),
      maxWaitMs: 15_000,
      monotonic,
    });
    const start = monotonic();
    const run = (key: string) => gate.run(key, () => Promise.resolve(monotonic() - start));
    await Promise.all([run("paced"), run("unpaced")]);
    setBy = Number(ms);
    time.set(Date.now() + setBy);
    const passages = [run("unpaced"), run("paced"), run("paced")];
    await time.runAll();
    assertEquals(
      (await Promise.all(passages)).map((one) => one.kind === "ran" ? one.value : one.kind),
      [0, 1_000, 2_000],
    );
  });
}

Deno.test("gate.clear() rejects one key's waiting tasks, and leaves running ones", async () => {
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 0 });
  const running = Promise.withResolvers<string>();
  const first = gate.run("host", () => running.promise);
  const waiting = gate.run("host", () => Promise.resolve("late"));
  gate.clear("host");
  gate.clear("an unknown host");
  assertEquals((await waiting).kind, "rejected");
  running.resolve("done");
  assertEquals(await first, { kind: "ran", value: "done" });
  assertEquals(await gate.run("host", () => Promise.resolve("next")), {
    kind: "ran",
    value: "next",
  });
});

Deno.test("gate.close() rejects waiting and future tasks, and leaves no timer", async () => {
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 60_000 });
  await gate.run("host", () => Promise.resolve());
  const waiting = gate.run("host", () => Promise.resolve());
  gate.close();
  assertEquals((await waiting).kind, "rejected");
  assertEquals((await gate.run("host", () => Promise.resolve())).kind, "rejected");
});

Deno.test("gate.run() rejects with a task's error and starts the next task", async () => {
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 0 });
  await assertRejects(
    () => gate.run("host", () => Promise.reject(new RangeError("bug"))),
    RangeError,
    "bug",
  );
  assertEquals(await gate.run("host", () => Promise.resolve("next")), {
    kind: "ran",
    value: "next",
  });
});

Deno.test("gate.run() rejects a cancelled task at once, unless it is running", async () => {
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 0 });
  const running = Promise.withResolvers<string>();
  const gone = new AbortController();
  const { signal } = gone;
  const started: string[] = [];
  const first = gate.run("host", () => running.promise, { signal });
  const waiting = gate.run("host", () => Promise.resolve(started.push("second")), { signal });
  const other = gate.run("host", () => Promise.resolve(started.push("other")));
  gone.abort();
  assertEquals((await waiting).kind, "rejected");
  assertEquals((await gate.run("host", () => Promise.resolve(), { signal })).kind, "rejected");
  running.resolve("done");
  assertEquals(await first, { kind: "ran", value: "done" });
  await other;
  assertEquals(started, ["other"]);
});

Deno.test("gate.run() starts a person's task before the rest of a list", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 1_000 });
  const starts: string[] = [];
  const run = (client: string) =>
    gate.run("host", () => Promise.resolve(starts.push(`${client} ${Date.now()}`)), { client });
  const results = [run("list"), run("list"), run("list"), run("list"), run("person")];
  await time.runAll();
  await Promise.all(results);
  assertEquals(starts, ["list 0", "person 1000", "list 2000", "list 3000", "list 4000"]);
});

Deno.test("gate.run() rejects tasks of the client whose queue is too long, and starts those of others", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 1_000 }, 3_500);
  const run = (client: string) => gate.run("host", () => Promise.resolve(client), { client });
  const greedy = Array.from({ length: 7 }, () => run("greedy"));
  const others = ["a", "b"].map(run);
  await time.runAll();
  const kinds = (await Promise.all(greedy)).map(({ kind }) => kind);
  // It has starts at 0 and 1 s, the others at 2 and 3 s; its next one would start later than 3.5 s.
  assertEquals(kinds.filter((kind) => kind === "ran").length, 2);
  assertEquals((await Promise.all(others)).map(({ kind }) => kind), ["ran", "ran"]);
});

Deno.test("gate.retryMs() spreads a client's tasks that were turned away over the pace, after its wait or a pause", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 1_000 }, 3_500);
  const run = (client: string) => gate.run("host", () => Promise.resolve(client), { client });
  const running = Array.from({ length: 5 }, () => run("greedy"));
  assertEquals(await run("greedy"), { kind: "rejected" });
  assertEquals(gate.expectedWaitMs("host", "greedy"), 4_000);
  assertEquals(gate.expectedWaitMs("host", "another"), 1_000);
  const retryMs = (client: string, leastMs?: number) => gate.retryMs("host", { client }, leastMs);
  assertEquals([retryMs("greedy"), retryMs("greedy"), retryMs("another")], [4_000, 5_250, 1_000]);
  assertEquals([retryMs("greedy", 6_000), retryMs("another", 60_000)], [6_500, 60_000]);
  await time.runAll();
  await Promise.all(running);
  time.tick(60_000);
  assertEquals([retryMs("greedy"), retryMs("greedy")], [1_000, 2_250]);
  for (let more = 0; more < 2_000; more++) retryMs("greedy");
  assertEquals(retryMs("greedy"), 1_501_000, "it may not come back at all");
});

Deno.test("gate.run() reports the expected wait of a task before it waits, and not of one that is rejected at once", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 9, burst: 1, everyMs: 1_000 }, 2_001);
  const expected: [string, number][] = [];
  const onQueue = (key: string, ms: number) => void expected.push([key, ms]);
  const run = () => gate.run("host", () => Promise.resolve(), { client: "a", onQueue });
  const passages = [run(), run(), run(), run(), run()];
  assertEquals(expected, [["host", 0], ["host", 1_000], ["host", 2_000]]);
  await time.runAll();
  const kinds = (await Promise.all(passages)).map(({ kind }) => kind);
  assertEquals(kinds, ["ran", "ran", "ran", "rejected", "rejected"]);
});

Deno.test("gate.run() expects no wait for tasks of a saved burst, and counts what was used of it", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 9, burst: 3, everyMs: 1_000 });
  const expected: number[] = [];
  const starts: number[] = [];
  const run = () =>
    gate.run("host", () => Promise.resolve(starts.push(Date.now())), {
      onQueue: (_, ms) => void expected.push(Date.now() + ms),
    });
  const passages = [run(), run(), run(), run(), run()];
  await time.tickAsync(500);
  passages.push(run());
  await time.runAll();
  passages.push(run());
  await time.runAll();
  await Promise.all(passages);
  assertEquals(starts, [0, 0, 0, 1_000, 2_000, 3_000, 4_000]);
  assertEquals(expected, [0, 0, 0, 1_000, 2_000, 3_000, 4_000]);
});

Deno.test("gate.run() starts a client's tasks by their rank, and lets clients take turns all the same", async () => {
  const gate = gateOf({ concurrency: 1, burst: 1, everyMs: 0 });
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const run = (client: string, rank: number) =>
    gate.run("host", () => Promise.resolve(order.push(`${client}${rank}`)), { client, rank });
  const passages = [
    gate.run("host", () => first.promise),
    run("a", 5),
    run("a", 2),
    run("a", 1),
    run("b", 5),
    run("a", 1),
  ];
  first.resolve();
  await Promise.all(passages);
  assertEquals(order, ["a1", "b5", "a1", "a2", "a5"]);
});

Deno.test("gate.run() expects a task to wait only for those of its client's that have no worse rank", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 9, burst: 1, everyMs: 1_000 }, 2_500);
  const run = (rank: number) => gate.run("host", () => Promise.resolve(), { client: "a", rank });
  const passages = [run(1), run(5), run(5), run(5), run(1), run(1), run(1)];
  await time.runAll();
  const kinds = (await Promise.all(passages)).map(({ kind }) => kind);
  assertEquals(kinds, ["ran", "rejected", "rejected", "rejected", "ran", "ran", "rejected"]);
});

Deno.test("gate.run() lets lists take turns, and leaves the burst to clients that ask for little", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 9, burst: 4, everyMs: 1_000 });
  const starts: string[] = [];
  const run = (client: string) =>
    gate.run("host", () => Promise.resolve(starts.push(`${client} ${Date.now()}`)), { client });
  const passages = Array.from({ length: 26 }, (_, n) => run(n % 2 === 0 ? "a" : "b"));
  await time.tickAsync(17_900);
  starts.length = 0;
  passages.push(run("person"), run("person"), run("person"), run("person"));
  await time.runAll();
  await Promise.all(passages);
  const persons = starts.slice(0, 4).map((start) => start.split(" "));
  assertEquals(persons.map(([client]) => client), Array(4).fill("person"));
  // All at once, but for what the last start of the lists has used of the burst.
  assertEquals(persons.map(([, at]) => Number(at)), [17_900, 17_900, 17_900, 18_000]);
  const lists = starts.slice(4).map((start) => start.split(" "));
  // The burst that the person used is saved again first.
  assertEquals(
    lists.map(([, at]) => Number(at)),
    [22, 23, 24, 25, 26, 27, 28, 29].map((second) => second * 1_000),
  );
  const turns = lists.map(([client]) => client).join("");
  assertEquals(["abababab", "babababa"].includes(turns), true, turns);
});

Deno.test("gate.run() keeps what a head start leaves of the burst for other clients, even while there are none", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 9, burst: 6, headStart: 3, everyMs: 1_000 });
  const starts: string[] = [];
  const run = (client: string) =>
    gate.run("host", () => Promise.resolve(starts.push(`${client} ${Date.now()}`)), { client });
  const passages = Array.from({ length: 7 }, () => run("list"));
  await time.tickAsync(2_100);
  assertEquals(starts.splice(0), ["list 0", "list 0", "list 0", "list 1000", "list 2000"]);
  assertEquals(gate.expectedWaitMs("host", "list"), 2_900);
  passages.push(run("person"), run("person"), run("person"));
  await time.runAll();
  await Promise.all(passages);
  // The burst is saved again first: the person may come again.
  assertEquals(starts, [...Array(3).fill("person 2100"), "list 8000", "list 9000"]);
});

Deno.test("gate.run() starts the first task of each client that comes before the second of any that waits", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 4, burst: 4, everyMs: 0 });
  const starts: string[] = [];
  const passages: Promise<unknown>[] = [];
  for (let client = 0; client < 100; client++) {
    for (let n = 1; n <= 19; n++) {
      const run = () => {
        starts.push(n === 1 ? "first" : "later");
        return new Promise((resolve) => setTimeout(resolve, 20));
      };
      passages.push(gate.run("dns", run, { client: `client ${client}` }));
    }
    await time.tickAsync(1);
  }
  await time.tickAsync(10_000);
  await Promise.all(passages);
  // The client that came first used all four places, and one more task of it waited before all others.
  const early = starts.slice(0, starts.lastIndexOf("first")).filter((one) => one === "later");
  assertEquals(early.length, 4);
  assertEquals(starts.length, 1_900);
});

Deno.test("gate.run() starts a person's task at once between those of many clients of one site", async () => {
  using time = new FakeTime(0);
  const gate = gateOf({ concurrency: 4, burst: 1, everyMs: 1_000 }, 15_000);
  const run = (client: string, site?: string) =>
    gate.run("host", () => Promise.resolve(Date.now()), { client, site });
  const ofSite = Array.from({ length: 80 }, (_, n) => run(`address ${n % 20}`, "network"));
  await time.tickAsync(100);
  assertEquals(gate.expectedWaitMs("host", "person"), 900);
  // They share the turns of their site among them.
  assertEquals(gate.expectedWaitMs("host", "address 20", "network") > 10_000, true);
  const person = run("person");
  await time.runAll();
  assertEquals(await person, { kind: "ran", value: 1_000 });
  const ran = (await Promise.all(ofSite)).filter(({ kind }) => kind === "ran");
  assertEquals(ran.length, 14);
});

Deno.test("gate.run() starts each task once and at the pace for any clients that join, leave and come again", async () => {
  const waiters = fc.array(
    fc.record({
      client: fc.constantFrom("a", "b", "c", "d"),
      afterMs: fc.nat(9_000),
      leavesAfterMs: fc.option(fc.nat(6_000)),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const pace = fc.record({
    concurrency: fc.integer({ min: 1, max: 3 }),
    burst: fc.integer({ min: 1, max: 3 }),
    everyMs: fc.constantFrom(0, 500, 1_000),
  });
  const property = fc.asyncProperty(
    pace,
    fc.array(waiters, { minLength: 1, maxLength: 8 }),
    async (pace, tasks) => {
      using time = new FakeTime(0);
      const gate = gateOf(pace, 600_000);
      const starts: number[] = [];
      const flights = tasks.map(async (waiters) => {
        const started: number[] = [];
        const run = () => {
          started.push(Date.now());
          starts.push(Date.now());
          return new Promise((resolve) => setTimeout(resolve, 300));
        };
        const first = Promise.withResolvers<ReturnType<typeof startFlight>>();
        const joins = waiters.map(async ({ client, afterMs, leavesAfterMs }, n) => {
          const leaving = new AbortController();
          const site = client < "c" ? "one" : undefined;
          if (n > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
          else {
            first.resolve(
              startFlight((signal, clients) =>
                gate.run("host", run, { client, site, signal, clients })
              ),
            );
          }
          if (leavesAfterMs !== null) setTimeout(() => leaving.abort(), leavesAfterMs);
          await (await first.promise).join({ client, site, signal: leaving.signal });
        });
        await Promise.all(joins);
        const stays = waiters[0]?.leavesAfterMs === null;
        assert(started.length === 1 || (!stays && started.length === 0), `${started}`);
      });
      await time.runAll();
      await Promise.all(flights);
      if (pace.everyMs > 0) assert(overPace(starts, pace) < 1e-6, `${starts}`);
      // No place is left behind.
      time.tick(600_000);
      let startedAt = -1;
      const last = gate.run("host", () => Promise.resolve(startedAt = Date.now()));
      assertEquals(startedAt, Date.now());
      await last;
    },
  );
  await fc.assert(property, { numRuns: 200 });
});
