import { assertEquals } from "@std/assert";
import { entriesOf, eventsOf } from "../../src/rules/watch_entries.ts";
import { type Change, type Step, STEPS } from "../../src/rules/watch_log.ts";
import { STATES } from "../../src/rules/verdict.ts";

const NOW = Date.parse("2026-11-24T12:34:56Z");
const DAY_MS = 86_400_000;

function change(step: Step, at: number, dates: Change["dates"] = {}, number = 0): Change {
  return { step, at, dates, number };
}

const taken = (
  domain: string,
  ...changes: Change[]
) => ({ domain, state: "taken", changes } as const);

Deno.test("entriesOf() has an entry for each change of all names, the latest first, in words", () => {
  const drop = { drop_earliest: "2026-11-25", drop_latest: "2026-11-29" };
  const both = { expires: "2027-01-01", drop_earliest: "2027-02-01" };
  const entries = entriesOf([
    taken(
      "a.com",
      change("registered", NOW - 5, { expires: "2027-01-01" }),
      change("registered", NOW - 3, { expires: "2028-01-01" }),
    ),
    taken("b.org", change("pending_delete", NOW - 4, drop), change("purged", NOW - 2)),
    taken("c.net", change("registered", NOW - 7, both), change("registered", NOW - 6)),
  ], NOW);
  assertEquals(entries.map(({ title, text }) => [title, text]), [
    ["b.org: just dropped; the registry may hold it back for a day", ""],
    ["a.com: now expires 2028-01-01", "Expires: 2028-01-01."],
    [
      "b.org: about to be removed by the registry",
      "Could drop if not renewed: 2026-11-25 to 2026-11-29.",
    ],
    ["a.com: registered", "Expires: 2027-01-01."],
    ["c.net: registered", ""],
    ["c.net: registered", "Expires: 2027-01-01. Could drop if not renewed: 2027-02-01."],
  ]);
  assertEquals(new Set(entries.map(({ id }) => id)).size, 6);
});

Deno.test("entriesOf() has words for every step and every state", () => {
  const steps = STEPS.map((step) => taken("a.com", change(step, NOW)));
  const states = STATES.map((state) => ({ domain: "a.com", state, changes: [] }));
  for (const { title } of entriesOf([...steps, ...states], NOW)) {
    assertEquals(/^a\.com: (?!undefined)[a-z].+/.test(title), true, title);
  }
});

Deno.test("entriesOf() and eventsOf() say the same all day of a name without a log", () => {
  const domains = ["free.com", "free.net"];
  const names = domains.map((domain) => ({ domain, state: "available" as const, changes: [] }));
  const midnight = Math.floor(NOW / DAY_MS) * DAY_MS;
  for (const print of [entriesOf, eventsOf]) {
    assertEquals(print(names, midnight), print(names, midnight + DAY_MS - 1));
    const idsOf = (now: number) => print(names, now).map(({ id }) => id);
    assertEquals(idsOf(NOW), idsOf(NOW + DAY_MS));
    assertEquals(new Set(idsOf(NOW)).size, 2);
    const titles = print(names, NOW).map(({ title }) => title);
    assertEquals(titles, ["free.com: available", "free.net: available"]);
    assertEquals(print(names, NOW)[0]?.at, midnight);
  }
});

Deno.test("eventsOf() has the steps on their days and the dates of the last, with stable ids and growing revisions", () => {
  const first = change("registered", NOW - 30 * DAY_MS, {
    expires: "2026-12-01",
    drop_earliest: "2027-01-05",
    drop_latest: "2027-02-20",
  });
  const renewed = change("registered", NOW, { ...first.dates, expires: "2027-12-01" }, 1);
  const before = eventsOf([taken("a.com", first)], NOW);
  const after = eventsOf([taken("a.com", first, renewed)], NOW);
  const brief = ({ title, from, to, revision }: typeof before[number]) =>
    [title, from, to, revision] as const;
  assertEquals(after.map(brief), [
    ["a.com: registered", "2026-10-25", "2026-10-25", 0],
    ["a.com: now expires 2027-12-01", "2026-11-24", "2026-11-24", 0],
    ["a.com: expires", "2027-12-01", "2027-12-01", 1],
    ["a.com: could drop if not renewed", "2027-01-05", "2027-02-20", 1],
  ]);
  const texts = ["Expires: 2026-12-01. Could drop if not renewed: 2027-01-05 to 2027-02-20.", ""];
  const range = "A range by the registry's rule, never a promise.";
  assertEquals(before.map(({ text }) => text), [...texts, range]);
  const ids = (events: typeof before) => events.map(({ id }) => id);
  assertEquals(new Set(ids(after)).size, 4);
  assertEquals(ids(before).filter((id) => !ids(after).includes(id)), []);
});

Deno.test("eventsOf() has a day for each date of a .eth name", () => {
  const dates = {
    expires: "2026-11-01",
    grace_ends: "2027-01-30",
    below_1000_usd: "2027-02-16",
    below_100_usd: "2027-02-19",
    below_10_usd: "2027-02-20",
    premium_ends: "2027-02-20",
  };
  const events = eventsOf([taken("a.eth", change("grace", NOW, dates))], NOW);
  assertEquals(events.slice(1).map(({ title, from, to }) => [title, from, from === to]), [
    ["a.eth: expires", "2026-11-01", true],
    ["a.eth: grace ends", "2027-01-30", true],
    ["a.eth: premium falls below 1,000 USD", "2027-02-16", true],
    ["a.eth: premium falls below 100 USD", "2027-02-19", true],
    ["a.eth: premium falls below 10 USD", "2027-02-20", true],
    ["a.eth: premium ends", "2027-02-20", true],
  ]);
});

Deno.test("eventsOf() ends a range without a last day on its first", () => {
  const deleted = change("redemption", NOW, { drop_earliest: "2027-01-05" });
  const [, event] = eventsOf([taken("a.com", deleted)], NOW);
  assertEquals([event?.from, event?.to], ["2027-01-05", "2027-01-05"]);
});
