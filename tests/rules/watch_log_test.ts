import { assertEquals } from "@std/assert";
import { ensDates } from "../../src/rules/ens.ts";
import { entriesOf, eventsOf } from "../../src/rules/watch_entries.ts";
import {
  type Change,
  mayBegin,
  type Observation,
  observationOf,
  type SeenDetails,
  type Step,
  STEPS,
  withObservation,
} from "../../src/rules/watch_log.ts";

const NOW = Date.parse("2026-11-24T00:00:00Z");
const DAY_MS = 86_400_000;

function dropIn(phase: NonNullable<SeenDetails["drop"]>["phase"]): SeenDetails["drop"] {
  return { phase, earliest: "2026-12-01", latest: "2026-12-06", rule: "estimate" };
}

/** Details of a .eth name that ends at this time. */
function endsAt(expires: string): SeenDetails {
  return { state: "taken", expiresAt: expires, graceEndsAt: "2027-04-01T00:00:00Z" };
}

const reserved = (reason: string): SeenDetails => ({ state: "reserved", reason });

// deno-fmt-ignore -- one row a line
const CASES: readonly (readonly [details: SeenDetails, step: Step | undefined])[] = [
  [{ state: "taken" }, "registered"],
  [{ state: "taken", drop: dropIn("auto_renew") }, "auto_renew"],
  [{ state: "taken", drop: dropIn("pending_delete") }, "pending_delete"],
  [{ state: "taken", status: ["pending restore"] }, undefined],
  [{ state: "unknown", error: "No answer" }, undefined],
  [{ state: "unknown", drop: dropIn("purged") }, "purged"],
  [reserved('The registry says: "available in the Expiry Access Period"'), "expiry_access"],
  [reserved("for application via the PIR Dropzone service"), "auction"],
  [reserved("It will be auctioned"), "auction"],
  [{ state: "reserved" }, "reserved"],
  [{ state: "available" }, "available"],
  [{ state: "premium" }, "premium"],
  [endsAt("2026-11-24T00:00:00Z"), "registered"],
  [endsAt("2026-11-01T00:00:00Z"), "grace"],
  [{ state: "taken", expiresAt: "2026-11-01T00:00:00Z" }, "registered"],
];

Deno.test("observationOf() is the step that the details show, and nothing where they are uncertain", () => {
  for (const [details, step] of CASES) {
    const seen = observationOf(details, NOW);
    assertEquals([seen?.step, seen?.isByDns], [step, undefined], JSON.stringify(details));
  }
  const byDns = observationOf({ state: "taken", error: "The registry answered 429" }, NOW);
  assertEquals(byDns, { step: "registered", dates: {}, at: NOW, isByDns: true });
});

/** The dates of a .eth name. */
const ETH_DATES = {
  expires: "2026-11-01",
  grace_ends: "2027-01-30",
  below_1000_usd: "2027-02-15",
  below_100_usd: "2027-02-18",
  below_10_usd: "2027-02-19",
  premium_ends: "2027-02-20",
};

Deno.test("observationOf() has the days of all dates", () => {
  const expires = Date.parse("2026-11-01T05:00:00Z") / 1_000;
  const free = observationOf({ state: "premium", ...ensDates(expires, NOW) }, NOW);
  assertEquals(free?.dates, ETH_DATES);
  const dropping = observationOf({ state: "taken", drop: dropIn("pending_delete") }, NOW);
  assertEquals(dropping?.dates, { drop_earliest: "2026-12-01", drop_latest: "2026-12-06" });
});

Deno.test("mayBegin() refuses steps of names that may always have been free", () => {
  const refused = STEPS.filter((step) => !mayBegin({ step, dates: {} }));
  assertEquals(refused, ["auction", "reserved", "premium", "available"]);
  // A .eth name that was released has the dates of its last registration.
  assertEquals(mayBegin({ step: "premium", dates: { grace_ends: "2026-11-01" } }), true);
});

const seen = (step: Step, at: number, expires?: string): Observation => ({
  step,
  at,
  dates: expires === undefined ? {} : { expires },
});

