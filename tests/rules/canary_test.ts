import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Canary, RdapAnswer } from "../../src/rules/answer.ts";
import {
  CANARY_SEEDS,
  canaryLifetimeMs,
  type CanaryRecord,
  isCurrentRecord,
  isTakenTrusted,
  isTrusted,
  judgeCanary,
  mergeCanaryRecords,
  mergeLateRecord,
  recordCanary,
  teachRecord,
  templateOfDenial,
} from "../../src/rules/canary.ts";
import { describeTemplate, type Template } from "../../src/rules/readers/templates.ts";
import { readLabel } from "../../src/rules/name.ts";
import { NO_DETAILS } from "../support/no_details.ts";

const FOUND: RdapAnswer = { kind: "registered", askedAt: 0, details: NO_DETAILS };
const DENIED: RdapAnswer = notFound("Not Found");
const FAULT: RdapAnswer = { kind: "failed", fault: "down", why: "The registry answered 503" };
const MADE_UP = {
  label: "qwertyuiopasdfghjklzxcvbnmqwer",
  domain: "qwertyuiopasdfghjklzxcvbnmqwer.dev",
};

function notFound(...title: string[]): RdapAnswer {
  return {
    kind: "notFound",
    askedAt: 0,
    statements: [said("title", ...title)],
  };
}

/** A 404 that reports a name as reserved outside its title. */
function notFoundWith(place: string): RdapAnswer {
  const statements = [said("title", "Not Found"), said(place, "Registry Reserved")];
  return { kind: "notFound", askedAt: 0, statements };
}

function said(place: string, ...lines: string[]) {
  return { path: place, place, lines, isLegal: false };
}

/** The template of a 404 with this title. */
function titled(title: string): Template {
  return { seenAt: 0, members: [{ path: "title", place: "title", lines: [[title]] }] };
}

