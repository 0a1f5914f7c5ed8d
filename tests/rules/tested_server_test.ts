import { assertEquals } from "@std/assert";
import type { Canary } from "../../src/rules/answer.ts";
import {
  believesDenial,
  believesRecord,
  confirmsMadeUp,
  laterRecord,
  outOfService,
  recordReach,
  recordTest,
  resultInForce,
  type ServerRecord,
  teachRecord,
} from "../../src/rules/tested_server.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SERVER = "https://a.example/";

/** The template of a 404 with this title. */
function titled(title: string) {
  return { seenAt: 0, members: [{ path: "title", place: "title", lines: [[title]] }] };
}

const PASSED: Canary = { kind: "passed", witness: "google", templates: [titled("Not Found")] };
const FAILED: Canary = { kind: "failed", why: "it lies" };
const CONFIRMS_ALL: Canary = { kind: "failed", why: "it lies", confirmsMadeUp: true };
const UNDECIDED = { kind: "undecided", why: "silent" } as const;

/** The record after these results, one an hour. */
function recordAfter(...results: Canary[]): ServerRecord {
  let record: ServerRecord | undefined;
  for (const [hour, result] of results.entries()) {
    record = recordTest(record, { result, server: SERVER, at: hour * HOUR_MS });
  }
  return record!;
}

Deno.test("recordTest() keeps a pass in force for 90 minutes and a failure for ten, for its server, and lets stand what stood where a test found out nothing", () => {
  const lastsFor = (result: Canary, minutes: number, server = SERVER) =>
    resultInForce(recordAfter(result), { server, now: minutes * MINUTE_MS })?.kind;
  assertEquals([lastsFor(PASSED, 89), lastsFor(PASSED, 90)], ["passed", undefined]);
  assertEquals([lastsFor(FAILED, 9), lastsFor(FAILED, 10)], ["failed", undefined]);
  assertEquals(lastsFor(PASSED, 0, "https://b.example/"), undefined);
  // Two hours before it was found: by a clock that was ahead.
  assertEquals([lastsFor(PASSED, -120), lastsFor(UNDECIDED, -1)], [undefined, undefined]);
  assertEquals(resultInForce(undefined, { server: SERVER, now: 0 }), undefined);
  const { expiresAt, result, testedAt } = recordAfter(PASSED, UNDECIDED);
  assertEquals([result, testedAt, expiresAt], [PASSED, 0, 90 * MINUTE_MS]);
  assertEquals(recordAfter(UNDECIDED, FAILED).result, FAILED);
});

Deno.test("recordTest() collects the templates of a server, the latest first, and starts anew for another; teachRecord() adds one to a pass", () => {
  const other: Canary = { ...PASSED, templates: [titled("No such name")] };
  const both = recordAfter(PASSED, other).result;
  const templates = [titled("No such name"), titled("Not Found")];
  assertEquals(both.kind === "passed" && both.templates, templates);
  const moved = { result: other, server: "https://b.example/", at: 1 };
  assertEquals(recordTest(recordAfter(PASSED), moved).result, other);
  assertEquals(recordAfter(PASSED, FAILED, PASSED).result, PASSED);
  const taught = teachRecord(recordAfter(PASSED), titled("Other")).result;
  assertEquals(taught.kind === "passed" && taught.templates.length, 2);
  assertEquals(teachRecord(recordAfter(FAILED), titled("Other")), recordAfter(FAILED));
});

Deno.test("believesDenial() is false for what was asked before the first pass after a failure, unless a clock ahead of ours has set that time", () => {
  const at = (record: ServerRecord | undefined) =>
    [-1, 1, 2, 2.5].map((hour) => believesDenial(record, hour * HOUR_MS));
  assertEquals(at(undefined), [true, true, true, true]);
  assertEquals(at(recordAfter(PASSED, PASSED)), [true, true, true, true]);
  assertEquals(at(recordAfter(PASSED, FAILED)), [false, false, false, false]);
  assertEquals(at(recordAfter(PASSED, FAILED, PASSED)), [false, false, false, true]);
  assertEquals(at(recordAfter(PASSED, FAILED, PASSED, PASSED)), [false, false, false, true]);
  assertEquals(at(recordAfter(UNDECIDED, PASSED)), [true, true, true, true]);
  // Another server takes the place of one that has failed.
  const moved = { result: UNDECIDED, server: "https://b.example/", at: 2 * HOUR_MS };
  assertEquals(at(recordTest(recordAfter(PASSED, FAILED), moved)), [false, false, false, true]);
  assertEquals(at(recordTest(recordAfter(PASSED), moved)), [true, true, true, true]);
  const ahead = recordTest(recordAfter(FAILED), { result: PASSED, server: SERVER, at: DAY_MS });
  const record = recordTest(ahead, { result: PASSED, server: SERVER, at: HOUR_MS });
  assertEquals(believesDenial(ahead, HOUR_MS), false);
  assertEquals(believesDenial(record, HOUR_MS + 1), true);
});

