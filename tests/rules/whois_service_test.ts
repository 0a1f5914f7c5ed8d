import { assertEquals } from "@std/assert";
import {
  mergeServices,
  outOfService,
  refusesNames,
  type WhoisService,
} from "../../src/rules/whois_service.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 10, 23, 12);

const PASSED: WhoisService = { testedAt: NOW, passedAt: NOW, templates: [], refusals: [] };

function refused(name: string, site: string, at = NOW) {
  return { name, site, at };
}

Deno.test("outOfService() is undefined for a server that passed within a day and was reached within 15 minutes", () => {
  assertEquals(outOfService(PASSED, NOW + DAY_MS - 1), undefined);
  assertEquals(outOfService(PASSED, NOW + DAY_MS), "It has not passed a test within a day");
  const failed = { ...PASSED, failure: "It has a record of a random name" };
  assertEquals(outOfService(failed, NOW), undefined, "a refusal takes no server out of service");
  assertEquals(outOfService(failed, NOW + DAY_MS), "It has a record of a random name");
  assertEquals(outOfService(undefined, NOW), undefined, "its first test waits in our queue");
  const untested = { ...PASSED, passedAt: undefined };
  assertEquals(outOfService(untested, NOW), "It has not passed a test within a day");
  const shut = { ...PASSED, unreachableSince: NOW };
  assertEquals(outOfService(shut, NOW + 15 * MINUTE_MS - 1), undefined);
  assertEquals(
    outOfService(shut, NOW + 15 * MINUTE_MS),
    "It could not be reached since 2026-11-23T12:00:00.000Z",
  );
});

Deno.test("outOfService() is undefined for a day for a server that refuses the queries of its tests", () => {
  const refusing = { ...PASSED, passedAt: undefined, refusedSince: NOW, failure: "It refused" };
  assertEquals(outOfService(refusing, NOW + DAY_MS - 1), undefined);
  assertEquals(outOfService(refusing, NOW + DAY_MS), "It refused");
  assertEquals(outOfService({ ...refusing, passedAt: NOW + 1 }, NOW + DAY_MS), undefined);
  assertEquals(outOfService({ ...refusing, refusedSince: undefined }, NOW), "It refused");
});

Deno.test("refusesNames() is true once three names of two sites were refused within 30 days", () => {
  const of = (...refusals: ReturnType<typeof refused>[]) => refusesNames({ refusals }, NOW);
  assertEquals(of(refused("a", "x"), refused("b", "y")), false);
  assertEquals(of(refused("a", "x"), refused("b", "y"), refused("b", "x")), false, "two names");
  assertEquals(of(refused("a", "x"), refused("b", "x"), refused("c", "x")), false, "one site");
  assertEquals(of(refused("a", "x"), refused("b", "x"), refused("c", "y")), true);
  const before = (ms: number) =>
    of(refused("a", "x"), refused("b", "x"), refused("c", "y", NOW - ms));
  assertEquals([before(30 * DAY_MS - 1), before(30 * DAY_MS)], [true, false]);
});

Deno.test("mergeServices() has the later test, the later pass and the refusals of both", () => {
  const later = { ...PASSED, testedAt: NOW + 1, passedAt: undefined, failure: "silent" };
  for (const [one, other] of [[PASSED, later], [later, PASSED]] as const) {
    const { testedAt, passedAt, failure } = mergeServices(one, other);
    assertEquals([testedAt, passedAt, failure], [NOW + 1, NOW, "silent"]);
  }
  assertEquals(mergeServices(undefined, PASSED), PASSED);
  const never = { ...later, testedAt: NOW };
  assertEquals(mergeServices(never, never).passedAt, undefined);
  const many = Array.from({ length: 12 }, (_, at) => refused(`name ${at}`, "x", NOW + at));
  const { refusals } = mergeServices({ ...PASSED, refusals: many }, {
    ...PASSED,
    refusals: [refused("name 3", "x", NOW + 99), refused("name 3", "y", NOW - 1)],
  });
  assertEquals(refusals.length, 12);
  assertEquals(refusals[0], refused("name 3", "x", NOW + 99));
  assertEquals(refusals.at(-1), refused("name 0", "x", NOW));
});
