import { assert, assertEquals } from "@std/assert";
import {
  applyCommit,
  dropExpired,
  type Durations,
  fromRecreated,
  fromStored,
  type Instant,
  isRenewalDue,
  type KnownWindow,
  limitStateOf,
  NOTHING_KNOWN,
  planCommit,
  refuse,
  reservationSize,
  reservedLeft,
  takePending,
  toStored,
} from "../../src/rate_limit/known_window.ts";
import { countOf } from "../../src/rules/window.ts";

const START = 1_700_000_000_000;
const DURATIONS: Durations = { windowMs: 60_000, reservationMs: 20_000, skewMs: 1_000 };

/** The whole limit of an address. */
const SIXTY = { limit: 60, share: 60 };

const timeAt = (ms: number): Instant => ({ now: START + ms, monotonic: ms });

function planAt(account: KnownWindow, costs: readonly number[], ms: number, limit = 60) {
  const quota = { limit, share: limit };
  const claims = costs.map((cost) => ({ ...quota, cost }));
  return planCommit(account, claims, {
    quota,
    time: timeAt(ms),
    durations: DURATIONS,
    fraction: 0.5,
  });
}

/** An account of a caller that has taken 20 of 60, ten seconds ago. */
function returning(): KnownWindow {
  return planAt({ ...NOTHING_KNOWN, committed: [{ at: START - 10_000, count: 20 }] }, [], 0).after;
}

Deno.test("reservationSize() is at most what was taken, an eighth of the limit and a quarter of the rest", () => {
  assertEquals(reservationSize(0, 60, 60), 0);
  assertEquals(reservationSize(3, 57, 60), 3);
  assertEquals(reservationSize(20, 40, 60), 8);
  assertEquals(reservationSize(50, 10, 60), 2);
  assertEquals(reservationSize(57, 3, 60), 0);
  assertEquals(reservationSize(70, -10, 60), 0);
});

Deno.test("planCommit() reserves nothing for a new key", () => {
  const { after, decisions: admissions } = planAt(NOTHING_KNOWN, [1], 0);
  assertEquals(after.reservation, undefined);
  assertEquals(admissions, [
    { kind: "admitted", remaining: 59, resetAt: START + 60_000, at: START },
  ]);
});

Deno.test("planCommit() admits all slots of a claim or none, and goes on with the next", () => {
  const { decisions: admissions, after } = planAt(NOTHING_KNOWN, [7, 2, 4, 1], 0, 10);
  assertEquals(admissions.map(({ kind, remaining }) => [kind, remaining]), [
    ["admitted", 3],
    ["admitted", 1],
    ["refused", 1],
    ["admitted", 0],
  ]);
  assertEquals(countOf(toStored(after, DURATIONS)), 10);
});

Deno.test("planCommit() stamps reserved slots with the reservation's end, and pending ones with their own time", () => {
  const account = returning();
  assertEquals(account.reservation, { at: START + 20_000.5, count: 8, until: 20_000 });
  const { after } = takePending(account, { ...SIXTY, cost: 2 }, START + 5_000, DURATIONS);
  assertEquals(toStored(planAt(after, [], 6_000).after, DURATIONS), [
    { at: START - 10_000, count: 20 },
    { at: START + 5_000, count: 2 },
    { at: START + 26_000.5, count: 8 },
  ]);
});

Deno.test("planCommit() reserves at least what was unused, which may be taken meanwhile", () => {
  const account: KnownWindow = { ...returning(), others: [{ at: START, count: 30 }] };
  const renewal = planAt(account, [], 6_000);
  assertEquals(renewal.after.reservation?.count, 8);
  const meanwhile = takePending(account, { ...SIXTY, cost: 3 }, START + 6_100, DURATIONS).after;
  const landed = applyCommit(meanwhile, renewal);
  assertEquals([countOf(landed.pending), reservedLeft(landed, 6_200)], [3, 5]);
});

