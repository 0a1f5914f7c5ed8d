/**
 * What the service counts. Labels are values of closed sets and of tables, never a name that is checked.
 *
 * Each part reports what happens in it where it is wired. What is a state and no count is read at each scrape.
 */
import type { Outcome } from "../flow/host_state.ts";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsProfileAnswer } from "../lookup/ens_lookups.ts";
import type { Canary } from "../rules/answer.ts";
import type { Outcome as JobOutcome, RunEnd } from "../rules/job_outcome.ts";
import type { State, UnknownCause } from "../rules/verdict.ts";
import { createCounter, createHistogram, type Family, type Sample } from "./instruments.ts";

type EnsResult = "available" | "taken" | EnsProfileAnswer["kind"];

/** The instruments, by what they measure. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the instruments, without samples. */
export function createMetrics() {
  return {
    requests: createCounter<[route: string, status: string]>({
      name: "availability_requests_total",
      help: "Requests answered, by route and HTTP status; route other: no such path, or refused",
      labels: ["route", "status"],
    }),
    requestTime: createHistogram<[route: string]>({
      name: "availability_request_seconds",
      help: "Time until a response began, its body not included",
      labels: ["route"],
    }),
    answers: createCounter<[state: State, source: DomainResult["source"]]>({
      name: "availability_answers_total",
      help: "Domains answered, by state and deciding source; +cache: a cached verdict",
      labels: ["state", "source"],
    }),
    unknown: createCounter<[tld: string, reason: UnknownCause]>({
      name: "availability_unknown_total",
      help: "Domains answered unknown, by TLD and reason",
      labels: ["tld", "reason"],
    }),
    unreadNotices: createCounter<[tld: string]>({
      name: "availability_unread_notices_total",
      help: "404s of registries with an unknown text, by TLD",
      labels: ["tld"],
    }),
    ensAnswers: createCounter<
      [operation: "check" | "metadata", result: EnsResult, source: "rpc" | "rpc+cache" | ""]
    >({
      name: "availability_ens_answers_total",
      help: "Look-ups of .eth names, by operation, result and source, where known",
      labels: ["operation", "result", "source"],
    }),
    upstreams: createCounter<[host: string, result: Exclude<Outcome["kind"], "unasked">]>({
      name: "availability_upstream_answers_total",
      help:
        "Answers of upstreams, by host and by what they say of it; host system or resolver: DNS",
      labels: ["host", "result"],
    }),
    upstreamTime: createHistogram<[host: string]>({
      name: "availability_upstream_seconds",
      help: "Time of questions to upstreams, without the wait in the queue",
      labels: ["host"],
    }),
    gateWait: createHistogram<[host: string]>({
      name: "availability_gate_wait_seconds",
      help:
        "Time that requests waited in a host's queue; hosts resolver and system: DNS, for_sale: questions for offers",
      labels: ["host"],
    }),
    gateQueue: createCounter<[host: string]>({
      name: "availability_gate_queue",
      help: "Requests in a host's queue now",
      labels: ["host"],
      type: "gauge",
    }),
    canaries: createCounter<[tld: string, result: Canary["kind"]]>({
      name: "availability_canary_tests_total",
      help: "Canary tests of registries made by this process, by TLD and result",
      labels: ["tld", "result"],
    }),
    limiter: createCounter<[decision: "admitted" | "refused"]>({
      name: "availability_limiter_decisions_total",
      help: "Decisions of the rate limiter",
      labels: ["decision"],
    }),
    kv: createHistogram<[result: "ok" | "failed" | "skipped"]>({
      name: "availability_kv_seconds",
      help: "Time of KV operations, the limiter's not included; failed: an error or no answer in " +
        "time; skipped: KV was not used after it had hung",
      labels: ["result"],
    }),
    jobs: createCounter<[job: string, outcome: JobOutcome["kind"]]>({
      name: "availability_job_runs_total",
      help: "Runs of jobs that ended in this process, by outcome",
      labels: ["job", "outcome"],
    }),
  };
}

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
      "For RDAP and WHOIS servers in a cooldown or failing: how much of the cooldown is left",
      ["host"],
      health.registries().flatMap(({ kind, host, leftMs }) =>
        kind === "rdap" || kind === "whois" ? [[leftMs / 1_000, host]] : []
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
