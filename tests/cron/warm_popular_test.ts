import { assertEquals, assertMatch } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import type { JobDependencies } from "../../cron/job.ts";
import type { Renewal } from "../../src/flow/cache/cached.ts";
import type { Warmer } from "../../src/lookup/warmers.ts";
import type { NameKind } from "../../src/rules/popularity.ts";

const MINUTE_MS = 60_000;
const { run: warmPopular } = JOBS.find(({ name }) => name === "warm_popular")!;

/** Names with look-ups in these queues; each takes a turn of the event loop and is recorded. */
function createWork(
  names: Partial<Record<NameKind, string[]>>,
  { queues = ["host"], renewal = "renewed" as Renewal, tookMs = 0, stopsAfter = Infinity } = {},
) {
  const asked: string[] = [];
  const running = new Map<string, number>();
  const clock = { now: 0 };
  const stop = new AbortController();
  let most = 0;
  let flushed = 0;
  const askable = (kind: NameKind): Warmer => () =>
    Promise.resolve(
      (names[kind] ?? []).map((name) =>
        (name === "unwanted" ? [] : queues).map((queue) => ({
          queue,
          renew: async (until) => {
            assertEquals(until >= 20 * MINUTE_MS, true);
            running.set(queue, (running.get(queue) ?? 0) + 1);
            most = Math.max(most, running.get(queue) ?? 0);
            asked.push(`${name} ${queue}`);
            await new Promise((resolve) => setTimeout(resolve, 0));
            clock.now += tookMs;
            running.set(queue, (running.get(queue) ?? 0) - 1);
            if (asked.length === stopsAfter) stop.abort();
            return renewal;
          },
        }))
      ),
    );
  const work = {
    popular: { flush: () => Promise.resolve(void flushed++) },
    warmers: [askable("domain"), askable("ens")],
    now: () => clock.now,
  } as unknown as JobDependencies;
  const warm = () => warmPopular(work, stop.signal);
  return { warm, asked, most: () => most, flushed: () => flushed };
}

Deno.test("warmPopular() flushes the counts, then renews every wanted name in every queue, one at a time, the most popular of all kinds first", async () => {
  const { warm, asked, most, flushed } = createWork(
    { domain: ["a", "unwanted", "b"], ens: ["c", "d"] },
    { queues: ["x", "y"] },
  );
  const { kind } = await warm();
  const inQueue = (queue: string) => asked.filter((one) => one.endsWith(queue));
  assertEquals([inQueue("x").join(), inQueue("y").join()], ["a x,c x,d x,b x", "a y,c y,d y,b y"]);
  assertEquals([kind, most(), flushed()], ["done", 1, 1]);
});

const NAMES = Array.from({ length: 100 }, (_, n) => `name-${n}`);

Deno.test("warmPopular() ends before the next tick and reports what it skipped", async () => {
  const { warm, asked } = createWork({ domain: NAMES }, { tookMs: MINUTE_MS });
  const outcome = await warm();
  assertEquals(asked.length, 9);
  assertMatch(outcome.kind === "done" ? outcome.message : "", /^9 renewed, .* 91 skipped$/);
});

Deno.test("warmPopular() limits its look-ups for any number of names and TLDs", async () => {
  const queues = Array.from({ length: 40 }, (_, n) => `host-${n}`);
  const { warm, asked } = createWork({ domain: NAMES }, { queues });
  await warm();
  assertEquals(asked.length, 3_500);
  assertEquals(asked.includes("name-99 host-0"), false);
});

Deno.test("warmPopular() stops in the middle when its signal is aborted", async () => {
  const { warm, asked } = createWork({ domain: ["a", "b", "c"] }, { stopsAfter: 1 });
  await warm();
  assertEquals(asked, ["a host"]);
});

Deno.test("warmPopular() fails when no look-up has a result, and asks for nothing without popular names", async () => {
  const unfounded = createWork({ domain: ["a", "b"] }, { renewal: "unfounded" });
  const fresh = createWork({ domain: ["a"] }, { renewal: "fresh" });
  const nothing = createWork({});
  const all = [unfounded, fresh, nothing].map(({ warm }) => warm());
  assertEquals((await Promise.all(all)).map(({ kind }) => kind), ["failed", "done", "done"]);
  assertEquals(nothing.asked, []);
});