Deno.test("planCommit() gives the reservation back when none is wanted", () => {
  const given = planCommit(returning(), [], {
    quota: undefined,
    time: timeAt(20_000),
    durations: DURATIONS,
    fraction: 0,
  });
  assertEquals([given.changes, given.after.reservation], [true, undefined]);
  assertEquals(planAt(NOTHING_KNOWN, [], 0).changes, false);
});

Deno.test("reservedLeft() is 0 once the reservation has ended by the monotonic clock", () => {
  assertEquals([reservedLeft(returning(), 19_999), reservedLeft(returning(), 20_000)], [8, 0]);
});

Deno.test("isRenewalDue() is true when half the slots or the time is used up, and more can be reserved", () => {
  const due = (spent: number, ms: number, account = returning()) =>
    isRenewalDue(
      takePending(account, { ...SIXTY, cost: spent }, START + ms, DURATIONS).after,
      SIXTY,
      timeAt(ms),
      DURATIONS,
    );
  assertEquals([due(3, 1), due(4, 1), due(1, 10_000), due(1, 10_001)], [false, true, false, true]);
  const full: KnownWindow = { ...returning(), others: [{ at: START, count: 30 }] };
  assertEquals([due(8, 1, full), due(8, 10_001, full)], [false, false]);
  assertEquals(isRenewalDue(NOTHING_KNOWN, SIXTY, timeAt(0), DURATIONS), false);
});

Deno.test("fromStored() counts unknown slots as others', for the clock skew longer", () => {
  const account = returning();
  const others = [{ at: START - 5_000, count: 4 }];
  const stored = toStored({
    ...account,
    others: others.map(({ at, count }) => ({ at: at + 1_000, count })),
  }, DURATIONS);
  const read = fromStored(account, stored, DURATIONS);
  assertEquals(read.others, [{ at: START - 4_000, count: 4 }]);
  assertEquals(limitStateOf(read, SIXTY, START, DURATIONS).remaining, 36);
  assertEquals(
    limitStateOf(dropExpired(read, START + 55_999, DURATIONS), SIXTY, START, DURATIONS).remaining,
    56,
  );
  assertEquals(
    limitStateOf(dropExpired(read, START + 56_000, DURATIONS), SIXTY, START, DURATIONS).remaining,
    60,
  );
});

Deno.test("fromStored() takes slots with other stamps for others', as a process whose clock was set back writes them", () => {
  const known: KnownWindow = { ...returning(), others: [{ at: START, count: 30 }] };
  const restamped = [{ at: START - 90_000, count: 51 }];
  assertEquals(fromStored(known, restamped, DURATIONS), {
    ...known,
    others: [{ at: START - 89_000, count: 51 }],
  });
});

Deno.test("fromRecreated() keeps all taken slots, and has them written again", () => {
  const known: KnownWindow = {
    ...returning(),
    others: [{ at: START, count: 30 }, { at: START + 9_000.25, count: 7 }],
    pending: [{ at: START + 1, count: 1 }],
  };
  const reservation = { at: START + 20_000.5, count: 8, until: -Infinity };
  const kept = {
    others: [{ at: START, count: 30 }],
    committed: [{ at: START - 10_000, count: 20 }],
    pending: [{ at: START + 1, count: 1 }],
    reservation,
    isLost: true,
  };
  assertEquals(fromRecreated(known, [], DURATIONS), kept);

  // By another process, which knew this one's reservation and 19 of its slots, and has a reservation of its own.
  const written = [
    { at: START - 10_000, count: 19 },
    { at: START - 1_000, count: 31 },
    { at: START + 15_000.75, count: 4 },
    { at: START + 20_000.5, count: 8 },
  ];
  const after = fromRecreated(known, written, DURATIONS);
  assertEquals(after, {
    ...kept,
    others: [{ at: START, count: 31 }, { at: START + 16_000.75, count: 4 }],
  });
  // A commit that met a conflict reads again.
  assertEquals(fromRecreated(after, written, DURATIONS), after);
  const { after: rewritten, changes } = planAt(after, [], 2, 0);
  assertEquals(changes, true);
  assertEquals(toStored(rewritten, DURATIONS), [
    { at: START - 10_000, count: 20 },
    { at: START - 1_000, count: 31 },
    { at: START + 1, count: 1 },
    { at: START + 15_000.75, count: 4 },
  ]);
  const found = fromRecreated(after, toStored(rewritten, DURATIONS), DURATIONS);
  assertEquals([found.isLost, planAt({ ...found, pending: [] }, [], 3).changes], [false, true]);
});

