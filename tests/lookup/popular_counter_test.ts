import { assertEquals } from "@std/assert";
import { createDemand, createPopularCounter } from "../../src/lookup/popular_counter.ts";
import type { NameKind } from "../../src/rules/popularity.ts";
import { until } from "../support/until.ts";

const HOUR_MS = 3_600_000;

/** A counter over a store in memory, which can refuse the counts; names are counted at once. */
function counterOver(flushMs = HOUR_MS) {
  const written: string[] = [];
  const stored = { refuses: false };
  const counter = createPopularCounter({
    store: {
      top: () => Promise.resolve([]),
      add: (_kind: NameKind, counts: ReadonlyMap<string, number>) => {
        if (!stored.refuses) written.push(...counts.keys());
        return Promise.resolve(!stored.refuses);
      },
    },
    flushMs,
    now: () => 0,
  });
  function count(...names: string[]) {
    for (const site of ["a", "b", "c"]) counter.count("domain", names, { site });
  }
  return { ...counter, count, countAs: counter.count, written, stored };
}

Deno.test("count() has the counts written after a while, and again when it counts again", async () => {
  const { count, written } = counterOver(1);
  count("one");
  await until("it writes", () => written.length === 1);
  count("two");
  await until("it writes again", () => written.length === 2);
});

Deno.test("flush() keeps counts that KV did not take, and stop() writes what was counted, but for a client whose network is not known", async () => {
  const { count, countAs, flush, stop, written, stored } = counterOver();
  stored.refuses = true;
  for (const waiter of [undefined, {}]) countAs("domain", ["wanted"], waiter);
  count("one");
  await flush();
  assertEquals(written, []);
  stored.refuses = false;
  await stop();
  assertEquals(written, ["one"]);
});

Deno.test("count() counts no further names until 2,048 are written", async () => {
  const { count, flush, written } = counterOver();
  for (let n = 0; n < 2_100; n++) count(`name ${n}`);
  await flush();
  assertEquals(written.length, 2_048);
  count("another one");
  await flush();
  assertEquals(written.at(-1), "another one");
});

/** The rule under a clock that the test sets. */
function demandFor({ max = 100 } = {}) {
  const clock = { now: Date.UTC(2026, 10, 21) };
  const demand = createDemand({ max, now: () => clock.now });
  const ask = (networks: number[], name = "name") => networks.map((one) => demand(name, `${one}`));
  return { ask, clock };
}

Deno.test("createDemand() counts a name from the third network on, each once a day", () => {
  const { ask, clock } = demandFor();
  assertEquals(ask([1, 1, 1, 2, 1, 2]), [0, 0, 0, 0, 0, 0]);
  assertEquals(ask([3, 3, 1, 2, 4, 4]), [3, 0, 0, 0, 1, 0]);
  assertEquals(ask([1, 2, 3], "constructor"), [0, 0, 3]);
  clock.now += 23 * HOUR_MS;
  assertEquals(ask([1, 5]), [0, 1]);
  clock.now += HOUR_MS;
  assertEquals(ask([1, 1, 5, 3]), [0, 0, 0, 3]);
});

Deno.test("createDemand() counts nothing from one or two networks, however often and long they ask, and forgets them with the day", () => {
  const { ask, clock } = demandFor();
  for (let hour = 0; hour < 100; hour++) {
    assertEquals(ask([1, 2, 1, 2]), [0, 0, 0, 0]);
    clock.now += HOUR_MS;
  }
  clock.now += 24 * HOUR_MS;
  assertEquals(ask([3, 4, 5]), [0, 0, 3]);
});

Deno.test("createDemand() counts on for any number of networks, and forgets names beyond its bound", () => {
  const { ask } = demandFor({ max: 10 });
  const many = Array.from({ length: 1_000 }, (_, network) => network);
  assertEquals(ask(many).reduce((sum, count) => sum + count), 1_000);
  for (let n = 0; n < 20; n++) ask([1], `stranger ${n}`);
  assertEquals(ask([1, 2, 3]), [0, 0, 3]);
});