Deno.test("believesRecord() is false for what was found while a failure with a made-up name was in force, and before until it passed", () => {
  const believes = (record: ServerRecord | undefined, askedAt: number) =>
    believesRecord(record, askedAt * HOUR_MS);
  assertEquals(believes(undefined, 0), true);
  assertEquals(believes(recordAfter(FAILED), 0.1), true, "it denies too much");
  assertEquals(believes(recordAfter(CONFIRMS_ALL), 0.1), false);
  assertEquals(believes(recordAfter(CONFIRMS_ALL), 0.2), true, "no longer in force");
  const mended = recordAfter(CONFIRMS_ALL, PASSED);
  assertEquals([believes(mended, 0.5), believes(mended, 2)], [false, true]);
  assertEquals([PASSED, FAILED, CONFIRMS_ALL].map(confirmsMadeUp), [false, false, true]);
});

Deno.test("laterRecord() is the later one, which believes nothing from before an earlier failure, or that the earlier one does not believe", () => {
  const failed = recordTest(undefined, { result: FAILED, server: SERVER, at: 5 });
  const passed = recordTest(undefined, { result: PASSED, server: SERVER, at: 9 });
  assertEquals(laterRecord(undefined, passed), passed);
  const moved = recordTest(undefined, { result: UNDECIDED, server: "https://b.example/", at: 9 });
  for (const later of [passed, moved]) {
    for (const record of [laterRecord(failed, later), laterRecord(later, failed)]) {
      assertEquals(record, { ...later, believedSince: 9 });
    }
  }
  const again = { ...failed, testedAt: 10 };
  assertEquals([laterRecord(passed, again), laterRecord(again, passed)], [again, again]);
  const mended = recordTest(failed, { result: PASSED, server: SERVER, at: 7 });
  for (const later of [passed, again, { ...passed, believedSince: 6 }]) {
    for (const record of [laterRecord(mended, later), laterRecord(later, mended)]) {
      assertEquals(record, { ...later, believedSince: 7 });
    }
  }
  const since8 = { ...passed, believedSince: 8 };
  assertEquals([laterRecord(mended, since8), laterRecord(since8, mended)], [since8, since8]);
});

Deno.test("outOfService() names why after a day of tries without a pass from the first one on, and not while the server refuses us or nobody tries", () => {
  const after = (days: number, ...results: Canary[]) => {
    const at = days * DAY_MS;
    const first = recordAfter(...results.slice(0, -1));
    return outOfService(recordTest(first, { result: results.at(-1)!, server: SERVER, at }), at);
  };
  const unsent: Canary = { ...UNDECIDED, fault: "unsent" };
  const refused: Canary = { ...UNDECIDED, fault: "refused" };
  assertEquals(outOfService(undefined, 0), undefined);
  assertEquals([after(0.9, FAILED, FAILED), after(1, FAILED, FAILED)], [undefined, "it lies"]);
  assertEquals(after(1, UNDECIDED, UNDECIDED), "It has not passed a test within a day");
  assertEquals(after(1, PASSED, FAILED), undefined, "it is the first");
  assertEquals(after(1, FAILED, PASSED, FAILED), undefined);
  assertEquals([after(1, FAILED, unsent), after(1, unsent, FAILED)], [undefined, undefined]);
  assertEquals([after(1, FAILED, refused), after(1, refused, FAILED)], [undefined, undefined]);
  const failing = recordTest(recordAfter(FAILED), { result: FAILED, server: SERVER, at: DAY_MS });
  assertEquals(outOfService(failing, DAY_MS + 30 * MINUTE_MS - 1), "it lies");
  assertEquals(outOfService(failing, DAY_MS + 30 * MINUTE_MS), undefined, "it may be mended");
});

Deno.test("outOfService() names since when no connection could be made, after 15 minutes of tries", () => {
  const result: Canary = { ...UNDECIDED, fault: "unreachable" };
  const record = recordTest(recordAfter(PASSED), { result, server: SERVER, at: 0 });
  assertEquals(outOfService(record, 29 * MINUTE_MS), undefined, "one try is no quarter of an hour");
  const again = (at: number) => recordReach(record, { isUnreachable: true, at });
  assertEquals(again(MINUTE_MS - 1), record, "once a minute is enough");
  assertEquals(outOfService(again(15 * MINUTE_MS - 1), 15 * MINUTE_MS), undefined);
  const why = "It could not be reached since 1970-01-01T00:00:00.000Z";
  assertEquals(outOfService(again(15 * MINUTE_MS), 44 * MINUTE_MS), why);
  assertEquals(outOfService(again(15 * MINUTE_MS), 45 * MINUTE_MS), undefined, "it may be back");
  assertEquals(outOfService(again(60 * MINUTE_MS), 61 * MINUTE_MS), why, "the job tries hourly");
  const later = again(90 * MINUTE_MS);
  assertEquals(outOfService(later, 91 * MINUTE_MS), undefined, "it was not tried in between");
  const tested = recordTest(record, { result, server: SERVER, at: 90 * MINUTE_MS });
  assertEquals(outOfService(tested, 91 * MINUTE_MS), undefined, "by a test, too");
  const back = recordReach(again(15 * MINUTE_MS), { isUnreachable: false, at: 16 * MINUTE_MS });
  assertEquals(outOfService(back, 17 * MINUTE_MS), undefined);
  assertEquals(recordReach(back, { isUnreachable: false, at: 18 * MINUTE_MS }), back);
});
