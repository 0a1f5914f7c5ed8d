import { assertEquals } from "@std/assert";
import {
  addHours,
  disagreementOf,
  EMPTY_HOUR,
  hourOf,
  hourOfTld,
  hourWith,
  type Incident,
  lastDay,
  unknownAnswers,
} from "../../src/rules/accuracy.ts";

const NOON = Date.UTC(2026, 10, 22, 12);
const WORDS = ["constructor", "toString", "__proto__"];
const HOUR_MS = 3_600_000;

Deno.test("hourOf() is the beginning of the hour", () => {
  assertEquals([NOON, NOON + 1, NOON + HOUR_MS - 1].map(hourOf), [NOON, NOON, NOON]);
  assertEquals(hourOf(NOON + HOUR_MS), NOON + HOUR_MS);
});

Deno.test("lastDay() is 24 hours, the present one last", () => {
  const hours = lastDay(NOON + 5);
  assertEquals([hours.length, hours[0], hours[22], hours[23]], [
    24,
    NOON - 23 * HOUR_MS,
    NOON - HOUR_MS,
    NOON,
  ]);
});

Deno.test("addHours() adds look-ups, causes and times by TLD", () => {
  const lookedUp = [
    hourWith({ tld: "com", rdapMs: 80 }),
    hourWith({ tld: "com", rdapMs: 0, cause: "dns" }),
    hourWith({ tld: "com", rdapMs: 20, cause: "registry_down" }),
    hourWith({ tld: "com", rdapMs: 30, cause: "registry_down" }),
    hourWith({ tld: "io", rdapMs: 0 }),
  ];
  const { tlds, incidents } = lookedUp.reduce(addHours, EMPTY_HOUR);
  assertEquals(tlds, {
    com: { answers: 4, unknown: { dns: 1, registry_down: 2 }, asked: 3, askedMs: 130 },
    io: { answers: 1, unknown: {}, asked: 0, askedMs: 0 },
  });
  assertEquals(incidents, []);
  assertEquals(Object.values(tlds).map(unknownAnswers), [3, 0]);
});

Deno.test("addHours() and hourOfTld() take words of Object.prototype as TLDs", () => {
  for (const tld of WORDS) {
    assertEquals(hourOfTld(EMPTY_HOUR, tld), undefined, tld);
    const hour = addHours(hourWith({ tld, rdapMs: 80 }), hourWith({ tld, rdapMs: 20 }));
    const first = addHours(EMPTY_HOUR, hour);
    for (const sum of [hour, first, structuredClone(first)]) {
      const own = { answers: 2, unknown: {}, asked: 2, askedMs: 100 };
      assertEquals([Object.keys(sum.tlds), hourOfTld(sum, tld)], [[tld], own], tld);
    }
  }
});

Deno.test("addHours() keeps the newest 100 incidents, the newest first", () => {
  const incidents = Array.from({ length: 120 }, (_, at): Incident => {
    return { kind: "withdrawal", at, tld: "com", why: "it lies" };
  });
  const [even, odd] = [0, 1].map((rest) => incidents.filter(({ at }) => at % 2 === rest));
  const sum = addHours({ tlds: {}, incidents: even ?? [] }, { tlds: {}, incidents: odd ?? [] });
  assertEquals(sum.incidents, incidents.toReversed().slice(0, 100));
});

Deno.test("disagreementOf() names the witnesses of a verdict on which they disagree", () => {
  assertEquals(disagreementOf("whois"), "rdap and whois");
  assertEquals(disagreementOf("registrar"), "rdap and a registrar");
  assertEquals([disagreementOf("dns"), disagreementOf(undefined)], [undefined, undefined]);
});
