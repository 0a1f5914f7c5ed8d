import { assert, assertEquals } from "@std/assert";
import {
  type Account,
  EMPTY,
  lapse,
  refuse,
  spend,
  standingOf,
  type Terms,
  type Time,
} from "../../src/rate_limit/account.ts";
import {
  fromStored,
  isRenewalDue,
  land,
  plan,
  reserveOf,
  restOf,
  toStored,
} from "../../src/rate_limit/lease.ts";
import { countOf } from "../../src/rules/window.ts";

const START = 1_700_000_000_000;
const TERMS: Terms = { windowMs: 60_000, leaseMs: 20_000, skewMs: 1_000 };

const timeAt = (ms: number): Time => ({ now: START + ms, monotonic: ms });

function planAt(account: Account, costs: readonly number[], ms: number, limit = 60) {
  const claims = costs.map((cost) => ({ limit, cost }));
  return plan(account, claims, { limit, time: timeAt(ms), terms: TERMS, fraction: 0.5 });
}

/** An account of a caller that has taken 20 of 60, ten seconds ago. */
function returning(): Account {
  return planAt({ ...EMPTY, written: [{ at: START - 10_000, count: 20 }] }, [], 0).after;
}

Deno.test("reserveOf() is at most what was taken, an eighth of the limit and a quarter of the rest", () => {
  assertEquals(reserveOf(0, 60, 60), 0);
  assertEquals(reserveOf(3, 57, 60), 3);
  assertEquals(reserveOf(20, 40, 60), 8);
  assertEquals(reserveOf(50, 10, 60), 2);
  assertEquals(reserveOf(57, 3, 60), 0);
  assertEquals(reserveOf(70, -10, 60), 0);
});

Deno.test("plan() holds nothing for a subject that is new", () => {
  const { after, admissions } = planAt(EMPTY, [1], 0);
  assertEquals(after.lease, undefined);
  assertEquals(admissions, [
    { kind: "admitted", remaining: 59, resetAt: START + 60_000, at: START },
  ]);
});

Deno.test("plan() lets all slots of a claim in or none, and goes on with the next", () => {
  const { admissions, after } = planAt(EMPTY, [7, 2, 4, 1], 0, 10);
  assertEquals(admissions.map(({ kind, remaining }) => [kind, remaining]), [
    ["admitted", 3],
    ["admitted", 1],
    ["refused", 1],
    ["admitted", 0],
  ]);
  assertEquals(countOf(toStored(after, TERMS)), 10);
});

Deno.test("plan() stamps what it holds with the end of the lease, and writes what was taken with its own time", () => {
  const account = returning();
  assertEquals(account.lease, { at: START + 20_000.5, count: 8, until: 20_000 });
  const { after } = spend(account, { limit: 60, cost: 2 }, START + 5_000, TERMS);
  assertEquals(toStored(planAt(after, [], 6_000).after, TERMS), [
    { at: START - 10_000, count: 20 },
    { at: START + 5_000, count: 2 },
    { at: START + 26_000.5, count: 8 },
  ]);
});

Deno.test("plan() holds at least what was left of the lease, which may be used while it is under way", () => {
  const account: Account = { ...returning(), theirs: [{ at: START, count: 30 }] };
  const renewal = planAt(account, [], 6_000);
  assertEquals(renewal.after.lease?.count, 8);
  const meanwhile = spend(account, { limit: 60, cost: 3 }, START + 6_100, TERMS).after;
  const landed = land(meanwhile, renewal);
  assertEquals([countOf(landed.unwritten), restOf(landed, 6_200)], [3, 5]);
});

Deno.test("plan() gives the lease back where none is to be held", () => {
  const given = plan(returning(), [], {
    limit: 0,
    time: timeAt(20_000),
    terms: TERMS,
    fraction: 0,
  });
  assertEquals([given.changes, given.after.lease], [true, undefined]);
  assertEquals(planAt(EMPTY, [], 0).changes, false);
});

Deno.test("restOf() is nothing once the lease has ended by the monotonic clock", () => {
  assertEquals([restOf(returning(), 19_999), restOf(returning(), 20_000)], [8, 0]);
});

Deno.test("isRenewalDue() says so where half the lease or half its time is used up, and there is more to hold", () => {
  const due = (spent: number, ms: number, account = returning()) =>
    isRenewalDue(
      spend(account, { limit: 60, cost: spent }, START + ms, TERMS).after,
      60,
      timeAt(ms),
      TERMS,
    );
  assertEquals([due(3, 1), due(4, 1), due(1, 10_000), due(1, 10_001)], [false, true, false, true]);
  const full: Account = { ...returning(), theirs: [{ at: START, count: 30 }] };
  assertEquals([due(8, 1, full), due(8, 10_001, full)], [false, false]);
  assertEquals(isRenewalDue(EMPTY, 60, timeAt(0), TERMS), false);
});

Deno.test("fromStored() counts as others' what it has not written, for the clocks' difference longer", () => {
  const account = returning();
  const others = [{ at: START - 5_000, count: 4 }];
  const stored = toStored({
    ...account,
    theirs: others.map(({ at, count }) => ({ at: at + 1_000, count })),
  }, TERMS);
  const read = fromStored(account, stored, TERMS);
  assertEquals(read.theirs, [{ at: START - 4_000, count: 4 }]);
  assertEquals(standingOf(read, 60, START, TERMS).remaining, 36);
  assertEquals(standingOf(lapse(read, START + 55_999, TERMS), 60, START, TERMS).remaining, 56);
  assertEquals(standingOf(lapse(read, START + 56_000, TERMS), 60, START, TERMS).remaining, 60);
});

Deno.test("refuse() gives the time at which the same claim fits in", () => {
  const account: Account = {
    theirs: [{ at: 100, count: 2 }],
    written: [{ at: 200, count: 1 }],
    unwritten: [{ at: 300, count: 1 }],
  };
  const waits = [3, 5, 6, 7].map((cost) => {
    const refusal = refuse(account, { limit: 6, cost }, 400, TERMS);
    assert(refusal.kind === "refused");
    assertEquals([refusal.remaining, refusal.resetAt], [2, 60_100]);
    return refusal.retryAfterMs;
  });
  assertEquals(waits, [59_700, 59_800, 59_900, 59_900]);
  const never = refuse(EMPTY, { limit: 2, cost: 3 }, 7, TERMS);
  assertEquals(never.kind === "refused" && [never.retryAfterMs, never.resetAt], [60_000, 7]);
});

Deno.test("plan() holds what is left of a lease that has not ended, also where no more is to be held", () => {
  const renewal = plan(returning(), [], { limit: 0, time: timeAt(1), terms: TERMS, fraction: 0 });
  assertEquals(renewal.after.lease?.count, 8);
});
