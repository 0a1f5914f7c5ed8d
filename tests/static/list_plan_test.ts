import { assert, assertEquals } from "@std/assert";
import { createListPlan, createQuota, durationInWords, type Part } from "../../static/list_plan.js";

const MINUTE_MS = 60_000;

function partsOf(count: number, tlds: readonly string[]): Part[] {
  return Array.from({ length: count }, (_, place) => ({
    text: `name${place}`,
    tlds,
    domains: tlds.map((tld) => `name${place}.${tld}`),
  }));
}

function planOf(parts: readonly Part[], limit = 60) {
  const quota = createQuota();
  quota.note({ limit, remaining: limit, resetMs: 0 }, 0);
  const plan = createListPlan(quota);
  plan.add(parts);
  return { quota, plan };
}

Deno.test("createListPlan() sends the names under the same TLDs in one request, as many as the limit admits", () => {
  const { quota, plan } = planOf([...partsOf(50, ["com", "io"]), ...partsOf(20, ["eth"])]);
  const take = (now: number) => {
    const parts = plan.take(now);
    quota.send(parts?.length ?? 0);
    return parts;
  };
  assertEquals(take(0)?.length, 50);
  assertEquals(plan.waiting(), Array.from({ length: 20 }, (_, n) => `name${n}.eth`));
  assertEquals(take(0)?.map(({ domains }) => domains[0]).at(-1), "name9.eth");
  assertEquals([take(0), plan.isDone()], [undefined, false]);
  quota.note({ limit: 60, remaining: 0, resetMs: 50_000 }, 0);
  quota.send(-60);
  assertEquals(plan.sentMs("name10.eth", 0), 50_000);
  assertEquals([take(49_999), take(50_000)?.length, take(50_000)], [undefined, 1, undefined]);
  quota.note({ limit: 60, remaining: 59, resetMs: MINUTE_MS }, 50_100);
  quota.send(-1);
  assertEquals(take(50_100)?.length, 9);
  const isDone = [1, 2, 3, 4].map(() => (plan.close(), plan.isDone()));
  assertEquals([plan.waiting(), isDone], [[], [false, false, false, true]]);
});

Deno.test("createListPlan() sends 200 names and 4,000 rows at most in a request, and five requests at once", () => {
  assertEquals(planOf(partsOf(500, ["com"]), 1_000).plan.take(0)?.length, 200);
  const tlds = Array.from({ length: 30 }, (_, n) => `tld${n}`);
  const { plan } = planOf(partsOf(900, tlds), 1_000);
  const sent = [1, 2, 3, 4, 5].map(() => plan.take(0)?.length);
  assertEquals([sent, plan.take(0)], [Array(5).fill(133), undefined]);
  plan.close();
  assertEquals(plan.take(0)?.length, 133);
});

Deno.test("createListPlan() tells the end by the limit, and by what the service says of its queues", () => {
  const { quota, plan } = planOf(partsOf(100, ["io"]));
  quota.send(plan.take(0)?.length ?? 0);
  quota.note({ limit: 60, remaining: 0, resetMs: MINUTE_MS }, 0);
  assertEquals(plan.endMs(0), MINUTE_MS);
  plan.expect("name7.io", 150_000);
  assertEquals(plan.endMs(10_000), 140_000);
  plan.settle("name7.io");
  assert(plan.endMs(10_000) < MINUTE_MS);
});

Deno.test("createQuota() counts what responses say and what has none yet, and frees it as the service says", () => {
  const quota = createQuota();
  quota.note({ limit: 10, remaining: 4, resetMs: 14_000 }, 0);
  quota.send(3);
  assertEquals([quota.left(0), quota.waitMs(1, 0), quota.waitMs(2, 0)], [1, 0, 14_000]);
  assertEquals([11, 12].map((cost) => quota.waitMs(cost, 0)), [14_000, 74_000]);
  quota.note({ limit: 10, remaining: 0, resetMs: 13_000 }, 1_000);
  quota.send(-3);
  // One is free: the others may be of another page.
  assertEquals([13_999, 14_000].map(quota.left), [0, 1]);
  assertEquals([quota.left(60_999), quota.left(61_000)], [1, 10]);
});

Deno.test("durationInWords() rounds as people do", () => {
  const words = [3_000, 12_000, 44_000, 170_000].map(durationInWords).join();
  assertEquals(words, "a few seconds,about 15 s,about 45 s,about 3 min");
});
