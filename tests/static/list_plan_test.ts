import { assert, assertEquals } from "@std/assert";
import {
  createListPlan,
  createQuota,
  durationInWords,
  type Part,
  type Registry,
} from "../../static/list_plan.js";

const FAST: Registry = { host: "fast.example", everyMs: 0, atOnce: 0 };
const SLOW: Registry = { host: "slow.example", everyMs: 1_000, atOnce: 8 };
const REGISTRIES: Record<string, Registry> = { com: FAST, net: FAST, io: SLOW, ai: SLOW };
const MINUTE_MS = 60_000;

function partsOf(count: number, tlds: readonly string[]): Part[] {
  return Array.from({ length: count }, (_, place) => ({
    text: `name${place}`,
    tlds,
    domains: tlds.map((tld) => `name${place}.${tld}`),
  }));
}

function planOf(parts: readonly Part[], limit = 60, now = 0) {
  const quota = createQuota();
  quota.note({ limit, remaining: limit }, now);
  return {
    quota,
    plan: createListPlan(parts, { registryOf: (tld) => REGISTRIES[tld], quota, now }),
  };
}

/** Plays a list against registries that answer at their pace, and a service with a sliding window. */
function play(parts: readonly Part[], { limit = 60, takenShare = 0 } = {}) {
  const { plan } = planOf(parts, limit);
  const queues = new Map<string, string[]>();
  const admitted: number[] = [];
  const open: { domains: Set<string>; from: number }[] = [];
  const ends: [now: number, endMs: number][] = [];
  let most = 0;
  let asked = 0;
  let now = 0;
  const isTaken = (domain: string) => Number(/\d+/.exec(domain)) % 100 < 100 * takenShare;
  function settle(domain: string, byRegistry: boolean) {
    plan.settle(domain, { byRegistry });
    for (const request of open) request.domains.delete(domain);
  }
  for (; now === 0 || open.length > 0 || !plan.isDone(); now += 100) {
    for (let taken = plan.take(now); taken !== undefined; taken = plan.take(now)) {
      admitted.push(...taken.map(() => now));
      asked += taken.length;
      open.push({ domains: new Set(taken.flatMap(({ domains }) => domains)), from: now });
      for (const domain of taken.flatMap(({ domains }) => domains)) {
        const registry = REGISTRIES[domain.split(".")[1] ?? ""];
        if (isTaken(domain) || registry === undefined || registry.everyMs === 0) {
          settle(domain, registry?.everyMs === 0);
        } else {
          const queue = queues.get(registry.host) ?? [];
          queues.set(registry.host, [...queue, domain]);
        }
      }
    }
    for (const [host, queue] of queues) {
      most = Math.max(most, queue.length);
      const next = now % 1_000 === 0 ? queue.shift() : undefined;
      if (next !== undefined) settle(next, host !== FAST.host);
    }
    for (const request of open.splice(0)) {
      if (request.domains.size === 0) plan.close();
      else open.push(request);
    }
    ends.push([now, plan.endMs(now)]);
    assert(now < 3_600_000, "the list never ends");
  }
  const inWindow = Math.max(
    ...admitted.map((at) =>
      admitted.filter((other) => other > at - MINUTE_MS && other <= at).length
    ),
  );
  return { now, asked, most, inWindow, ends };
}

Deno.test("createListPlan() sends a list in one request for each name if its registries answer it soon", () => {
  const { plan } = planOf(partsOf(4, ["com", "io", "ai"]));
  assertEquals(plan.take(0)?.map(({ text }) => text), ["name0", "name1", "name2", "name3"]);
  assertEquals([plan.take(0), plan.isDone()], [undefined, true]);
});

Deno.test("createListPlan() asks quick registries at once, and holds back what a slow one would not answer soon", () => {
  const { plan } = planOf(partsOf(12, ["com", "io", "ai"]));
  const sent = [];
  for (let parts = plan.take(0); parts !== undefined; parts = plan.take(0)) {
    sent.push(parts.map(({ domains }) => domains.join(" ")));
  }
  assertEquals(sent.slice(0, 2), [["name0.io name0.ai", "name1.io name1.ai"], [
    "name2.io name2.ai",
    "name3.io name3.ai",
  ]]);
  assertEquals(sent[2]?.length, 12);
  assert(plan.isAsked("name11.com") && plan.isAsked("name3.ai") && !plan.isAsked("name4.io"));
  const { place, ms, host } = plan.turnOf("name4.ai", 0)!;
  assertEquals([place, host, durationInWords(ms)], [10, SLOW.host, "about 10 s"]);
  for (const domain of ["name0.io", "name0.ai"]) plan.settle(domain, { byRegistry: true });
  assertEquals(plan.take(0)?.map(({ domains }) => domains.join(" ")), ["name4.io name4.ai"]);
});

Deno.test("createListPlan() never exceeds a registry's room or the limit, and tells the end within 30 % after ten seconds", () => {
  // deno-fmt-ignore -- a table
  const cases = [
    { count: 150, tlds: ["com", "net", "io", "ai"], limit: 60, takenShare: 0 },
    { count: 150, tlds: ["com", "net", "io", "ai"], limit: 60, takenShare: 0.5 },
    { count: 150, tlds: ["com"], limit: 60, takenShare: 0 },
    { count: 60, tlds: ["com", "io"], limit: 30, takenShare: 0.3 },
    { count: 40, tlds: ["com", "io"], limit: 600, takenShare: 0 },
  ];
  for (const { count, tlds, ...options } of cases) {
    const { now, most, inWindow, ends } = play(partsOf(count, tlds), options);
    const about = JSON.stringify({ count, tlds, ...options, now });
    assert(most <= SLOW.atOnce, `${most} questions at once: ${about}`);
    assert(inWindow <= options.limit, `${inWindow} requests in a minute: ${about}`);
    const [at = 0, endMs = 0] = ends.find(([at]) => at >= 10_000) ?? [];
    assert(Math.abs(at + endMs - now) <= 0.3 * now, `${at + endMs} ms said: ${about}`);
  }
});

Deno.test("createListPlan() asks again for what a registry was too busy for, as its limit allows", () => {
  const { plan } = planOf(partsOf(3, ["io"]), 4);
  assertEquals(plan.take(0)?.length, 3);
  plan.settle("name0.io", { byRegistry: true });
  for (const domain of ["name1.io", "name2.io"]) plan.postpone(domain);
  plan.close();
  plan.again({ text: "name1", tlds: ["io"], domains: ["name1.io"] });
  assertEquals(plan.take(1_000)?.map(({ text }) => text), ["name1"]);
  plan.again({ text: "name2", tlds: ["io"], domains: ["name2.io"] });
  assertEquals(plan.take(1_000), undefined);
  assertEquals(plan.take(MINUTE_MS + 1_000)?.map(({ text }) => text), ["name2"]);
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
  assertEquals([3_000, 12_000, 44_000, 170_000].map(durationInWords), [
    "a few seconds",
    "about 15 s",
    "about 45 s",
    "about 3 min",
  ]);
});
