import { assertEquals } from "@std/assert";
import { createUpstreamHosts } from "../../src/flow/upstream_host.ts";
import type { Family } from "../../src/metrics/instruments.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { observedKv, observeHosts } from "../../src/metrics/observed.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";

/** What an instrument has counted, by its label values. */
function counted(family: Family): Record<string, number> {
  return Object.fromEntries([...family.samples()].map(({ labels, value }) => [
    labels.join(" "),
    typeof value === "number" ? value : value.counts.reduce((sum, count) => sum + count),
  ]));
}

Deno.test("observeHosts() counts answers, waits and queues of hosts, which report the wait to the task", async () => {
  const metrics = createMetrics();
  let now = 0;
  const host = createUpstreamHosts({
    report() {},
    now: () => now,
    monotonic: () => now,
    observer: observeHosts(metrics),
  }).ofKind("rdap", { paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }) })("h");
  const outcomeOf = () => ({ kind: "ok" }) as const;
  const first = Promise.withResolvers<string>();
  const running = host.ask(() => first.promise, { outcomeOf });
  const waits: number[] = [];
  const wait = { onWait: (ms: number) => void waits.push(ms) };
  const waiting = host.ask(() => Promise.resolve("second"), { outcomeOf, wait });
  await Promise.resolve();
  assertEquals(counted(metrics.gateQueue), { h: 1 });
  const signal = AbortSignal.abort();
  const turnedAway = host.ask(() => Promise.resolve(""), { outcomeOf, wait: { signal } });
  assertEquals((await turnedAway).kind, "rejected");
  now = 40;
  first.resolve("first");
  assertEquals([await running, await waiting], [
    { kind: "answered", answer: "first" },
    { kind: "answered", answer: "second" },
  ]);
  assertEquals(waits, [40]);
  assertEquals(counted(metrics.gateQueue), { h: 0 });
  assertEquals(counted(metrics.gateWait), { h: 3 });
  assertEquals([counted(metrics.upstreams), counted(metrics.upstreamTime)], [{ "h ok": 2 }, {
    h: 2,
  }]);
});

Deno.test("observedKv() counts operations as ok, failed or skipped, also where a value equals the fallback", async () => {
  const metrics = createMetrics();
  using real = await Deno.openKv(":memory:");
  const monotonic = () => performance.now();
  const kv = observedKv(
    guardKv(real, { report() {}, monotonic, deadlineMs: 50 }),
    metrics,
    monotonic,
  );
  assertEquals(await kv.attempt(() => Promise.resolve("x"), "x"), "x");
  assertEquals(await kv.attempt(() => Promise.reject(new Error("disk")), "fallback"), "fallback");
  assertEquals(counted(metrics.kv), { ok: 1, failed: 1 });
  const late = Promise.withResolvers<string>();
  assertEquals(await kv.attempt(() => late.promise, "fallback"), "fallback");
  assertEquals(await kv.attempt(() => Promise.resolve("x"), "fallback"), "fallback");
  late.resolve("");
  assertEquals(counted(metrics.kv), { ok: 1, failed: 2, skipped: 1 });
  await kv.settled();
});
