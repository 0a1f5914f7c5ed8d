/** Metrics that are read from the service at each scrape. */
import type { RunEnd } from "../rules/job_outcome.ts";
import type { Family, Sample } from "./instruments.ts";
import type { Metrics } from "./metrics.ts";

/** The service's current state. */
interface ServiceState {
  metrics: Pick<Metrics, "answers" | "ensAnswers">;
  version: string;
  /** In ms since 1970. */
  startedAt: number;
  health: {
    checks(): Readonly<Record<string, string>>;
    registries(): readonly { kind: string; host: string; leftMs: number }[];
    canaries(): readonly { tld: string; state: string }[];
    limiter(): "shared" | "alone";
    jobs(): Readonly<Record<string, RunEnd>>;
  };
}

/** The families. */
export function serviceFamilies(
  { metrics, version, startedAt, health }: ServiceState,
): Family[] {
  return [
    gauge("process_start_time_seconds", "When the process started, in Unix seconds", [], [
      [startedAt / 1_000],
    ]),
    counter(
      "availability_cache_total",
      "Look-ups answered from the cache (hit) or not (miss)",
      ["kind", "result"],
      [...cacheRows("domain", metrics.answers), ...cacheRows("ens", metrics.ensAnswers)],
    ),
    gauge("availability_build_info", "The version", ["version"], [[1, version]]),
    gauge(
      "availability_upstream_failing",
      "1 where an outside system failed when it was last asked",
      ["system"],
      Object.entries(health.checks()).map(([name, state]) => [state === "failing" ? 1 : 0, name]),
    ),
    gauge(
      "availability_registry_cooling_seconds",
      "For registries in a cooldown or failing: how much of the cooldown is left",
      ["host"],
      health.registries().flatMap(({ kind, host, leftMs }) =>
        kind === "rdap" ? [[leftMs / 1_000, host]] : []
      ),
    ),
    gauge(
      "availability_canary_state",
      "1 for the result of a TLD's last canary test; only passed lets names be available",
      ["tld", "result"],
      health.canaries().map(({ tld, state }) => [1, tld, state]),
    ),
    gauge("availability_limiter_alone", "1 while the rate limiter cannot reach KV", [], [
      [health.limiter() === "alone" ? 1 : 0],
    ]),
    gauge(
      "availability_job_last_end_timestamp_seconds",
      "When a job's last run ended, in this process or another, as far as is known here",
      ["job", "outcome"],
      Object.entries(health.jobs()).map((
        [job, { at, outcome }],
      ) => [at / 1_000, job, outcome.kind]),
    ),
  ];
}

/** Hits and misses by the source of answers: a counter of their own would cost each answer more. */
function cacheRows(kind: string, { labels, samples }: CounterFamily): Row[] {
  const place = labels.indexOf("source");
  const count = { hit: 0, miss: 0 };
  for (const { labels, value } of samples()) {
    const source = labels[place] ?? "";
    if (source !== "") count[source.endsWith("+cache") ? "hit" : "miss"] += value;
  }
  return [[count.hit, kind, "hit"], [count.miss, kind, "miss"]];
}

type CounterFamily = Extract<Family, { type: "counter" | "gauge" }>;
type Row = readonly [value: number, ...labels: string[]];

function gauge(name: string, help: string, labels: string[], rows: readonly Row[]): Family {
  return { name, help, labels, type: "gauge", samples: () => rows.map(toSample) };
}

function counter(name: string, help: string, labels: string[], rows: readonly Row[]): Family {
  return { name, help, labels, type: "counter", samples: () => rows.map(toSample) };
}

function toSample([value, ...labels]: Row): Sample {
  return { value, labels };
}
