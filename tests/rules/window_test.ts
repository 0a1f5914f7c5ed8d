import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  append,
  countOf,
  merge,
  releaseTime,
  slotTime,
  unexpired,
  type Window,
  without,
} from "../../src/rules/window.ts";

const START = 1_700_000_000_000;

/** A window of at most 50 different times. */
const windows = fc.uniqueArray(
  fc.record({ at: fc.nat(50), count: fc.integer({ min: 1, max: 9 }) }, { noNullPrototype: true }),
  { selector: ({ at }) => at },
).map((slots): Window => slots.toSorted((a, b) => a.at - b.at));

Deno.test("unexpired() counts a slot for exactly 60,000 ms, and slots more than a window ahead as used now", () => {
  const window: Window = [{ at: START, count: 2 }, { at: START + 5, count: 1 }];
  assertEquals(unexpired(window, START + 59_999), window);
  assertEquals(unexpired(window, START + 60_000), window.slice(1));
  assertEquals(unexpired(window, START + 60_005), []);
  assertEquals(unexpired([], START), []);
  assertEquals(unexpired(window.slice(0, 1), START + 60_000), []);
  const hourBefore = START - 3_600_000;
  assertEquals(unexpired(window, hourBefore), [{ at: hourBefore, count: 3 }]);
  assertEquals(unexpired(window, START - 50_000), window);
  const newestAt = START + 5;
  assertEquals(unexpired(window, newestAt - 60_000), window);
  assertEquals(unexpired(window, newestAt - 60_001), [{ at: newestAt - 60_001, count: 3 }]);
  assertEquals(unexpired(window.slice(1), hourBefore), [{ at: hourBefore, count: 1 }]);
});

Deno.test("merge() and append() keep every slot, sorted, with one entry per time, and without() removes no more than there is", () => {
  fc.assert(fc.property(windows, windows, fc.nat(60), (one, other, at) => {
    const merged = merge(one, other);
    assertEquals(countOf(merged), countOf(one) + countOf(other));
    merged.slice(1).forEach(({ at }, n) => assert(at > (merged[n]?.at ?? Infinity)));
    assertEquals(append(one, { at, count: 3 }), merge(one, [{ at, count: 3 }]));
    assertEquals(without(merged, other), one);
  }));
  assertEquals(without([{ at: 1, count: 2 }], [{ at: 1, count: 3 }, { at: 2, count: 1 }]), []);
});

Deno.test("releaseTime() is when the missing slots have expired", () => {
  const window: Window = [{ at: 100, count: 2 }, { at: 200, count: 1 }, { at: 300, count: 1 }];
  const times = [1, 2, 3, 4, 5].map((missing) => releaseTime(window, missing));
  assertEquals(times, [60_100, 60_100, 60_200, 60_300, 60_300]);
  assertEquals(releaseTime([], 1), undefined);
});

Deno.test("slotTime() is now, and the end of the second for a large limit", () => {
  assertEquals(slotTime(START + 123, 300), START + 123);
  assertEquals(slotTime(START + 123, 301), START + 999);
  let window: Window = [];
  for (let n = 0; n < 60_000; n += 7) {
    window = append(window, { at: slotTime(START + n, 301), count: 1 });
  }
  assertEquals(window.length, 60);
});
