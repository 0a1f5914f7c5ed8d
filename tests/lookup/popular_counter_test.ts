import { assertEquals } from "@std/assert";
import { createDemand, createPopularCounter } from "../../src/lookup/popular_counter.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import type { NameKind } from "../../src/rules/popularity.ts";
import { failingKv } from "../support/changed_kv.ts";
import { createKvFile } from "../support/kv_file.ts";
import { until } from "../support/until.ts";
import { type RunningService, startService } from "../support/service.ts";

const HOUR_MS = 3_600_000;

async function topOf(
  { services }: Pick<RunningService, "services">,
  kind: NameKind,
): Promise<readonly string[]> {
  const { warmers } = services.jobs.dependencies;
  return await warmers.find((one) => one.kind === kind)?.names() ?? [];
}

/** A service whose KV can be made to reject commits, and its popular names. */
async function startCounting(lab: Lab, kv: Deno.Kv) {
  let refuses = false;
  const unruly = failingKv(kv, "atomic", () => refuses);
  const service = await startService(lab, { kv: unruly, env: { TLDS: "com" } });
  const { popular } = service.services.jobs.dependencies;
  const count = (name: string, times: number) => {
    for (let n = 0; n < times; n++) {
      service.services.popular.count("domain", [name], { site: `network ${n}` });
    }
  };
  return {
    count,
    countAs: (waiter: { site?: string } | undefined, name: string) => {
      for (let n = 0; n < 9; n++) service.services.popular.count("domain", [name], waiter);
    },
    popular,
    top: (kind: NameKind) => topOf(service, kind),
    refuse: (whether: boolean) => void (refuses = whether),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

Deno.test("flush() adds up the counts of simultaneous processes", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  await using one = await startCounting(lab, await file.open());
  await using two = await startCounting(lab, await file.open());
  for (const process of [one, two]) {
    process.count("often", 4);
    process.count("seldom", 3);
  }
  one.count("here", 7);
  // One of them may lose all its retries to the other and write at the next flush.
  await Promise.all([one.popular.flush(), two.popular.flush()]);
  await Promise.all([one.popular.flush(), two.popular.flush()]);
  assertEquals((await two.top("domain")).slice(0, 3), ["often", "here", "seldom"]);
});

Deno.test("flush() keeps counts that KV did not take", async () => {
  await using lab = await startLab();
  await using one = await startCounting(lab, await Deno.openKv(":memory:"));
  one.count("wanted", 3);
  one.refuse(true);
  await one.popular.flush();
  assertEquals((await one.top("domain")).includes("wanted"), false);
  one.refuse(false);
  await one.popular.flush();
  assertEquals((await one.top("domain")).at(0), "wanted");
});

Deno.test("popular.count() counts nothing for a client whose network is not known", async () => {
  await using lab = await startLab();
  await using one = await startCounting(lab, await Deno.openKv(":memory:"));
  for (const waiter of [undefined, {}]) one.countAs(waiter, "wanted");
  await one.popular.flush();
  assertEquals((await one.top("domain")).includes("wanted"), false);
});

/** A counter over a store in memory, whose names are counted at once. */
function counterOver(flushMs = HOUR_MS) {
  const written: string[] = [];
  const store = {
    top: () => Promise.resolve([]),
    add: (_kind: NameKind, counts: ReadonlyMap<string, number>) =>
      Promise.resolve(written.push(...counts.keys()) > 0),
  };
  const counter = createPopularCounter({ store, reportFault() {}, flushMs, now: () => 0 });
  function count(...names: string[]) {
    for (const site of ["a", "b", "c"]) counter.count("domain", names, { site });
  }
  return { ...counter, count, written };
}

Deno.test("count() has the counts written after a while, and again when it counts again", async () => {
  const { count, written } = counterOver(1);
  count("one");
  await until("it writes", () => written.length === 1);
  count("two");
  await until("it writes again", () => written.length === 2);
});

Deno.test("stop() writes what was counted", async () => {
  const { count, stop, written } = counterOver();
  count("one");
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
  const ask = (networks: number[], name = "name") => networks.map((one) => demand(name, one));
  return { ask, clock };
}

Deno.test("createDemand() counts a name from the third network on, each once an hour", () => {
  const { ask, clock } = demandFor();
  assertEquals(ask([1, 1, 1, 2, 1, 2]), [0, 0, 0, 0, 0, 0]);
  assertEquals(ask([3, 3, 1, 2, 4, 4]), [3, 0, 0, 0, 1, 0]);
  assertEquals(ask([1, 2, 3], "constructor"), [0, 0, 3]);
  clock.now += HOUR_MS;
  assertEquals(ask([1, 1, 5, 3]), [1, 0, 1, 1]);
});

Deno.test("createDemand() counts nothing from one or two networks, however often and long they ask", () => {
  const { ask, clock } = demandFor();
  for (let hour = 0; hour < 100; hour++) {
    assertEquals(ask([1, 2, 1, 2]), [0, 0, 0, 0]);
    clock.now += HOUR_MS;
  }
});

Deno.test("createDemand() forgets a network after a day", () => {
  const { ask, clock } = demandFor();
  ask([1, 2]);
  clock.now += 24 * HOUR_MS;
  assertEquals(ask([3, 4]), [0, 0]);
  assertEquals(ask([5]), [3]);
});

Deno.test("createDemand() counts on for any number of networks, and forgets names beyond its bound", () => {
  const { ask } = demandFor({ max: 10 });
  const many = Array.from({ length: 1_000 }, (_, network) => network);
  assertEquals(ask(many).reduce((sum, count) => sum + count), 1_000);
  for (let n = 0; n < 20; n++) ask([1], `stranger ${n}`);
  assertEquals(ask([1, 2, 3]), [0, 0, 3]);
});
