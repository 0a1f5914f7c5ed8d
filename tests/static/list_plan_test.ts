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
  quota.note({ limit, remaining: limit }, 0);
  const plan = createListPlan(quota);
  plan.add(parts);
  return { quota, plan };
}

Deno.test("createListPlan() sends the names under the same TLDs in one request, as many as the limit admits", () => {
  const { plan } = planOf([...partsOf(50, ["com", "io"]), ...partsOf(20, ["eth"])]);
  assertEquals(plan.take(0)?.length, 50);
  assertEquals(plan.waiting(), Array.from({ length: 20 }, (_, n) => `name${n}.eth`));
  assertEquals(plan.take(0)?.map(({ domains }) => domains[0]).at(-1), "name9.eth");
  assertEquals([plan.take(0), plan.isDone()], [undefined, false]);
  assertEquals(plan.sentMs("name10.eth", 0), MINUTE_MS + 500);
  assertEquals([plan.take(MINUTE_MS), plan.take(MINUTE_MS + 500)?.length], [undefined, 10]);
  const isDone = [1, 2, 3].map(() => (plan.close(), plan.isDone()));
  assertEquals([plan.waiting(), isDone], [[], [false, false, true]]);
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
  const { plan } = planOf(partsOf(100, ["io"]));
  plan.take(0);
  assertEquals(plan.endMs(0), MINUTE_MS + 500);
  plan.expect("name7.io", 150_000);
  assertEquals(plan.endMs(10_000), 140_000);
  plan.settle("name7.io");
  assert(plan.endMs(10_000) < MINUTE_MS);
});

Deno.test("createQuota() waits for the next request of others to come free as long as the service says", () => {
  const quota = createQuota();
  quota.note({ limit: 3, remaining: 0, resetMs: 14_500 }, 0);
  assertEquals([1, 2, 3].map((cost) => quota.waitMs(cost, 0)), [15_000, 60_500, 60_500]);
  quota.note({ limit: 3, remaining: 1, resetMs: 20_000 }, 15_000);
  assertEquals([quota.left(15_000), quota.waitMs(2, 15_000)], [1, 45_500]);
});

Deno.test("createQuota() counts what was sent and what responses say, and frees it after a minute", () => {
  const quota = createQuota();
  quota.note({ limit: 10, remaining: 10 }, 0);
  quota.spend(4, 0);
  // The response to a request of this page, then one that shows the requests of another.
  quota.note({ limit: 10, remaining: 6 }, 100);
  assertEquals(quota.left(100), 6);
  quota.note({ limit: 10, remaining: 3 }, 30_000);
  assertEquals([quota.left(30_000), quota.waitMs(3, 30_000)], [3, 0]);
  assertEquals(quota.waitMs(7, 30_000), 30_500);
  assertEquals(quota.waitMs(8, 30_000), 60_500);
  assertEquals([quota.left(61_000), quota.left(91_000)], [7, 10]);
});

Deno.test("durationInWords() rounds as people do", () => {
  const words = [3_000, 12_000, 44_000, 170_000].map(durationInWords).join();
  assertEquals(words, "a few seconds,about 15 s,about 45 s,about 3 min");
});
