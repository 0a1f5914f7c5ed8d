import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  DROP_RULES,
  dropOf,
  HELD_BACK_MS,
  holdsDeletedBack,
  purgedOf,
  ruleForDropped,
} from "../../src/rules/drop_dates.ts";
import type { StatusWord } from "../../src/rules/readers/registry_details.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";

const NOW = Date.UTC(2026, 10, 24, 12);
const DAY_MS = 24 * 60 * 60_000;
const CREATED = { createdAt: "2011-03-04T05:06:07.000Z" };

function drop(tld: string, status: readonly StatusWord[], dates: Record<string, string> = {}) {
  const { rule: _, ...range } = dropOf(tld, { status, ...CREATED, ...dates }, NOW) ?? {};
  return range;
}

// deno-fmt-ignore -- a table
const BY_EXPIRY: [tld: string, status: StatusWord[], expires: string, phase: string, earliest: string, latest: string][] = [
  // 35 to 81 days from the end of a generic registration.
  ["com", ["active"], "2027-01-01", "registered", "2027-02-05", "2027-03-23"],
  // The registry has renewed it by itself: a year less.
  ["com", ["auto renew period"], "2027-11-10", "auto_renew", "2026-12-15", "2027-01-30"],
  // The first day is over: today.
  ["com", ["active"], "2026-10-01", "registered", "2026-11-24", "2026-12-21"],
  // The day of the registry's drop list.
  ["com.au", ["active"], "2026-11-01", "registered", "2026-12-02", "2026-12-04"],
  // The registry's calendar.
  ["eu", [], "2026-11-24", "registered", "2027-01-03", "2027-01-04"],
  ["fi", [], "2026-11-24", "registered", "2026-12-24", "2026-12-26"],
  ["co.uk", [], "2026-11-24", "registered", "2027-02-22", "2027-03-01"],
];

const dayBefore = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

const REDEMPTION: StatusWord[] = ["pending delete", "redemption period"];
const PENDING: StatusWord[] = ["pending delete"];

// deno-fmt-ignore -- a table
const BY_CHANGE: [tld: string, status: StatusWord[], daysAgo: number | undefined, earliest: string, latest: string][] = [
  // 35 days after the deletion and one for holding back, up to as long ago as redemption lasts.
  ["org", REDEMPTION, 0, "2026-12-29", "2026-12-30"],
  ["org", REDEMPTION, 30, "2026-11-29", "2026-11-30"],
  // The deletion is not known: the record does not tell it, or tells of another change.
  ["org", REDEMPTION, undefined, "2026-11-29", "2026-12-30"],
  ["org", REDEMPTION, 31, "2026-11-29", "2026-12-30"],
  ["org", REDEMPTION, -7, "2026-11-29", "2026-12-30"],
  ["pl", REDEMPTION, 4, "2026-11-29", "2026-12-30"],
  // Five days and one.
  ["dev", PENDING, 0, "2026-11-29", "2026-11-30"],
  ["dev", PENDING, 5, "2026-11-24", "2026-11-25"],
  ["dev", PENDING, undefined, "2026-11-24", "2026-11-30"],
  // No pending delete follows, or a longer one.
  ["fr", REDEMPTION, 0, "2026-11-24", "2026-12-25"],
  ["id", PENDING, undefined, "2026-11-24", "2026-12-02"],
  // 14 days where auDA deletes.
  ["au", PENDING, undefined, "2026-11-24", "2026-12-09"],
];

Deno.test("dropOf() counts from the expiry, or from the change to a status", () => {
  for (const [tld, status, expires, phase, earliest, latest] of BY_EXPIRY) {
    const found = drop(tld, status, { expiresAt: `${expires}T00:00:00.000Z` });
    assertEquals(found, { phase, earliest, latest }, `${expires}, .${tld}, ${status}`);
  }
  for (const [tld, status, daysAgo, earliest, latest] of BY_CHANGE) {
    const phase = status === PENDING ? "pending_delete" : "redemption";
    const found = drop(tld, status, daysAgo === undefined ? {} : { updatedAt: dayBefore(daysAgo) });
    assertEquals(found, { phase, earliest, latest }, `${daysAgo} days ago, .${tld}, ${status}`);
  }
});