function logOf(...observations: (Observation | undefined)[]): readonly Change[] {
  return observations.reduce<readonly Change[]>(
    (log, one) => withObservation(log, one, NOW + 100 * DAY_MS),
    [],
  );
}

const told = (log: readonly Change[]) => log.map(({ step, number }) => `${number} ${step}`);

Deno.test("withObservation() has each step and each moved expiry once, in order", () => {
  const log = logOf(
    seen("available", NOW - 1),
    seen("registered", NOW, "2027-01-01"),
    seen("registered", NOW + 1, "2027-01-01"),
    undefined,
    seen("registered", NOW + 2, "2028-01-01"),
    seen("redemption", NOW + 3, "2028-01-01"),
    seen("redemption", NOW + 4),
    seen("available", NOW + 5),
    seen("available", NOW + 6),
  );
  assertEquals(told(log), ["0 registered", "1 registered", "2 redemption", "3 available"]);
});

Deno.test("withObservation() ignores what was asked for before the last change, or by a clock that is ahead, and goes on after a change that such a clock has dated", () => {
  const log = logOf(seen("registered", NOW), seen("available", NOW + 10));
  assertEquals(withObservation(log, seen("registered", NOW + 10), NOW + 20), log);
  assertEquals(withObservation(log, seen("registered", NOW + 30_001), NOW), log);
  assertEquals(withObservation(log, seen("registered", NOW + 30_000), NOW).length, 3);
  const ahead = logOf(seen("registered", NOW), seen("redemption", NOW + DAY_MS));
  assertEquals(withObservation(ahead, seen("registered", NOW), NOW + 1), ahead);
  const next = withObservation(ahead, seen("available", NOW + 1), NOW + 1);
  assertEquals(told(next), ["0 registered", "1 redemption", "2 available"]);
  assertEquals(withObservation(next, seen("registered", NOW + 1), NOW + 2), next);
});

Deno.test("withObservation() adds dates to a step that began without them, and keeps the step where only DNS is sure", () => {
  const byDns = { ...seen("registered", NOW), isByDns: true } as const;
  const log = logOf(byDns, seen("registered", NOW + 1, "2027-01-01"));
  assertEquals(log, [{ step: "registered", dates: { expires: "2027-01-01" }, at: NOW, number: 0 }]);
  assertEquals(told(logOf(seen("redemption", NOW), { ...byDns, at: NOW + 1 })), ["0 redemption"]);
  const later = { ...byDns, at: NOW + 2 };
  const back = logOf(seen("redemption", NOW), seen("available", NOW + 1), later);
  assertEquals(told(back), ["0 redemption", "1 available", "2 registered"]);
});

Deno.test("withObservation() bounds the log by length and age, and goes on counting", () => {
  const steps = ["registered", "available"] as const;
  const log = logOf(...Array.from({ length: 80 }, (_, n) => seen(steps[n % 2]!, NOW + n)));
  assertEquals([log.length, log[0]?.number, log.at(-1)?.number], [30, 50, 79]);
  const threeYears = 3 * 366 * DAY_MS;
  const after = (ms: number) =>
    told(withObservation(logOf(seen("registered", NOW - ms)), seen("available", NOW), NOW));
  assertEquals(after(threeYears), ["1 available"]);
  assertEquals(after(threeYears - 1), ["0 registered", "1 available"]);
});

const DROP = "Could be free";
const PRINTED_AT = Date.parse("2026-11-24T12:34:56Z");

function change(step: Step, at: number, dates: Change["dates"] = {}, number = 0): Change {
  return { step, at, dates, number };
}

const taken = (domain: string, ...changes: Change[]) =>
  ({ domain, state: "taken", changes }) as const;

