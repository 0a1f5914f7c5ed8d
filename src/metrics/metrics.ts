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
export function serviceFamilies({ metrics, version, startedAt, health }: ServiceState): Family[] {
  return [
    familyOf("process_start_time_seconds", "When the process started, in Unix seconds", [], [
      [startedAt / 1_000],
    ]),
    familyOf(
      "availability_cache_total",
      "Look-ups answered from the cache (hit) or not (miss)",
      ["kind", "result"],
      [...cacheRows("domain", metrics.answers), ...cacheRows("ens", metrics.ensAnswers)],
      "counter",
    ),
    familyOf("availability_build_info", "The version", ["version"], [[1, version]]),
    familyOf(
      "availability_upstream_failing",
      "1 where an outside system failed when it was last asked",
      ["system"],
      Object.entries(health.checks()).map(([name, state]) => [state === "failing" ? 1 : 0, name]),
    ),
    familyOf(
      "availability_registry_cooling_seconds",
      "For RDAP and WHOIS servers in a cooldown or failing: how much of the cooldown is left",
      ["host"],
      health.registries().flatMap(({ kind, host, leftMs }) =>
        kind === "rdap" || kind === "whois" ? [[leftMs / 1_000, host]] : []
      ),
    ),
    familyOf(
      "availability_canary_state",
      "1 for the result of a TLD's last canary test; only passed lets names be available",
      ["tld", "result"],
      health.canaries().map(({ tld, state }) => [1, tld, state]),
    ),
    familyOf("availability_limiter_alone", "1 while the rate limiter cannot reach KV", [], [
      [health.limiter() === "alone" ? 1 : 0],
    ]),
    familyOf(
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
function cacheRows(kind: string, { labels, samples }: Family<number>): Row[] {
  const place = labels.indexOf("source");
  const count = { hit: 0, miss: 0 };
  for (const { labels, value } of samples()) {
    const source = labels[place] ?? "";
    if (source !== "") count[source.endsWith("+cache") ? "hit" : "miss"] += value;
  }
  return [[count.hit, kind, "hit"], [count.miss, kind, "miss"]];
}

type Row = readonly [value: number, ...labels: string[]];

function familyOf(
  name: string,
  help: string,
  labels: string[],
  rows: readonly Row[],
  type: "counter" | "gauge" = "gauge",
): Family {
  const samples = () => rows.map(([value, ...labels]) => ({ value, labels }));
  return { name, help, labels, type, samples };
}

/** A value, and those of its family's labels in their order. */
interface Sample<Value> {
  readonly labels: readonly string[];
  value: Value;
}

/** A histogram's data for one combination of label values. */
interface Distribution {
  /** By bucket, how many values were at most its bound and above the bound before; the last has no bound. */
  readonly counts: number[];
  sum: number;
}

/** What a metric family has beside its current samples. */
interface FamilyHead<Labels extends readonly string[] = readonly string[]> {
  readonly name: string;
  readonly help: string;
  readonly labels: { readonly [Place in keyof Labels]: string };
}

interface Family<Value extends number | Distribution = number | Distribution> extends FamilyHead {
  readonly type: "counter" | "gauge" | "histogram";
  samples(): Iterable<Sample<Value>>;
}

/** Upper bounds in seconds: from a local KV to the longest wait in a queue. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/**
 * Creates a counter, or with type `gauge` a value that goes up and down. Label values come from closed sets, because each
 * value is a new series.
 */
export function createCounter<Values extends readonly string[]>(
  { type = "counter", ...head }: FamilyHead<Values> & { type?: "counter" | "gauge" },
) {
  const series = createSeries(() => 0);
  return {
    ...head,
    type,
    samples: series.all,
    add(amount: number, ...values: Values): void {
      series.of(values).value += amount;
    },
  };
}

/** Creates a histogram: it records durations in ms, which are exported in seconds. */
export function createHistogram<Values extends readonly string[]>(head: FamilyHead<Values>) {
  const series = createSeries<Distribution>(() => ({
    counts: new Array<number>(BOUNDS.length + 1).fill(0),
    sum: 0,
  }));
  return {
    ...head,
    type: "histogram" as const,
    samples: series.all,
    observe(ms: number, ...values: Values): void {
      const seconds = ms / 1_000;
      const { value } = series.of(values);
      let bucket = 0;
      while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket++;
      value.counts[bucket]!++;
      value.sum += seconds;
    },
  };
}

/** The samples of a family by their label values, none of which has a line feed. */
function createSeries<Value>(zero: () => Value) {
  const samples = new Map<string, Sample<Value>>();
  return {
    all: () => samples.values(),
    of(labels: readonly string[]): Sample<Value> {
      const key = labels.join("\n");
      let sample = samples.get(key);
      if (sample === undefined) samples.set(key, sample = { labels, value: zero() });
      return sample;
    },
  };
}

/** Formats families, each with HELP and TYPE before its samples. */
export function formatMetrics(families: Iterable<Family>): string {
  let text = "";
  for (const { name, help, type, labels, samples } of families) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const sample of samples()) {
      const pairs = pairsOf(labels, sample.labels);
      const { value } = sample;
      text += typeof value === "number" ? line(name, pairs, value) : linesOf(name, pairs, value);
    }
  }
  return text;
}

function linesOf(name: string, pairs: readonly string[], { counts, sum }: Distribution): string {
  let count = 0;
  const buckets = counts.map((inBucket, place) => {
    count += inBucket;
    return line(`${name}_bucket`, [...pairs, `le="${BOUNDS[place] ?? "+Inf"}"`], count);
  });
  return buckets.join("") + line(`${name}_sum`, pairs, sum) + line(`${name}_count`, pairs, count);
}

function line(name: string, pairs: readonly string[], value: number): string {
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

function pairsOf(labels: readonly string[], values: readonly string[]): string[] {
  return labels.map((label, place) => `${label}="${escapeValue(values[place] ?? "")}"`);
}

function escapeValue(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
