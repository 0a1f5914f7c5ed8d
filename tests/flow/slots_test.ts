import { assertEquals } from "@std/assert";
import { type SharedPace, type SlotRequest, takeSlots } from "../../src/flow/queue/slots.ts";

const REQUEST: SlotRequest = {
  priority: "foreground",
  count: 4,
  pace: { concurrency: 4, burst: 2, everyMs: 1_000 },
  horizonMs: 15_000,
  time: 100_000,
  delayMs: 0,
};

function kept(spentUntil: number): SharedPace {
  return { at: 90_000, spentUntil };
}

Deno.test("takeSlots() returns the burst at once and then one slot per `everyMs`", () => {
  const { slots, next } = takeSlots(undefined, REQUEST);
  assertEquals(slots, [100_000, 100_000, 101_000, 102_000]);
  assertEquals(next, { at: 100_000, spentUntil: 104_000 });
});

Deno.test("takeSlots() continues after the slots that others took", () => {
  const { slots, next } = takeSlots(kept(104_000), { ...REQUEST, count: 2 });
  assertEquals([slots, next?.spentUntil], [[103_000, 104_000], 106_000]);
});

Deno.test("takeSlots() restores the burst after a quiet time, and no more than it", () => {
  assertEquals(takeSlots(kept(5_000), REQUEST).slots, [100_000, 100_000, 101_000, 102_000]);
  assertEquals(takeSlots(kept(101_000), REQUEST).slots, [100_000, 101_000, 102_000, 103_000]);
});

Deno.test("takeSlots() returns no slot beyond the horizon, and when to ask again", () => {
  const near = takeSlots(kept(115_000), REQUEST);
  assertEquals([near.slots, near.next?.spentUntil], [[114_000, 115_000], 117_000]);
  const far = takeSlots(kept(116_500), REQUEST);
  assertEquals(far, { slots: [], next: undefined, retryAt: 100_500 });
});

Deno.test("takeSlots() returns no slot that starts before the write is done", () => {
  const { slots, next } = takeSlots(undefined, { ...REQUEST, delayMs: 300 });
  assertEquals(slots, [100_300, 100_300, 101_300, 102_300]);
  assertEquals([next?.at, next?.spentUntil], [100_000, 104_300]);
  const background = takeSlots(kept(100_300), { ...REQUEST, priority: "background", delayMs: 300 });
  assertEquals(background.slots, [100_300]);
});

Deno.test("takeSlots() returns a background slot only when half of the burst is left, and it starts at once", () => {
  const background: SlotRequest = { ...REQUEST, priority: "background", count: 1 };
  assertEquals(takeSlots(undefined, background).slots, [100_000]);
  assertEquals(takeSlots(kept(100_000), background).slots, [100_000]);
  assertEquals(takeSlots(kept(100_001), background), {
    slots: [],
    next: undefined,
    retryAt: 100_001,
  });
  const single: SlotRequest = { ...background, pace: { ...REQUEST.pace, burst: 1 } };
  assertEquals(takeSlots(undefined, single).slots, [100_000]);
  assertEquals(takeSlots(kept(99_000), single).slots, [100_000]);
  assertEquals(takeSlots(kept(99_500), single).retryAt, 100_500);
});

Deno.test("takeSlots() delays by no more than the horizon for any record", () => {
  const { retryAt } = takeSlots(kept(1e15), REQUEST);
  assertEquals(retryAt, 101_000);
});

Deno.test("takeSlots() returns a bulk slot only at once and if the burst is whole", () => {
  const bulk: SlotRequest = {
    ...REQUEST,
    priority: "bulk",
    count: 1,
    pace: { ...REQUEST.pace, burst: 4 },
  };
  assertEquals(takeSlots(kept(100_000), bulk).slots, [100_000]);
  assertEquals(takeSlots(kept(100_001), bulk).retryAt, 100_001);
  // The burst is there for foreground slots.
  assertEquals(takeSlots(kept(103_000), { ...bulk, priority: "foreground" }).slots, [100_000]);
  const single: SlotRequest = { ...bulk, pace: { ...REQUEST.pace, burst: 1 } };
  assertEquals(takeSlots(kept(100_000), single).slots, [100_000]);
  assertEquals(takeSlots(kept(100_500), single).retryAt, 100_500);
});

Deno.test("takeSlots() returns slots ahead for a list until half of a window is used, then only one that starts at once", () => {
  const window = { limit: 1_800, ms: 900_000 };
  const list: SlotRequest = {
    ...REQUEST,
    priority: "list",
    pace: { ...REQUEST.pace, window },
  };
  const used = (count: number): SharedPace => ({
    ...kept(90_000),
    use: { starts: [[900_000, count]], listsFrom: 0 },
  });
  const fast = takeSlots(used(590), list);
  assertEquals(fast.slots, [100_000, 100_000, 101_000, 102_000]);
  assertEquals(fast.next?.use?.starts, [[900_000, 590], [1_020_000, 4]]);
  const slow = takeSlots(used(600), list);
  assertEquals(slow.slots, [100_000]);
  const again = takeSlots(slow.next, { ...list, time: 101_000 });
  assertEquals([again.slots, again.next], [[], undefined]);
  assertEquals(again.retryAt, slow.next?.use?.listsFrom);
  // A single question starts between two of a slow list.
  assertEquals(takeSlots(slow.next, { ...list, priority: "foreground" }).slots[0], 100_000);
});

Deno.test("takeSlots() adds starts that the record lacks to a window", () => {
  const window = { limit: 1_800, ms: 900_000 };
  const { next } = takeSlots(undefined, {
    ...REQUEST,
    count: 1,
    pace: { ...REQUEST.pace, window },
    owed: 7,
  });
  assertEquals(next?.use?.starts, [[1_020_000, 8]]);
});