const ROWS: [string, RdapAnswer[], RdapAnswer, Canary["kind"], RegExp][] = [
  ["finds a registered name and returns 404 for a made-up one", [FOUND], DENIED, "passed", /^$/],
  [
    "returns 404 for a registered name once and then finds it",
    [DENIED, FOUND],
    DENIED,
    "passed",
    /^$/,
  ],
  ["returns 404 for one twice and finds the next", [DENIED, DENIED, FOUND], DENIED, "passed", /^$/],
  ["returns 404 for a registered name twice", [DENIED, DENIED], DENIED, "failed", /404 for names/],
  ["returns 404 for one twice and then fails", [DENIED, DENIED], FAULT, "failed", /404 for names/],
  ["reports a made-up name as registered", [FOUND], FOUND, "failed", /made-up name as registered/],
  ["returns 404 for a registered name once", [DENIED], DENIED, "doubted", /being tested again/],
  [
    "returns 404 for it once and then fails",
    [DENIED, FAULT],
    DENIED,
    "doubted",
    /being tested again/,
  ],
  ["gets no query", [], DENIED, "undecided", /no registered name .* with$/],
  ["fails for the registered name", [FAULT], DENIED, "undecided", /503/],
  ["fails for the made-up name", [FOUND], FAULT, "undecided", /made-up name \(.*503/],
  [
    "reports a made-up name as reserved",
    [FOUND],
    notFound("Registry Reserved"),
    "failed",
    /not registrable/,
  ],
  [
    "reports it as reserved in the description",
    [FOUND],
    notFoundWith("description"),
    "failed",
    /not registrable/,
  ],
  [
    "has a notice that names are reserved",
    [FOUND],
    notFoundWith("notices.description"),
    "failed",
    /reports a made-up name as not registrable$/,
  ],
  [
    "gives an unknown kind of answer for the made-up name",
    [FOUND],
    { kind: "novel" } as never,
    "undecided",
    /could not be read$/,
  ],
  [
    "does not serve the TLD",
    [FOUND],
    notFound("Tld not supported by this registry interface"),
    "failed",
    /not registrable/,
  ],
];

for (const [server, answers, madeUp, kind, why] of ROWS) {
  Deno.test(`judgeCanary() is ${kind} when a server ${server}`, () => {
    const delegated = answers.map((answer) => ({ label: "google", answer }));
    const canary = judgeCanary(delegated, { asked: MADE_UP, answer: madeUp });
    assertEquals(canary.kind, kind);
    assertMatch(canary.kind === "passed" ? "" : canary.why, why);
    const isMarked = canary.kind === "failed" && canary.confirmsMadeUp === true;
    assertEquals(isMarked, madeUp.kind === "registered");
  });
}

Deno.test("judgeCanary() passes with the registered name and the wording of the made-up name's 404", () => {
  const delegated = [{ label: "google", answer: FAULT }, { label: "nic", answer: FOUND }];
  const answer = notFound(`${MADE_UP.domain} not found`);
  assertEquals(judgeCanary(delegated, { asked: MADE_UP, answer }), {
    kind: "passed",
    witness: "nic",
    templates: [{
      seenAt: 0,
      members: [{ path: "title", place: "title", lines: [[{ mark: "domain" }, " not found"]] }],
    }],
  });
});

Deno.test("canaryLifetimeMs() keeps a pass for 90 minutes, a failure for an hour, a doubt for a minute", () => {
  const minutes = (["passed", "failed", "doubted", "undecided"] as const)
    .map((kind) => canaryLifetimeMs(kind) / 60_000);
  assertEquals(minutes, [90, 60, 1, 0]);
  assertEquals(canaryLifetimeMs("novel" as never), 0);
});

Deno.test("CANARY_SEEDS holds valid labels without duplicates", () => {
  assert(CANARY_SEEDS.length > 1);
  assertEquals(new Set(CANARY_SEEDS).size, CANARY_SEEDS.length);
  assert(CANARY_SEEDS.every((label) => readLabel(label).kind === "label"));
});

Deno.test("templateOfDenial() is undefined for an answer that is no 404, and for one that speaks against the name", () => {
  const answers = [FOUND, FAULT, notFound("Registry Reserved"), DENIED];
  const templates = answers.map((answer) => templateOfDenial(answer, MADE_UP));
  assertEquals(templates, [undefined, undefined, undefined, titled("Not Found")]);
});

const AT = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const SKEW_MS = 30_000;
const SKEW = SKEW_MS / HOUR_MS;
const FAILED: Canary = { kind: "failed", why: "it lies" };

const CONFIRMS_ALL: Canary = { kind: "failed", why: "it lies", confirmsMadeUp: true };
const DOUBT: Canary = { kind: "doubted", why: "denied once" };
const PASSED: Canary = { kind: "passed", witness: "google", templates: [titled("Not Found")] };

function recordAt(hour: number, canary: Canary): CanaryRecord {
  const record = recordCanary({ base: "https://a.example/", canary, at: AT + hour * HOUR_MS });
  assert(record !== undefined);
  return record;
}

/** The record after these results, one per hour. */
function recordAfter(...canaries: Canary[]): CanaryRecord | undefined {
  return canaries.reduce<CanaryRecord | undefined>(
    (before, canary, hour) => mergeCanaryRecords(before, recordAt(hour, canary)),
    undefined,
  );
}

function iso(hour: number): string {
  return new Date(AT + hour * HOUR_MS).toISOString();
}

Deno.test("recordCanary() returns a record with its time, and undefined when the test could not run", () => {
  assertEquals(recordAt(0, PASSED), {
    base: "https://a.example/",
    canary: PASSED,
    testedAt: iso(0),
    expiresAt: AT + 1.5 * HOUR_MS,
  });
  const undecided: Canary = { kind: "undecided", why: "" };
  assertEquals(recordCanary({ base: "https://a.example/", canary: undecided, at: AT }), undefined);
});

Deno.test("mergeCanaryRecords() remembers when a failed registry passed again", () => {
  assertEquals(recordAfter(FAILED)?.honestSince, undefined);
  assertEquals(recordAfter(PASSED, PASSED), recordAt(1, PASSED), "one that never lied");
  assertEquals(recordAfter(PASSED, FAILED, PASSED)?.honestSince, iso(2));
  assertEquals(recordAfter(PASSED, FAILED, PASSED, PASSED)?.honestSince, iso(2));
  assertEquals(recordAfter(FAILED, PASSED, FAILED)?.honestSince, undefined);
});

Deno.test("mergeCanaryRecords() distrusts older results when the failure's process has a clock ahead", () => {
  assertEquals(mergeCanaryRecords(recordAt(3, FAILED), recordAt(1, PASSED)).honestSince, iso(3));
});

Deno.test("mergeCanaryRecords() keeps the later of two honestSince times", () => {
  const [early, late] = [iso(1), iso(2)];
  const pass = recordAt(4, PASSED);
  const since = (one?: string, other?: string) =>
    mergeCanaryRecords({ ...pass, ...(one && { honestSince: one }) }, {
      ...pass,
      ...(other && { honestSince: other }),
    }).honestSince;
  assertEquals(since(early, late), late);
  assertEquals(since(late, early), late);
  assertEquals(since(undefined, early), early);
  assertEquals(since(), undefined);
});

Deno.test("mergeCanaryRecords() remembers when a registry stopped confirming made-up names", () => {
  const untilOf = (...canaries: Canary[]) => recordAfter(...canaries)?.confirmedMadeUpUntil;
  assertEquals(untilOf(PASSED, FAILED, PASSED), undefined, "it confirmed none");
  assertEquals(untilOf(PASSED, CONFIRMS_ALL), undefined, "it still does");
  assertEquals(untilOf(CONFIRMS_ALL, PASSED), iso(1));
  assertEquals(untilOf(CONFIRMS_ALL, FAILED), iso(1), "another failure");
  assertEquals(untilOf(CONFIRMS_ALL, PASSED, PASSED), iso(1));
  assertEquals(untilOf(CONFIRMS_ALL, PASSED, FAILED, PASSED), iso(1));
  assertEquals(untilOf(CONFIRMS_ALL, PASSED, CONFIRMS_ALL), iso(1));
  assertEquals(untilOf(CONFIRMS_ALL, PASSED, CONFIRMS_ALL, PASSED), iso(3));
  assertEquals(untilOf(CONFIRMS_ALL, DOUBT), undefined, "a known failure outweighs a doubt");
  assertEquals(untilOf(CONFIRMS_ALL, DOUBT, PASSED), iso(2));
  const ahead = mergeCanaryRecords(recordAt(3, CONFIRMS_ALL), recordAt(1, PASSED));
  assertEquals(ahead.confirmedMadeUpUntil, iso(3), "by the clock that is ahead");
  const [early, late] = [iso(1), iso(2)].map((confirmedMadeUpUntil) => ({
    ...recordAt(4, PASSED),
    confirmedMadeUpUntil,
  })) as [CanaryRecord, CanaryRecord];
  assertEquals(mergeCanaryRecords(early, late).confirmedMadeUpUntil, iso(2));
  assertEquals(mergeCanaryRecords(late, early).confirmedMadeUpUntil, iso(2));
});

Deno.test("isTakenTrusted() is false while a failed test with a made-up name is in force, and for what was found until then", () => {
  const trusted = (record: CanaryRecord | undefined, checked: number, now: number) =>
    isTakenTrusted(record, { checkedAt: iso(checked), now: AT + now * HOUR_MS });
  assertEquals(trusted(undefined, 0, 0), true);
  const odd = { ...PASSED, confirmsMadeUp: true } as Canary;
  for (const canary of [PASSED, FAILED, DOUBT, odd]) {
    assertEquals(trusted(recordAfter(canary), -1, 0), true, canary.kind);
  }
  const failed = recordAfter(CONFIRMS_ALL);
  assertEquals([0, 0.99, 1].map((now) => trusted(failed, 0, now)), [false, false, true]);
  const mended = recordAfter(CONFIRMS_ALL, PASSED);
  assertEquals([0, 1, 2].map((checked) => trusted(mended, checked, 2)), [false, false, true]);
});

Deno.test("mergeLateRecord() keeps the later test with the history of the earlier", () => {
  const [failed, passed] = [recordAt(0, FAILED), recordAt(0, PASSED)];
  const late = (kept: CanaryRecord | undefined, late: CanaryRecord) => mergeLateRecord(kept, late);
  assertEquals(late(undefined, failed), failed);
  assertEquals(late(recordAt(1, FAILED), passed), recordAt(1, FAILED));
  assertEquals(late(passed, recordAt(1, FAILED)), recordAt(1, FAILED));
  assertEquals(late(failed, recordAt(0, FAILED)), failed, "of two at one time the one on record");
  const mended = { ...recordAt(1, PASSED), honestSince: iso(1) };
  assertEquals(late(recordAt(1, PASSED), failed), mended);
  assertEquals(late(failed, recordAt(1, PASSED)), mended);
});

Deno.test("mergeLateRecord() keeps the test that did not pass when clocks cannot say which is later", () => {
  const failed = recordAt(SKEW, FAILED);
  for (const hour of [0, SKEW, 2 * SKEW]) {
    const passed = recordAt(hour, PASSED);
    assertEquals(mergeLateRecord(passed, failed), failed, `${hour}`);
    assertEquals(mergeLateRecord(failed, passed), failed, `${hour}`);
    // It was merged with the failure: another test since.
    const mended = mergeCanaryRecords(failed, passed);
    assertEquals(mergeLateRecord(mended, failed), mended, `${hour}`);
    assertEquals(mergeLateRecord(failed, mended), mended, `${hour}`);
  }
  const behind = mergeCanaryRecords(failed, recordAt(-1, PASSED));
  assertEquals(mergeLateRecord(behind, failed), behind, "a clock an hour behind");
});

Deno.test("isTrusted() is false for results of a failed registry until it passed and was queried again", () => {
  assertEquals(isTrusted(undefined, iso(0)), true);
  assertEquals(isTrusted(recordAfter(PASSED), iso(0)), true);
  assertEquals(isTrusted(recordAfter(FAILED), iso(5)), false);
  const mended = recordAfter(FAILED, PASSED);
  assertEquals([iso(0), iso(1), iso(2)].map((at) => isTrusted(mended, at)), [false, false, true]);
});

Deno.test("a doubt counts like a failure, even after the registry passes again", () => {
  assertEquals(isTrusted(recordAfter(PASSED, DOUBT), iso(0)), false);
  const passedAgain = recordAfter(PASSED, DOUBT, PASSED);
  assertEquals([iso(1), iso(2), iso(3)].map((at) => isTrusted(passedAgain, at)), [
    false,
    false,
    true,
  ]);
});

Deno.test("mergeCanaryRecords() collects the templates of a base, latest first, and starts anew for another base", () => {
  const worded = (...words: string[]): Canary => ({
    kind: "passed",
    witness: "google",
    templates: words.map((word) => titled(`${word},`)),
  });
  const after = ["b.", "c;", "a", "d!"].reduce(
    (record, word, hour) => mergeCanaryRecords(record, recordAt(hour + 1, worded(word))),
    recordAt(0, worded("a")),
  );
  assertEquals(templatesOf(after), ["title: d!,", "title: a,", "title: c;,", "title: b.,"]);
  const moved = { ...recordAt(9, worded("z")), base: "https://b.example/" };
  assertEquals(templatesOf(mergeCanaryRecords(after, moved)), ["title: z,"]);
  assertEquals(templatesOf(mergeCanaryRecords(recordAt(0, FAILED), moved)), ["title: z,"]);
});

function templatesOf({ canary }: CanaryRecord): string[] {
  return canary.kind === "passed" ? canary.templates.flatMap(describeTemplate) : [];
}

Deno.test("teachRecord() adds a template to a pass of the same base, and changes nothing else", () => {
  const record = recordAt(0, PASSED);
  const taught = teachRecord(record, { base: record.base, template: titled("No such name") });
  assertEquals(templatesOf(taught), ["title: No such name", "title: Not Found"]);
  assertEquals({ ...taught, canary: PASSED }, record);
  const other = { base: "https://b.example/", template: titled("No such name") };
  assertEquals(teachRecord(record, other), record);
  const failed = recordAt(0, FAILED);
  assertEquals(teachRecord(failed, { ...other, base: failed.base }), failed);
});

Deno.test("isCurrentRecord() accepts a record for its base until it expires", () => {
  const record = recordAt(0, PASSED);
  const at = (rdapBase: string, hour: number) => ({ rdapBase, now: AT + hour * HOUR_MS });
  assertEquals(isCurrentRecord(record, at(record.base, 1)), true);
  assertEquals(isCurrentRecord(record, at(record.base, 1.5)), false);
  assertEquals(isCurrentRecord(record, at("https://b.example/", 1)), false);
  const failed = recordAt(0, FAILED);
  assertEquals([0, 1].map((hour) => isCurrentRecord(failed, at(failed.base, hour))), [true, false]);
});

Deno.test("judgeCanary() names the label that gets 404 when another is registered", () => {
  const of = (...labels: [string, RdapAnswer][]) =>
    judgeCanary(labels.map(([label, answer]) => ({ label, answer })), {
      asked: MADE_UP,
      answer: DENIED,
    });
  const deniesOf = (canary: Canary) => canary.kind === "passed" ? canary.denies : canary.kind;
  assertEquals(deniesOf(of(["nic", DENIED], ["nic", DENIED], ["amazon", FOUND])), "nic");
  assertEquals(deniesOf(of(["nic", DENIED], ["nic", FOUND])), undefined, "it denied it once only");
});

Deno.test("mergeCanaryRecords() keeps earlier trust when the same label gets 404 in every test", () => {
  const denies: Canary = { ...PASSED, kind: "passed", denies: "nic" } as Canary;
  assertEquals(recordAfter(PASSED, DOUBT, denies)?.honestSince, undefined);
  assertEquals(recordAfter(FAILED, PASSED, DOUBT, denies)?.honestSince, iso(1));
  assertEquals(recordAfter(FAILED, DOUBT, denies)?.honestSince, iso(2));
});

Deno.test("mergeCanaryRecords() returns a later result of an unknown kind unchanged", () => {
  const at = "2026-11-01T00:00:00.000Z";
  const earlier: CanaryRecord = {
    base: "https://rdap.example/",
    canary: { kind: "passed", witness: "google", templates: [] },
    testedAt: at,
    expiresAt: Date.parse(at),
    honestSince: at,
  };
  const { honestSince: _, ...rest } = earlier;
  const novel: CanaryRecord = { ...rest, canary: { kind: "novel" } as never };
  assertEquals(mergeCanaryRecords(earlier, novel), novel);
});