Deno.test("fromRecreated() counts slots that two processes took in one ms once for each", () => {
  const mine = { at: START, count: 1 };
  const known: KnownWindow = {
    ...NOTHING_KNOWN,
    others: [{ at: START + 1_000, count: 1 }],
    committed: [mine],
  };
  const after = fromRecreated(known, [mine], DURATIONS);
  assertEquals(after, { ...known, isLost: true });
  assertEquals(toStored(after, DURATIONS), [{ at: START, count: 2 }]);
});

Deno.test("refuse() returns the time after which the same claim fits", () => {
  const account: KnownWindow = {
    others: [{ at: 100, count: 2 }],
    committed: [{ at: 200, count: 1 }],
    pending: [{ at: 300, count: 1 }],
  };
  const waits = [3, 5, 6, 7].map((cost) => {
    const refusal = refuse(account, { limit: 6, share: 6, cost }, 400, DURATIONS);
    assert(refusal.kind === "refused");
    assertEquals([refusal.remaining, refusal.resetAt], [2, 60_100]);
    return refusal.retryAfterMs;
  });
  assertEquals(waits, [59_700, 59_800, 59_900, 59_900]);
  const never = refuse(NOTHING_KNOWN, { limit: 2, share: 2, cost: 3 }, 7, DURATIONS);
  assertEquals(never.kind === "refused" && [never.retryAfterMs, never.resetAt], [60_000, 7]);
});

Deno.test("refuse() waits for a slot of this process where its share is used up", () => {
  const account: KnownWindow = {
    others: [{ at: 100, count: 2 }],
    committed: [{ at: 200, count: 1 }],
    pending: [{ at: 300, count: 1 }],
  };
  const waits = [1, 2, 3].map((cost) => {
    const refusal = refuse(account, { limit: 6, share: 2, cost }, 400, DURATIONS);
    assert(refusal.kind === "refused");
    assertEquals(refusal.remaining, 0);
    return refusal.retryAfterMs;
  });
  assertEquals(waits, [59_800, 59_900, 59_900]);
  const never = refuse(NOTHING_KNOWN, { limit: 60, share: 2, cost: 3 }, 7, DURATIONS);
  assertEquals(never.kind === "refused" && never.retryAfterMs, 60_000);
});

Deno.test("planCommit() admits no more than this process's share, with any rest of other processes", () => {
  const window: KnownWindow = {
    ...NOTHING_KNOWN,
    others: [{ at: START, count: 10 }],
    committed: [{ at: START, count: 18 }],
  };
  const claims = [{ limit: 60, share: 20, cost: 3 }, { limit: 60, share: 20, cost: 2 }];
  const { decisions, after } = planCommit(window, claims, {
    quota: { limit: 60, share: 20 },
    time: timeAt(1),
    durations: DURATIONS,
    fraction: 0,
  });
  assertEquals(decisions.map(({ kind, remaining }) => [kind, remaining]), [
    ["refused", 2],
    ["admitted", 0],
  ]);
  assertEquals(after.reservation, undefined);
});

Deno.test("planCommit() keeps the rest of a reservation in force when no more can be reserved", () => {
  const renewal = planCommit(returning(), [], {
    quota: undefined,
    time: timeAt(1),
    durations: DURATIONS,
    fraction: 0,
  });
  assertEquals(renewal.after.reservation?.count, 8);
});