Deno.test("dropOf() has a range up to the last moment that can be, and none while a deletion is being undone or for dates that are missing, that cannot be, or that are over", () => {
  for (const year of [9999, 2010, 2025, 2500]) {
    const expiresAt = `${year}-01-01T00:00:00.000Z`;
    assertEquals(drop("com", ["active"], { expiresAt }), {}, expiresAt);
  }
  assertEquals(drop("com", ["active"]), {});
  assertEquals(dropOf("com", { status: [] }, NOW), undefined);
  assertEquals(drop("com", ["pending restore", "redemption period"]), {});
  const ends = { status: [], expiresAt: "2027-01-01T00:00:00.000Z" };
  assertEquals(dropOf("com", ends, NOW)?.earliest, "2027-02-05");
  const iso = (ms: number) => new Date(ms).toISOString();
  const hasRange = (end: number, start = 0) =>
    dropOf("com", { status: [], createdAt: iso(start), expiresAt: iso(end) }, NOW) !== undefined;
  const century = 101 * 366 * DAY_MS;
  // The range ends now; a registration of a century; one that ends as it begins.
  assertEquals([hasRange(NOW - 81 * DAY_MS), hasRange(NOW - 81 * DAY_MS - 1)], [true, false]);
  assertEquals([hasRange(NOW + century - 1), hasRange(NOW + century)], [true, false]);
  assertEquals([hasRange(NOW, NOW), hasRange(NOW, NOW + 1)], [true, false]);
});

Deno.test("dropOf() names the rule of the registry or says that it is an estimate, and every rule has a range that is not empty", () => {
  const ruleOf = (suffix: string) =>
    dropOf(suffix, { status: [], expiresAt: "2027-01-01T00:00:00.000Z" }, NOW)?.rule;
  assertMatch(ruleOf("com") ?? "", /^generic TLDs: /);
  assertEquals(ruleOf("co.uk"), DROP_RULES.get("uk")?.rule);
  for (const suffix of ["io", "ai", "me", "cc", "tv", "com.ai", "xn--p1acf"]) {
    assertEquals(ruleOf(suffix), "estimate", suffix);
  }
  for (const { rule, days: [earliest, latest] } of DROP_RULES.values()) {
    assert(earliest > 0 && earliest <= latest, rule);
  }
});

Deno.test("purgedOf() is a range of the days that a registry may hold a dropped name back, for that reason alone", () => {
  const seenAt = Date.parse("2026-11-20T10:00:00Z");
  const rule = ruleForDropped(seenAt, seenAt);
  assert(rule?.kind === "unknown");
  assertEquals(purgedOf(rule.why, Date.parse("2026-11-21T09:00:00Z")), {
    phase: "purged",
    earliest: "2026-11-21",
    latest: "2026-11-22",
    rule: "some registries hold a deleted name back for a day",
  });
  // A clock that was set forward gives no range that ends before it begins.
  assertEquals(purgedOf(rule.why, Date.parse("2026-12-01T00:00:00Z"))?.latest, "2026-12-01");
  for (const other of [undefined, "No answer", `The server wrote: ${rule.why}`]) {
    assertEquals(purgedOf(other, 0), undefined);
  }
});

Deno.test("holdsDeletedBack() is true for generic TLDs on the hosts of two registries", () => {
  assertEquals(BUILT_IN_TLDS.filter(holdsDeletedBack).map(({ tld }) => tld), ["info", "org"]);
  const rdapBase = "https://rdap.identitydigital.services/rdap/";
  assertEquals(["ninja", "me"].map((tld) => holdsDeletedBack({ tld, rdapBase })), [true, false]);
});

Deno.test("ruleForDropped() holds a name for 48 hours after it was seen, whichever way the clock was set", () => {
  const seenAt = Date.UTC(2026, 10, 21);
  const rule = ruleForDropped(seenAt, seenAt + HELD_BACK_MS - 1);
  assertEquals(rule, {
    kind: "unknown",
    isJustDropped: true,
    why:
      "Just dropped: registered until 2026-11-21T00:00:00.000Z at least, and the registry may hold a name back after its deletion",
  });
  assertEquals(ruleForDropped(seenAt, seenAt - HELD_BACK_MS + 1), rule);
  assertEquals(ruleForDropped(seenAt, seenAt + HELD_BACK_MS), undefined);
  assertEquals(ruleForDropped(seenAt, seenAt - HELD_BACK_MS), undefined);
});
