import { assertEquals } from "@std/assert";
import {
  learn,
  type LearntPace,
  newerPace,
  paceInForce,
} from "../../src/flow/queue/learnt_pace.ts";
import type { Pace } from "../../src/flow/queue/schedule.ts";

const PACE: Pace = { concurrency: 4, burst: 4, firstBurst: 2, everyMs: 1_000 };
const HOUR_MS = 3_600_000;

Deno.test("paceInForce() starts with the first burst", () => {
  assertEquals(paceInForce(PACE, undefined, 0), { ...PACE, burst: 2 });
});

Deno.test("learn() adds one to the burst for each clean answer, up to the pace's own burst", () => {
  let learnt: LearntPace | undefined;
  const bursts = [1, 2, 3, 4].map((time) => {
    learnt = learn(PACE, learnt, "clean", time);
    return paceInForce(PACE, learnt, time).burst;
  });
  assertEquals([bursts, learnt?.at], [[3, 4, 4, 4], 2]);
});

Deno.test("learn() falls to a burst of 1 and half the pace for an hour when the host asks for fewer", () => {
  const learnt = learn(PACE, { at: 1, burst: 4, slowUntil: 0 }, "limited", 100);
  assertEquals(paceInForce(PACE, learnt, 100), { ...PACE, burst: 1, everyMs: 2_000 });
  assertEquals(paceInForce(PACE, learnt, HOUR_MS + 99).everyMs, 2_000);
  assertEquals(learn(PACE, learnt, "clean", 200), learnt, "no growth within the hour");
  assertEquals(paceInForce(PACE, learnt, HOUR_MS + 100), { ...PACE, burst: 1 });
  const later = learn(PACE, learnt, "clean", HOUR_MS + 100);
  assertEquals(paceInForce(PACE, later, HOUR_MS + 101), { ...PACE, burst: 2 });
});

Deno.test("paceInForce() is half the lasting pace of a published window when the host asks for fewer", () => {
  const window = { limit: 1_800, ms: 900_000 };
  const learnt = learn({ ...PACE, everyMs: 100, window }, undefined, "limited", 100);
  const { everyMs } = paceInForce({ ...PACE, everyMs: 100, window }, learnt, 100);
  assertEquals(Math.round(window.ms / everyMs), 562);
});

Deno.test("learn() and paceInForce() leave a pace without a first burst as it is", () => {
  const { firstBurst: _, ...fixed } = PACE;
  assertEquals(learn(fixed, undefined, "limited", 1), undefined);
  assertEquals(paceInForce(fixed, { at: 1, burst: 1, slowUntil: 9 }, 2), fixed);
});

Deno.test("paceInForce() never exceeds the pace's own burst with any record", () => {
  assertEquals(paceInForce(PACE, { at: 1, burst: 99, slowUntil: 0 }, 2).burst, 4);
});

Deno.test("newerPace() takes the one that was learnt later", () => {
  const older = { at: 1, burst: 4, slowUntil: 0 };
  const newer = { at: 2, burst: 1, slowUntil: 9 };
  assertEquals([newerPace(older, newer), newerPace(newer, older)], [newer, newer]);
  assertEquals([newerPace(undefined, older), newerPace(older, undefined)], [older, older]);
  assertEquals(newerPace(undefined, undefined), undefined);
});

const UNMEASURED: Pace = { concurrency: 4, burst: 8, everyMs: 200, fastestEveryMs: 100 };

Deno.test("learn() adds one question a second for each 20 clean answers in a row, up to the fastest interval", () => {
  let learnt: LearntPace | undefined;
  const perSecond = Array.from({ length: 140 }, (_, answers) => {
    learnt = learn(UNMEASURED, learnt, "clean", answers + 1, answers + 1);
    const { burst, everyMs } = paceInForce(UNMEASURED, learnt, answers + 1);
    assertEquals(burst, 8);
    return Math.round(1_000 / everyMs);
  });
  assertEquals([18, 19, 39, 59, 79, 98, 99, 139].map((answers) => perSecond[answers]), [
    5,
    6,
    7,
    8,
    9,
    9,
    10,
    10,
  ]);
});

Deno.test("learn() halves a learnt pace once when the host asks for fewer, down to one question in ten seconds", () => {
  const learnt = learn(UNMEASURED, undefined, "limited", 1);
  assertEquals(paceInForce(UNMEASURED, learnt, 1), { ...UNMEASURED, everyMs: 400 });
  assertEquals(learn(UNMEASURED, learnt, "limited", 10_000), learnt, "it was in flight");
  let slowest = learnt;
  for (const n of [1, 2, 3, 4, 5, 6]) slowest = learn(UNMEASURED, slowest, "limited", n * 10_001);
  assertEquals(slowest?.everyMs, 10_000);
  const after = (everyMs: number) =>
    learn(UNMEASURED, { at: 0, burst: 8, slowUntil: 0, everyMs }, "clean", 60_007, 20)?.everyMs;
  // One more a second would be eleven times as many.
  assertEquals([after(10_000), after(2_000), after(1_100), after(1_000)], [
    8_000,
    1_600,
    1_000,
    500,
  ]);
});
