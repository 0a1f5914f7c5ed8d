import { assertEquals } from "@std/assert";
import { createPrefixLimits } from "../../src/rate_limit/prefix_limits.ts";

const PREFIXES = [{ key: "small", times: 2 }, { key: "large", times: 4 }];

Deno.test("createPrefixLimits() takes slots of all prefixes or of none, and says when the claim fits", () => {
  let time = 1_000_000;
  const limits = createPrefixLimits({ now: () => time });
  const take = (cost: number, prefixes = PREFIXES) => limits.take({ prefixes, limit: 3, cost });
  const left = () => limits.peek({ prefixes: PREFIXES, limit: 3 });
  assertEquals(left(), { remaining: 6, resetAt: time });
  take(4);
  time += 1_000;
  take(1);
  assertEquals(left(), { remaining: 1, resetAt: 1_060_000 });
  assertEquals(take(2), { retryAfterMs: 59_000 });
  assertEquals(left()?.remaining, 1, "a refused claim takes nothing");
  assertEquals(take(12, [{ key: "large", times: 4 }]), { retryAfterMs: 60_000 });
  time += 59_000;
  assertEquals(left(), { remaining: 5, resetAt: 1_061_000 });
  take(3);
  const lowered = limits.peek({ prefixes: [{ key: "small", times: 2 }], limit: 1 });
  assertEquals(lowered, { remaining: 0, resetAt: 1_120_000 });
  time += 1_000;
  assertEquals(left()?.remaining, 3);
});

Deno.test("createPrefixLimits() takes back the slots of a request that was rejected after all, and bounds nothing without prefixes", () => {
  const limits = createPrefixLimits({ now: () => 1_000_000 });
  const claim = { prefixes: PREFIXES, limit: 3, cost: 2 };
  limits.take(claim);
  const taken = limits.take(claim);
  if ("giveBack" in taken) taken.giveBack();
  assertEquals(limits.peek(claim)?.remaining, 4);
  assertEquals(limits.peek({ prefixes: [], limit: 1 }), undefined);
  assertEquals("giveBack" in limits.take({ prefixes: [], limit: 1, cost: 99 }), true);
});
