import { assertEquals } from "@std/assert";
import type { Waiter } from "../../src/flow/cache/flight.ts";
import { createTurns } from "../../src/flow/queue/turns.ts";
import { createStartLookUps } from "../../src/lookup/start_look_ups.ts";
import { BUILT_IN_TLDS, WANTED_TLDS } from "../../src/rules/tables/tlds.ts";
import { FakeTime } from "../support/fake_time.ts";

const MAX_WAIT_MS = 15_000;

/** Look-ups that end when the test lets them, for `atOnce` at once. */
function record(atOnce: number) {
  const expected: string[] = [];
  const started: string[] = [];
  const running = new Map<string, { leaveQueue(): void; answer(row: string): void }>();
  const startLookUps = createStartLookUps({
    expect(label, tld) {
      expected.push(`${label}.${tld}`);
      return label === "cached";
    },
    turns: createTurns({ atOnce, monotonic: () => 0 }),
    maxWaitMs: MAX_WAIT_MS,
  });

  function request(label: string, tlds: readonly string[]): Promise<string>[] {
    const waiter = { signal: new AbortController().signal, client: label };
    const items = tlds.map((tld) => ({ label, tld }));
    return startLookUps(items, waiter, ({ tld }, waiter: Waiter | undefined, onStart) => {
      started.push(`${label}.${tld}`);
      if (waiter?.signal.aborted) return Promise.resolve("unasked");
      const { promise, resolve } = Promise.withResolvers<string>();
      running.set(`${label}.${tld}`, { leaveQueue: onStart, answer: resolve });
      return promise;
    });
  }

  return { request, expected, started, running };
}

Deno.test("startLookUps() starts the wanted TLDs first, then the others in their order, and keeps the places", async () => {
  const { request, expected, started, running } = record(100);
  const all = BUILT_IN_TLDS.map(({ tld }) => tld);
  const rows = request("name", all);
  assertEquals(expected, all.map((tld) => `name.${tld}`));
  for (let place = 0; place < all.length; place++) running.get(started[place]!)?.leaveQueue();
  for (const [name, { answer }] of running) answer(name);
  assertEquals(await Promise.all(rows), expected);
  const inOrder = [...WANTED_TLDS, ...all.filter((tld) => !WANTED_TLDS.includes(tld))];
  assertEquals(started, inOrder.map((tld) => `name.${tld}`));
  assertEquals(request("name", []), []);
});

Deno.test("startLookUps() starts the next look-up of a request once the last has left its queue or has settled", async () => {
  const { request, started, running } = record(100);
  const rows = request("name", ["com", "io", "ai"]);
  assertEquals(started, ["name.com"]);
  running.get("name.com")?.leaveQueue();
  assertEquals(started, ["name.com", "name.io"]);
  running.get("name.com")?.answer("later");
  await rows[0];
  assertEquals(started, ["name.com", "name.io"], "the first has started its next one before");
  running.get("name.io")?.answer("from the cache");
  await rows[1];
  assertEquals(started, ["name.com", "name.io", "name.ai"]);
  running.get("name.ai")?.answer("taken");
  await rows[2];
});

Deno.test("startLookUps() lets what is cached wait for no turn", async () => {
  const { request, started, running } = record(1);
  const [slow] = request("slow", ["com"]);
  const rows = request("cached", ["com", "io"]);
  assertEquals(started, ["slow.com", "cached.com", "cached.io"]);
  for (const { answer } of running.values()) answer("taken");
  await Promise.all([slow, ...rows]);
});

Deno.test("startLookUps() starts the first look-up of every client before the second of any", async () => {
  const { request, started, running } = record(1);
  const rows = ["one", "two", "three"].flatMap((label) => request(label, ["com", "io"]));
  for (let place = 0; place < rows.length; place++) running.get(started[place]!)?.leaveQueue();
  for (const [name, { answer }] of running) answer(name);
  await Promise.all(rows);
  assertEquals(started, ["one.com", "two.com", "three.com", "one.io", "two.io", "three.io"]);
});

Deno.test("startLookUps() answers unasked what gets no turn in time, and no look-up that has begun", async () => {
  using time = new FakeTime(0);
  const { request, running } = record(1);
  const [first] = request("slow", ["com"]);
  const late = request("late", ["com", "io"]);
  await time.tickAsync(MAX_WAIT_MS);
  assertEquals(await Promise.all(late), ["unasked", "unasked"]);
  running.get("slow.com")?.answer("taken");
  assertEquals(await first, "taken");
});
