import { assertEquals } from "@std/assert";
import { createCounter, createHistogram, formatMetrics } from "../../src/metrics/metrics.ts";
import { parsePrometheus } from "../support/prometheus.ts";

Deno.test("formatMetrics() writes HELP and TYPE before the samples of each family, and escapes labels", () => {
  const counter = createCounter<{ host: string; source: string }>({ name: "odd", help: "Odd" });
  const host = 'a\\b"c\nd\\n';
  for (const amount of [1, 2]) counter.add(amount, { host, source: "dns" });
  counter.add(1, { host: "dns", source: host });
  const empty = createCounter({ name: "empty", help: "None", type: "gauge" });
  const text = formatMetrics([counter, empty]);
  assertEquals(parsePrometheus(text), [
    { family: "odd", name: "odd", labels: { host, source: "dns" }, value: 3 },
    { family: "odd", name: "odd", labels: { host: "dns", source: host }, value: 1 },
  ]);
  const heads = text.match(/(?<=^# (?:HELP|TYPE) ).+/gm)?.join();
  assertEquals(heads, "odd Odd,odd counter,empty None,empty gauge");
});

Deno.test("a histogram's buckets are cumulative, hold their bounds, and end in the count", () => {
  const histogram = createHistogram<{ host: string }>({ name: "t", help: "Time" });
  // 1 ms is in the bucket of 1 ms; 16 s are beyond the last bound.
  for (const ms of [0.2, 1, 1.1, 400, 16_000]) histogram.observe(ms, { host: "h" });
  const samples = parsePrometheus(formatMetrics([histogram]));
  const buckets = samples.filter(({ name }) => name === "t_bucket");
  const at = (le: string) => buckets.find(({ labels }) => labels.le === le)?.value;
  assertEquals(["0.001", "0.0025", "0.25", "0.5", "15", "+Inf"].map(at), [2, 3, 3, 4, 4, 5]);
  const [sum, count] = ["t_sum", "t_count"].map((name) => samples.find((one) => one.name === name));
  assertEquals(count, { family: "t", name: "t_count", labels: { host: "h" }, value: 5 });
  assertEquals(Math.round((sum?.value ?? 0) * 10_000), 164_023);
});
