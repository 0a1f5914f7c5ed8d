import { assertEquals } from "@std/assert";
import {
  HELD_BACK_MS,
  holdsDeletedBack,
  lastRegisteredAt,
  ruleForDropped,
} from "../../src/rules/drop_dates.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";

Deno.test("holdsDeletedBack() is true for generic TLDs on the hosts of two registries", () => {
  const held = BUILT_IN_TLDS.filter(holdsDeletedBack).map(({ tld }) => tld);
  assertEquals(held, ["info", "org"]);
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

Deno.test("lastRegisteredAt() reads the time from the rule's own words, and none from others", () => {
  const seenAt = Date.UTC(2026, 10, 21, 1, 2, 3);
  const rule = ruleForDropped(seenAt, seenAt);
  const why = rule?.kind === "unknown" ? rule.why : "";
  assertEquals(lastRegisteredAt(why), seenAt);
  assertEquals(lastRegisteredAt(`The server wrote: ${why}`), undefined);
  assertEquals(lastRegisteredAt("The registry answered 429 (too many requests)"), undefined);
});
