import { assertEquals } from "@std/assert";
import { mergeServices, outOfService, type WhoisService } from "../../src/rules/whois_service.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 10, 23, 12);

const PASSED: WhoisService = { testedAt: NOW, passedAt: NOW, templates: [] };

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

Deno.test("mergeServices() has the later test and the later pass", () => {
  const later = { ...PASSED, testedAt: NOW + 1, passedAt: undefined, failure: "silent" };
  for (const [one, other] of [[PASSED, later], [later, PASSED]] as const) {
    const { testedAt, passedAt, failure } = mergeServices(one, other);
    assertEquals([testedAt, passedAt, failure], [NOW + 1, NOW, "silent"]);
  }
  assertEquals(mergeServices(undefined, PASSED), PASSED);
  const never = { ...later, testedAt: NOW };
  assertEquals(mergeServices(never, never).passedAt, undefined);
});
