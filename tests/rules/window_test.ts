import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { admit, countOf, live, merge, peek, type Window } from "../../src/rules/window.ts";

const EMPTY: Window = [];
const START = 1_700_000_000_000;

/** Makes the claims one after another; tells each decision. */
function makeClaims(
  claims: readonly { now: number; cost?: number }[],
  { limit, windowMs = 60_000 }: { limit: number; windowMs?: number },
) {
  let window = EMPTY;
  return claims.map(({ now, cost = 1 }) => {
    const decided = admit(window, now, { limit, cost, windowMs });
    window = decided.window;
    return { now, cost, window, admission: decided.admission };
  });
}

Deno.test("admit() lets `limit` in and tells what is left", () => {
  const claims = Array.from({ length: 5 }, (_, n) => ({ now: START + n }));
  const made = makeClaims(claims, { limit: 3 }).map(({ admission }) => admission);
  assertEquals(made, [
    { kind: "admitted", remaining: 2, resetAt: START + 60_000, at: START },
    { kind: "admitted", remaining: 1, resetAt: START + 60_000, at: START + 1 },
    { kind: "admitted", remaining: 0, resetAt: START + 60_000, at: START + 2 },
    { kind: "refused", remaining: 0, resetAt: START + 60_000, retryAfterMs: 59_997 },
    { kind: "refused", remaining: 0, resetAt: START + 60_000, retryAfterMs: 59_996 },
  ]);
});

Deno.test("admit() has a slot free again after 60,000 ms, not one ms before", () => {
  const kinds = makeClaims(
    [{ now: START }, { now: START + 59_999 }, { now: START + 60_000 }, { now: START + 119_999 }],
    { limit: 1 },
  ).map(({ admission }) => admission.kind);
  assertEquals(kinds, ["admitted", "refused", "admitted", "refused"]);
});

Deno.test("admit() uses nothing up when it refuses", () => {
  const [first, ...refused] = makeClaims(Array(50).fill({ now: START }), { limit: 1 });
  for (const { window } of refused) assertEquals(window, first?.window);
});

Deno.test("admit() takes all slots of a claim or none, and tells when all would be free", () => {
  const window: Window = [{ at: 100, count: 2 }, { at: 200, count: 1 }, { at: 300, count: 1 }];
  const refusal = (cost: number, limit: number) => admit(window, 400, { limit, cost }).admission;
  const standing = { kind: "refused", resetAt: 60_100 } as const;
  assertEquals(refusal(3, 6), { ...standing, remaining: 2, retryAfterMs: 59_700 });
  assertEquals(refusal(5, 6), { ...standing, remaining: 2, retryAfterMs: 59_800 });
  assertEquals(refusal(6, 6), { ...standing, remaining: 2, retryAfterMs: 59_900 });
  assertEquals(admit(window, 400, { limit: 6, cost: 2 }).admission.kind, "admitted");
});

Deno.test("admit() never lets in what costs more than the limit", () => {
  assertEquals(admit(EMPTY, 7, { limit: 2, cost: 3 }).admission, {
    kind: "refused",
    remaining: 2,
    resetAt: 7,
    retryAfterMs: 60_000,
  });
});

Deno.test("admit() frees no slot early when the clock goes back and forth", () => {
  const decisions = makeClaims(
    [{ now: START }, { now: START - 30_000 }, { now: START + 59_999 }, { now: START + 60_000 }],
    { limit: 2 },
  ).map(({ admission }) => admission.kind);
  assertEquals(decisions, ["admitted", "admitted", "refused", "admitted"]);
});

Deno.test("live() counts slots from beyond a window ahead as taken now, so that nobody waits for hours", () => {
  const window: Window = [{ at: START, count: 2 }, { at: START + 5, count: 1 }];
  const hourBefore = START - 3_600_000;
  assertEquals(live(window, hourBefore), [{ at: hourBefore, count: 3 }]);
  assertEquals(live(window, START - 50_000), window);
});

Deno.test("peek() tells what is left and takes nothing", () => {
  assertEquals(peek(EMPTY, 5, { limit: 60 }), { remaining: 60, resetAt: 5 });
  assertEquals(peek([{ at: 5, count: 61 }], 6, { limit: 60 }), { remaining: 0, resetAt: 60_005 });
  assertEquals(peek([{ at: 5, count: 9 }], 60_005, { limit: 60 }), {
    remaining: 60,
    resetAt: 60_005,
  });
});

Deno.test("merge() keeps every slot, sorted, one entry for each time", () => {
  const time = fc.record({ at: fc.nat(50), count: fc.integer({ min: 1, max: 9 }) });
  const window = fc.uniqueArray(time, { selector: ({ at }) => at }).map((slots): Window =>
    slots.toSorted((a, b) => a.at - b.at)
  );
  fc.assert(fc.property(window, window, (one, other) => {
    const merged = merge(one, other);
    assertEquals(countOf(merged), countOf(one) + countOf(other));
    merged.slice(1).forEach(({ at }, n) => assert(at > (merged[n]?.at ?? Infinity)));
  }));
});

const WINDOW_MS = 2_000;