Deno.test("entriesOf() has an entry for each change of all names, the latest first, in words", () => {
  const drop = { drop_earliest: "2026-11-25", drop_latest: "2026-11-29" };
  const both = { expires: "2027-01-01", drop_earliest: "2027-02-01" };
  const first = change("registered", PRINTED_AT - 5, both);
  const renewed = change("registered", PRINTED_AT - 3, { expires: "2028-01-01" });
  const entries = entriesOf([
    taken("a.com", first, renewed, change("registered", PRINTED_AT - 1)),
    taken(
      "b.org",
      change("pending_delete", PRINTED_AT - 4, drop),
      change("purged", PRINTED_AT - 2),
    ),
  ], PRINTED_AT);
  assertEquals(entries.map(({ title, text }) => [title, text]), [
    ["a.com: registered", ""],
    ["b.org: just dropped; the registry may hold it back for a day", ""],
    ["a.com: now expires 2028-01-01", "Expires: 2028-01-01."],
    ["b.org: about to be removed by the registry", `${DROP}: 2026-11-25 to 2026-11-29.`],
    ["a.com: registered", `Expires: 2027-01-01. ${DROP}: 2027-02-01.`],
  ]);
  assertEquals(new Set(entries.map(({ id }) => id)).size, 5);
});

Deno.test("entriesOf() and eventsOf() say the same all day of a name without a log", () => {
  const domains = ["free.com", "free.net"];
  const names = domains.map((domain) => ({ domain, state: "available" as const, changes: [] }));
  const midnight = Math.floor(PRINTED_AT / DAY_MS) * DAY_MS;
  for (const print of [entriesOf, eventsOf]) {
    assertEquals(print(names, midnight), print(names, midnight + DAY_MS - 1));
    const idsOf = (now: number) => print(names, now).map(({ id }) => id);
    assertEquals(idsOf(PRINTED_AT), idsOf(PRINTED_AT + DAY_MS));
    assertEquals(new Set(idsOf(PRINTED_AT)).size, 2);
    const [first] = print(names, PRINTED_AT);
    assertEquals([first?.title, first?.at], ["free.com: available", midnight]);
  }
});

Deno.test("eventsOf() has the steps on their days and the dates of the last, with stable ids and growing revisions", () => {
  const first = change("registered", PRINTED_AT - 30 * DAY_MS, {
    expires: "2026-12-01",
    drop_earliest: "2027-01-05",
    drop_latest: "2027-02-20",
  });
  const renewed = change("registered", PRINTED_AT, { ...first.dates, expires: "2027-12-01" }, 1);
  const before = eventsOf([taken("a.com", first)], PRINTED_AT);
  const after = eventsOf([taken("a.com", first, renewed)], PRINTED_AT);
  assertEquals(after.map(({ title, from, to, revision }) => [title, from, to, revision]), [
    ["a.com: registered", "2026-10-25", "2026-10-25", 0],
    ["a.com: now expires 2027-12-01", "2026-11-24", "2026-11-24", 0],
    ["a.com: expires", "2027-12-01", "2027-12-01", 1],
    ["a.com: could be free", "2027-01-05", "2027-02-20", 1],
  ]);
  const dates = `Expires: 2026-12-01. ${DROP}: 2027-01-05 to 2027-02-20.`;
  const range = "A range by the registry's rule, never a promise.";
  assertEquals(before.map(({ text }) => text), [dates, "", range]);
  const ids = (events: typeof before) => events.map(({ id }) => id);
  assertEquals(new Set(ids(after)).size, 4);
  assertEquals(ids(before).filter((id) => !ids(after).includes(id)), []);
});

Deno.test("eventsOf() has a day for each date of a .eth name, and ends a range without a last day on its first", () => {
  const events = eventsOf([taken("a.eth", change("grace", PRINTED_AT, ETH_DATES))], PRINTED_AT);
  assertEquals(events.slice(1).map(({ title, from, to }) => [title, from, from === to]), [
    ["a.eth: expires", "2026-11-01", true],
    ["a.eth: grace ends", "2027-01-30", true],
    ["a.eth: premium falls below 1,000 USD", "2027-02-15", true],
    ["a.eth: premium falls below 100 USD", "2027-02-18", true],
    ["a.eth: premium falls below 10 USD", "2027-02-19", true],
    ["a.eth: premium ends", "2027-02-20", true],
  ]);
  const deleted = change("redemption", PRINTED_AT, { drop_earliest: "2027-01-05" });
  const [, event] = eventsOf([taken("a.com", deleted)], PRINTED_AT);
  assertEquals([event?.from, event?.to], ["2027-01-05", "2027-01-05"]);
});
