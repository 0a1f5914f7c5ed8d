/**
 * What the service counts. Labels are values of closed sets and of tables, never a name that is checked.
 *
 * The hosts of upstreams report what happens at them; wrappers count KV, limiter and jobs where they are wired. What is a state and no count is read at each scrape (`service_state.ts`).
 */
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsProfileAnswer } from "../lookup/ens_lookups.ts";
import type { Outcome } from "../flow/upstream_host.ts";
import type { Canary } from "../rules/answer.ts";
import type { Outcome as JobOutcome } from "../rules/job_outcome.ts";
import type { State, UnknownCause } from "../rules/verdict.ts";
import { createCounter, createHistogram } from "./instruments.ts";

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
        "Time that requests waited in a host's queue; host dns: the resolver, for_sale: questions for offers",
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
