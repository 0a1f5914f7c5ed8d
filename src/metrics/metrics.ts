/**
 * What the service counts. Labels are values of closed sets and of tables, never a name that is checked.
 *
 * Each part reports what happens in it where it is wired. What is a state and no count is read at each scrape.
 */
import type { Outcome } from "../flow/host_state.ts";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCount } from "../lookup/ens_lookups.ts";
import type { Canary } from "../rules/answer.ts";
import type { Outcome as JobOutcome, RunEnd } from "../flow/process.ts";
import type { State, UnknownCause } from "../rules/verdict.ts";

/** The instruments, by what they measure. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the instruments, without samples. */
export function createMetrics() {
  return {
    requests: createCounter<{ route: string; status: string }>({
      name: "availability_requests_total",
      help: "Requests answered, by route and HTTP status; route other: no such path, or refused",
    }),
    requestTime: createHistogram<{ route: string }>({
      name: "availability_request_seconds",
      help: "Time until a response began, its body not included",
    }),
    answers: createCounter<{ state: State; source: DomainResult["source"] }>({
      name: "availability_answers_total",
      help: "Domains answered, by state and deciding source; +cache: a cached verdict",
    }),
    unknown: createCounter<{ tld: string; reason: UnknownCause }>({
      name: "availability_unknown_total",
      help: "Domains answered unknown, by TLD and reason",
    }),
    unreadNotices: createCounter<{ tld: string }>({
      name: "availability_unread_notices_total",
      help: "404s of registries with an unknown text, by TLD",
    }),
    ensAnswers: createCounter<EnsCount>({
      name: "availability_ens_answers_total",
      help: "Look-ups of .eth names, by operation, result and source, where known",
    }),
    upstreams: createCounter<{ host: string; result: Exclude<Outcome["kind"], "unasked"> }>({
      name: "availability_upstream_answers_total",
      help:
        "Answers of upstreams, by host and by what they say of it; host system or resolver: DNS",
    }),
    upstreamTime: createHistogram<{ host: string }>({
      name: "availability_upstream_seconds",
      help: "Time of questions to upstreams, without the wait in the queue",
    }),
    gateWait: createHistogram<{ host: string }>({
      name: "availability_gate_wait_seconds",
      help:
        "Time that requests waited in a host's queue; hosts resolver and system: DNS, for_sale: questions for offers",
    }),
    gateQueue: createCounter<{ host: string }>({
      name: "availability_gate_queue",
      help: "Requests in a host's queue now",
      type: "gauge",
    }),
    canaries: createCounter<{ tld: string; result: Canary["kind"] }>({
      name: "availability_canary_tests_total",
      help: "Canary tests of registries made by this process, by TLD and result",
    }),
    kv: createHistogram<{ result: "ok" | "failed" | "skipped" }>({
      name: "availability_kv_seconds",
      help: "Time of KV operations, the limiter's not included; failed: an error or no answer in " +
        "time; skipped: KV was not used after it had hung",
    }),
    jobs: createCounter<{ job: string; outcome: JobOutcome["kind"] }>({
      name: "availability_job_runs_total",
      help: "Runs of jobs that ended in this process, by outcome",
    }),
  };
}

/** The service's current state. */
interface ServiceState {
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
export function serviceFamilies({ version, startedAt, health }: ServiceState): Family[] {
  return [
    familyOf("process_start_time_seconds", "When the process started, in Unix seconds", [
      { value: startedAt / 1_000 },
    ]),
    familyOf("availability_build_info", "The version", [{ value: 1, labels: { version } }]),
    familyOf(
      "availability_upstream_failing",
      "1 where an outside system failed when it was last asked",
      Object.entries(health.checks()).map(([system, state]) => (
        { value: state === "failing" ? 1 : 0, labels: { system } }
      )),
    ),
    familyOf(
      "availability_registry_cooling_seconds",
      "For RDAP and WHOIS servers in a cooldown or failing: how much of the cooldown is left",
      health.registries().filter(({ kind }) => kind === "rdap" || kind === "whois")
        .map(({ host, leftMs }) => ({ value: leftMs / 1_000, labels: { host } })),
    ),
    familyOf(
      "availability_canary_state",
      "1 for the result of a TLD's last canary test; only passed lets names be available",
      health.canaries().map(({ tld, state }) => ({ value: 1, labels: { tld, result: state } })),
    ),
    familyOf("availability_limiter_alone", "1 while the rate limiter cannot reach KV", [
      { value: health.limiter() === "alone" ? 1 : 0 },
    ]),
    familyOf(
      "availability_job_last_end_timestamp_seconds",
      "When a job's last run in this process ended",
      Object.entries(health.jobs()).map(([job, { at, outcome }]) => (
        { value: at / 1_000, labels: { job, outcome: outcome.kind } }
      )),
    ),
  ];
}

/** A line of a family. */
interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  /** What follows the family's name. */
  readonly suffix?: string;
}

type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  samples(): Iterable<Sample>;
}

/** A family of what is read at each scrape. */
function familyOf(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: "gauge", samples: () => samples };
}

/** How a family that counts is created. Label values come from closed sets, because each value is a new series. */
type Instrument = Pick<Family, "name" | "help">;

/** Creates a counter, or with type `gauge` a value that goes up and down. */
export function createCounter<Values extends Labels>(
  { type = "counter", ...head }: Instrument & { type?: "counter" | "gauge" },
) {
  const series = createSeries(() => ({ value: 0 }));
  return {
    ...head,
    type,
    samples: series.all,
    add(amount: number, labels: Values): void {
      series.of(labels).value += amount;
    },
  };
}

/** Upper bounds in ms: from a local KV to the longest wait for an answer that is no stream. */
const BOUNDS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000];

/** Creates a histogram: it records durations in ms, which are exported in seconds. */
export function createHistogram<Values extends Labels>(head: Instrument) {
  const bounds = [...BOUNDS, Infinity];
  const series = createSeries(() => ({ counts: bounds.map(() => 0), sum: 0 }));
  return {
    ...head,
    type: "histogram" as const,
    *samples(): Generator<Sample> {
      for (const { labels, counts, sum } of series.all()) {
        let value = 0;
        for (const [place, bound] of bounds.entries()) {
          value += counts[place]!;
          const le = bound === Infinity ? "+Inf" : `${bound / 1_000}`;
          yield { suffix: "_bucket", labels: { ...labels, le }, value };
        }
        yield { suffix: "_sum", labels, value: sum / 1_000 };
        yield { suffix: "_count", labels, value };
      }
    },
    observe(ms: number, labels: Values): void {
      const one = series.of(labels);
      one.counts[bounds.findIndex((bound) => ms <= bound)]!++;
      one.sum += ms;
    },
  };
}

/** The data of a family by its labels, which come in one order, and none of whose values has a line feed. */
function createSeries<Data extends object>(zero: () => Data) {
  const all = new Map<string, Data & { readonly labels: Labels }>();
  return {
    all: () => all.values(),
    of(labels: Labels): Data {
      const key = Object.values(labels).join("\n");
      let one = all.get(key);
      if (one === undefined) all.set(key, one = { ...zero(), labels });
      return one;
    },
  };
}

/** Formats families, each with HELP and TYPE before its samples. */
export function formatMetrics(families: Iterable<Family>): string {
  let text = "";
  for (const { name, help, type, samples } of families) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const { suffix = "", labels = {}, value } of samples()) {
      const pairs = Object.entries(labels).map(([label, of]) => `${label}="${escapeValue(of)}"`);
      text += `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
    }
  }
  return text;
}

function escapeValue(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
