import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createFairQueue, type FairQueue, type Place } from "../../src/flow/queue/fair_queue.ts";

interface Task extends Place {
  readonly name: string;
}

/** A queue whose virtual time takes ten seconds for a turn while no task waits. */
function queueWith({ headStart = 0 } = {}) {
  const clock = { now: 0 };
  const queue = createFairQueue<Task>({ headStart, turnMs: 10_000, monotonic: () => clock.now });
  return { clock, queue };
}

/** A task whose client is the first letter of its name. */
function task(name: string, place: Partial<Place> = {}): Task {
  return { client: name.slice(0, 1), ...place, name };
}

/** Starts tasks in turn, all if no number is given, and returns their names. */
function startTasks(queue: FairQueue<Task>, most = Infinity): string[] {
  const started: string[] = [];
  for (let n = 0; n < most; n++) {
    const next = queue.next();
    if (next === undefined) break;
    queue.start(next);
    started.push(next.name);
  }
  return started;
}

Deno.test("fairQueue.next() gives one task of each client in turn, in order of arrival", () => {
  const { queue } = queueWith();
  for (const name of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.add(task(name));
  assertEquals(queue.size, 6);
  assertEquals(["a", "b", "d"].map((client) => queue.countOf({ client })), [3, 1, 0]);
  assertEquals(startTasks(queue), ["a1", "b1", "c1", "a2", "c2", "a3"]);
  assertEquals([queue.size, queue.next(), queue.all()], [0, undefined, []]);
});

Deno.test("fairQueue.next() gives a client's tasks by rank, and those of one rank in order of arrival", () => {
  const { queue } = queueWith();
  for (const [name, rank] of [["a1", 2], ["a2", 0], ["b1", 3], ["a3", 2], ["a4", 0]] as const) {
    queue.add(task(name, { rank }));
  }
  const aheadOf = (rank?: number) => queue.ahead({ client: "a", rank });
  assertEquals([aheadOf(0), aheadOf(1), aheadOf(2), aheadOf()], [3, 3, 5, 5]);
  assertEquals(startTasks(queue), ["a2", "b1", "a4", "a1", "a3"]);
});

Deno.test("fairQueue.next() lets sites take turns first, then the clients in each", () => {
  const { queue } = queueWith();
  for (const name of ["a1", "b1", "c1", "d1", "a2"]) queue.add(task(name, { site: "one" }));
  for (const name of ["x1", "x2", "x3"]) queue.add(task(name));
  assertEquals(queue.ahead({ client: "e", site: "one" }), 4 + 3);
  assertEquals(queue.ahead({ client: "y" }), 2);
  assertEquals(startTasks(queue), ["a1", "x1", "b1", "x2", "c1", "x3", "d1", "a2"]);
});

Deno.test("fairQueue.next() lets a client that comes go before the second task of others, however many they have", () => {
  const { queue } = queueWith();
  for (let n = 0; n < 1_000; n++) queue.add(task(`flood ${n}`));
  for (const name of ["a1", "a2"]) queue.add(task(name));
  assertEquals(startTasks(queue, 2), ["flood 0", "a1"]);
  queue.add(task("b1"));
  assertEquals(queue.ahead({ client: "b" }), 3);
  assertEquals(startTasks(queue, 4), ["b1", "flood 1", "a2", "flood 2"]);
});

Deno.test("fairQueue.next() gives a client that comes a head start, and no more after a long idle time", () => {
  const { clock, queue } = queueWith({ headStart: 2 });
  for (let n = 0; n < 9; n++) queue.add(task(`list ${n}`));
  for (let n = 0; n < 9; n++) queue.add(task(`other ${n}`));
  startTasks(queue, 9);
  clock.now = 3_600_000;
  for (let n = 0; n < 4; n++) queue.add(task(`person ${n}`));
  assertEquals(queue.headStartLeft({ client: "p" }), 2);
  assertEquals(startTasks(queue, 2), ["person 0", "person 1"]);
  assertEquals(queue.headStartLeft({ client: "p" }), 0);
  const rest = startTasks(queue, 6).map((name) => name.slice(0, 1)).toSorted().join("");
  assertEquals(rest, "lloopp");
});

Deno.test("fairQueue.headStartLeft() falls with each start, and is whole again after some idle turns", () => {
  const { clock, queue } = queueWith({ headStart: 4 });
  const left = (client: string) => queue.headStartLeft({ client });
  for (let n = 0; n < 6; n++) queue.add(task(`a${n}`));
  startTasks(queue);
  assertEquals([left("a"), left("b")], [Infinity, 4]);
  queue.add(task("b1"));
  startTasks(queue);
  assertEquals([left("a"), left("b")], [0, 3]);
  // It has used its turn, too.
  clock.now = 19_999;
  assertEquals(left("a"), 0);
  clock.now = 20_000;
  assertEquals(left("a"), 1);
  clock.now = 60_000;
  assertEquals([left("a"), left("b")], [Infinity, Infinity]);
});

Deno.test("fairQueue.headStartLeft() counts the clients of a site, where another site is served the less of both", () => {
  const { queue } = queueWith({ headStart: 4 });
  const left = (client: string, site?: string) => queue.headStartLeft({ client, site });
  for (let n = 0; n < 9; n++) queue.add(task(`list ${n}`, { site: "one" }));
  startTasks(queue, 5);
  assertEquals([left("l", "one"), left("p", "one")], [Infinity, 4]);
  queue.add(task("x1"));
  assertEquals([left("l", "one"), left("p", "one"), left("x")], [0, 0, 4]);
});

Deno.test("fairQueue.headStartLeft() is no less for anyone because of tasks without a client", () => {
  const { queue } = queueWith({ headStart: 4 });
  queue.add({ client: "", name: "test" });
  startTasks(queue);
  queue.add(task("a1"));
  assertEquals([queue.headStartLeft({ client: "a" }), queue.headStartLeft({ client: "" })], [
    Infinity,
    Infinity,
  ]);
});

Deno.test("fairQueue.remove() ignores a task that is not in the queue", () => {
  const { queue } = queueWith();
  const [one, two, other] = [task("a1"), task("a2"), task("b1")];
  queue.add(one);
  queue.add(two);
  queue.remove(other);
  queue.remove(one);
  queue.remove(one);
  queue.start(one);
  assertEquals([queue.size, queue.all()], [1, [two]]);
  queue.remove(two);
  assertEquals([queue.size, queue.next()], [0, undefined]);
});

/** Arrivals, cancellations and starts of the tasks of four clients at two sites. */
const EVENTS = fc.array(
  fc.record({
    client: fc.constantFrom("a", "b", "c", "d"),
    rank: fc.nat(3),
    change: fc.constantFrom("add", "add", "add", "start", "cancel", "pause"),
  }),
  { maxLength: 60 },
);

function siteOf(client: string): string | undefined {
  return client === "d" ? undefined : client === "c" ? "two" : "one";
}

function queueAfter(
  events: typeof EVENTS extends fc.Arbitrary<infer E> ? E : never,
  headStart: number,
) {
  const { clock, queue } = queueWith({ headStart });
  events.forEach(({ client, rank, change }, n) => {
    const [first] = queue.all().filter((one) => one.client === client);
    if (change === "add") queue.add({ client, site: siteOf(client), rank, name: `${n}` });
    else if (change === "start") startTasks(queue, 1);
    else if (change === "pause") clock.now += 7_000;
    else if (first !== undefined) queue.remove(first);
  });
  return queue;
}

Deno.test("fairQueue.ahead() is never less than the tasks that start before a further one", () => {
  fc.assert(fc.property(EVENTS, fc.nat(4), fc.nat(3), (events, headStart, rank) => {
    const queue = queueAfter(events, headStart);
    const last = { client: "a", site: siteOf("a"), rank, name: "last" };
    const ahead = queue.ahead(last);
    queue.add(last);
    const before = startTasks(queue).indexOf("last");
    assert(before >= 0 && before <= ahead, `${before} start before it, not ${ahead}`);
  }));
});

Deno.test("fairQueue.next() serves sites whose tasks always wait alike, but for a head start", () => {
  fc.assert(
    fc.property(EVENTS, fc.nat(4), fc.integer({ min: 1, max: 40 }), (events, headStart, starts) => {
      const queue = queueAfter(events, headStart);
      for (let n = 0; n < 60; n++) {
        for (const client of ["a", "b", "c", "d"]) {
          queue.add({ client, site: siteOf(client), name: client });
        }
      }
      const served = new Map([["one", 0], ["two", 0], ["d", 0]]);
      for (let n = 0; n < starts; n++) {
        const next = queue.next();
        if (next === undefined) break;
        queue.start(next);
        const site = next.site ?? next.client;
        served.set(site, (served.get(site) ?? 0) + 1);
      }
      const counts = [...served.values()];
      const difference = Math.max(...counts) - Math.min(...counts);
      assert(difference <= headStart + 2, `${counts} of ${starts}`);
    }),
  );
});

/** How many entries of maps and sets a call reads, each step of an iteration among them. */
function readsOf(run: () => unknown): number {
  let reads = 0;
  const restore: (() => void)[] = [];
  for (
    const { prototype } of [Map, Set] as unknown as { prototype: Record<PropertyKey, unknown> }[]
  ) {
    for (const name of ["get", "has", "keys", "values", "entries", "forEach", Symbol.iterator]) {
      const original = prototype[name] as ((...args: unknown[]) => unknown) | undefined;
      if (original === undefined) continue;
      const isOne = name === "get" || name === "has";
      prototype[name] = function (this: { size: number }, ...args: unknown[]) {
        reads += isOne ? 1 : this.size;
        return original.apply(this, args);
      };
      restore.push(() => prototype[name] = original);
    }
  }
  try {
    run();
    return reads;
  } finally {
    for (const undo of restore) undo();
  }
}

Deno.test("fairQueue.ahead() reads as much with three thousand clients that wait as with three", () => {
  for (const headStart of [0, 4]) {
    const reads = [3, 3_000].map((clients) => {
      const { queue } = queueWith({ headStart });
      for (let n = 0; n < clients; n++) {
        const place = { client: `client ${n}`, site: `site ${n}` };
        for (let task = 0; task < 5; task++) queue.add({ ...place, name: `${task}` });
      }
      return ["client 0", "new"].map((client) =>
        readsOf(() => queue.ahead({ client, site: "site 0" }))
      );
    });
    assertEquals(reads[1], reads[0], `head start ${headStart}`);
    assert((reads[0]?.[0] ?? 0) > 0, "nothing was counted");
  }
});
