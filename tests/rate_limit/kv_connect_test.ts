import { assert, assertEquals } from "@std/assert";
import type { Decision } from "../../src/rate_limit/limiter.ts";
import { createRateLimiter } from "../../src/rate_limit/limiter.ts";
import { onEachKv, openKvConnect } from "../support/on_each_kv.ts";

/** Longer than any round trip here and any pause of a busy machine. */
const PATIENT_MS = 10_000;

function limiterOn(kv: Deno.Kv, options: { now?: () => number } = {}) {
  return createRateLimiter({
    kv,
    now: Date.now,
    report() {},
    deadlineMs: PATIENT_MS,
    windowMs: 600_000,
    ...options,
  });
}

function times<T>(count: number, one: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => one(n));
}

function admitted(admissions: readonly Decision[]): number {
  return admissions.filter(({ kind }) => kind === "admitted").length;
}

/** How many slots KV holds of a key. */
async function slotsOf(kv: Deno.Kv, key: string): Promise<number> {
  const { value } = await kv.get<Float64Array>(["rate", key]);
  return (value ?? new Float64Array()).filter((_, n) => n % 2 === 1)
    .reduce((sum, count) => sum + count, 0);
}

onEachKv("limiter.admit() admits 60 of 90 simultaneous requests", async (kv) => {
  const limiter = limiterOn(kv);
  assertEquals(admitted(await Promise.all(times(90, () => limiter.admit("a", 60)))), 60);
  await limiter.settled();
  assertEquals(await slotsOf(kv, "a"), 60);
});

onEachKv("limiters of two processes never admit more than the limit together", async (kv, open) => {
  const both = [limiterOn(kv), limiterOn(await open.openAnother())];
  const made: Decision[] = [];
  for (let round = 0; round < 3; round++) {
    const asked = times(24, (n) => both[n % 2]?.admit(`s${n % 3}`, 10) ?? []).flat();
    for (const one of await Promise.all(asked)) if ("kind" in one) made.push(one);
  }
  for (const one of both) await one.settled();
  assertEquals(admitted(made), 30);
  assertEquals(await Promise.all(times(3, (n) => slotsOf(kv, `s${n}`))), [10, 10, 10]);
});

onEachKv("limiter.admit() counts what an earlier process committed", async (kv, open) => {
  for (const expected of [40, 20, 0]) {
    const limiter = limiterOn(expected === 20 ? await open.openAnother() : kv);
    assertEquals(admitted(await Promise.all(times(40, () => limiter.admit("a", 60)))), expected);
    await limiter.settled();
  }
});

onEachKv("limiter.admit() admits again once the window has passed", async (kv) => {
  let now = 1_000_000;
  const limiter = limiterOn(kv, { now: () => now });
  const three = async () => admitted(await Promise.all(times(3, () => limiter.admit("a", 2))));
  assertEquals(await three(), 2);
  now += 599_999;
  assertEquals(await three(), 0);
  now += 1;
  assertEquals(await three(), 2);
  await limiter.settled();
});

Deno.test("limiter.admit() writes ten keys in one commit, which is one write unit", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const limiter = limiterOn(open.kv);
  open.server.reset();
  await Promise.all(times(10, (n) => limiter.admit(`198.51.100.${n}`, 60)));
  await limiter.settled();
  const { requests, writeUnits, byFirstPart } = open.server.readings();
  assertEquals([requests.write, writeUnits, byFirstPart.rate?.mutations], [1, 1, 10]);
});

Deno.test("limiter.admit() counts what it decided while KV hung, and what KV applied late", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const shared = Promise.withResolvers<void>();
  const limiter = createRateLimiter({
    kv: open.kv,
    now: Date.now,
    report: (event) => void (event === "limits.shared" && shared.resolve()),
    deadlineMs: 200,
    pauseMs: 20,
    windowMs: 600_000,
  });
  open.server.fail("write", { kind: "hang" });
  const during = await Promise.all(times(40, () => limiter.admit("a", 60)));
  assertEquals([admitted(during), limiter.isOnFallback()], [40, true]);
  // Deno's client gives no call up: what the process has given up is applied when the server goes on.
  open.server.recover();
  await shared.promise;
  const rest = await Promise.all(times(60, () => limiter.admit("a", 60)));
  await limiter.settled();
  const all = admitted([...during, ...rest]);
  assert(all <= 60, `${all} of 60 were let in`);
  assert(await slotsOf(open.kv, "a") >= all);
});

Deno.test("limiter.admit() admits no more than the limit when answers of commits are lost", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const limiter = limiterOn(open.kv);
  const made: Decision[] = [];
  for (let n = 0; n < 3; n++) {
    open.server.fail("write", { kind: "apply_then_drop" }, 1);
    made.push(await limiter.admit("a", 10));
  }
  made.push(...await Promise.all(times(20, () => limiter.admit("a", 10))));
  await limiter.settled();
  // Deno's client commits again, which conflicts with the first commit: what that took and held counts twice.
  assertEquals(admitted(made), 6);
  assertEquals(await slotsOf(open.kv, "a"), 10);
});