/** Claims at times that mostly go forwards, often by nothing, and sometimes back, by a window at most. */
function claims(maxCost: number) {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.nat(30) },
    { weight: 2, arbitrary: fc.nat(1_500) },
    { weight: 2, arbitrary: fc.constantFrom(0, 1, 999, 1_999, 2_000, 2_001) },
    { weight: 1, arbitrary: fc.integer({ min: -1_900, max: -1 }) },
  );
  const cost = fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: maxCost }) },
  );
  return fc.array(fc.record({ step, cost }), { maxLength: 250, size: "max" }).map((steps) => {
    let now = START;
    let newest = START;
    return steps.map(({ step, cost }) => {
      now = Math.max(now + step, newest - WINDOW_MS);
      newest = Math.max(newest, now);
      return { now, cost };
    });
  });
}

/** The oracle: all admissions, each looked at again for each claim. What has once lapsed never counts again. */
function admittedByOracle(made: readonly { now: number; cost: number }[], limit: number) {
  const log: { at: number; cost: number; lapsed: boolean }[] = [];
  return made.map(({ now, cost }) => {
    for (const one of log) one.lapsed ||= now - one.at >= WINDOW_MS;
    const counting = log.filter(({ lapsed }) => !lapsed);
    if (counting.reduce((sum, { cost }) => sum + cost, cost) > limit) return false;
    log.push({ at: Math.max(now, counting.at(-1)?.at ?? 0), cost, lapsed: false });
    return true;
  });
}

Deno.test("admit() decides as the oracle does while the limit is small", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), claims(12), (limit, list) => {
      const decisions = makeClaims(list, { limit, windowMs: WINDOW_MS });
      const admitted = decisions.map(({ admission }) => admission.kind === "admitted");
      assertEquals(admitted, admittedByOracle(list, limit));
    }),
    { numRuns: 300 },
  );
});

/** The time that has passed: where the clock goes back, none. */
function elapsed(list: readonly { now: number }[]): number[] {
  let sum = 0;
  return list.map(({ now }, n) => sum += Math.max(0, now - (list[n - 1]?.now ?? now)));
}

/** The most slots that any window holds, whatever the clock did. */
function mostInAnyWindow(decisions: ReturnType<typeof makeClaims>): number {
  const times = elapsed(decisions);
  const taken = decisions.flatMap(({ admission, cost }, n) =>
    admission.kind === "admitted" ? [{ at: times[n] ?? 0, cost }] : []
  );
  const sums = taken.map(({ at: end }) =>
    taken.filter(({ at }) => at <= end && at > end - WINDOW_MS).reduce(
      (sum, { cost }) => sum + cost,
      0,
    )
  );
  return Math.max(0, ...sums);
}

Deno.test("admit() never lets more than the limit in within any window, whatever the clock does", () => {
  const leaps = fc.array(fc.integer({ min: -10 * WINDOW_MS, max: 2 * WINDOW_MS }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), claims(60), leaps, (limit, list, leaps) => {
      let shift = 0;
      const shaken = list.map(({ now, cost }, n) => {
        if (n % 10 === 0) shift += leaps[n / 10] ?? 0;
        return { now: now + shift, cost };
      });
      const decisions = makeClaims(shaken, { limit, windowMs: WINDOW_MS });
      assert(mostInAnyWindow(decisions) <= limit);
    }),
    { numRuns: 300 },
  );
});

Deno.test("admit() gives a slot of a large limit back within a second of its time", () => {
  fc.assert(
    fc.property(fc.integer({ min: 301, max: 400 }), claims(90), (limit, list) => {
      const taken: { at: number; cost: number }[] = [];
      for (const { now, cost, admission } of makeClaims(list, { limit, windowMs: WINDOW_MS })) {
        const time = Math.max(now, taken.at(-1)?.at ?? 0);
        if (admission.kind === "admitted") {
          taken.push({ at: time, cost });
          continue;
        }
        const used = taken.filter(({ at }) => at > now - WINDOW_MS - 1_000)
          .reduce((sum, { cost }) => sum + cost, 0);
        assert(used + cost > limit, "refused, though a second ago there was room");
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("admit() tells the truth about when the same claim will be let in", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), claims(12), (limit, list) => {
      for (
        const { now, cost, window, admission } of makeClaims(list, { limit, windowMs: WINDOW_MS })
      ) {
        if (admission.kind === "admitted" || cost > limit) continue;
        const kindAt = (time: number) =>
          admit(window, time, { limit, cost, windowMs: WINDOW_MS }).admission.kind;
        assertEquals(kindAt(now + admission.retryAfterMs - 1), "refused");
        assertEquals(kindAt(now + admission.retryAfterMs), "admitted");
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("a window stays small, however many it lets in", () => {
  const steady = (limit: number) =>
    makeClaims(Array.from({ length: 5_000 }, (_, n) => ({ now: START + n * 13 })), { limit });
  assertEquals(Math.max(...steady(300).map(({ window }) => window.length)), 300);
  assert(Math.max(...steady(6_000).map(({ window }) => window.length)) <= 62);
});
