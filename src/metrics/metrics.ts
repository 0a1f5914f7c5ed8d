/** What the service counts. Labels are values of closed sets and of tables, never a name that is checked. */
import type { EnsProfileAnswer } from "../lookup/ens_lookups.ts";
import type { Canary, RdapAnswer, RdapFault } from "../rules/answer.ts";
import type { Outcome } from "../rules/lease.ts";
import type { State, UnknownCause } from "../rules/verdict.ts";
import { createCounter, createHistogram } from "./instruments.ts";

/** Where a row's verdict comes from. */
export type RowSource = "dns" | "rdap" | "dns+cache" | "rdap+cache";

/** How a registry answered: a kind of answer, or the fault of a failed one. */
export type RegistryResult = Exclude<RdapAnswer["kind"], "failed"> | RdapFault;

/** What was asked of the .eth look-ups, and what came of it. */
export type EnsOperation = "check" | "metadata";
export type EnsResult = "available" | "taken" | EnsProfileAnswer["kind"];

/** The instruments, by what they measure. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the instruments; all begin at nothing. */
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
    answers: createCounter<[state: State, source: RowSource]>({
      name: "availability_answers_total",
      help: "Domains answered, by state and by what decided; +cache: a cached verdict",
      labels: ["state", "source"],
    }),
    unknown: createCounter<[tld: string, reason: UnknownCause]>({
      name: "availability_unknown_total",
      help: "Domains answered unknown, by TLD and reason",
      labels: ["tld", "reason"],
    }),
    ensAnswers: createCounter<
      [operation: EnsOperation, result: EnsResult, source: "rpc" | "rpc+cache" | ""]
    >({
      name: "availability_ens_answers_total",
      help: "Questions about .eth names, by operation, result and source, where that is known",
      labels: ["operation", "result", "source"],
    }),
    upstreams: createCounter<[host: string, result: string]>({
      name: "availability_upstream_requests_total",
      help: "Requests to upstreams, by host and by HTTP status or fault",
      labels: ["host", "result"],
    }),
    upstreamTime: createHistogram<[host: string]>({
      name: "availability_upstream_seconds",
      help: "Time of requests to upstreams, body included",
      labels: ["host"],
    }),
    dns: createCounter<[result: "delegated" | "none" | "failed"]>({
      name: "availability_dns_queries_total",
      help: "Questions to the resolver, by result",
      labels: ["result"],
    }),
    dnsTime: createHistogram<[]>({
      name: "availability_dns_seconds",
      help: "Time of questions to the resolver, waiting for a turn not included",
      labels: [],
    }),
    registries: createCounter<[host: string, result: RegistryResult]>({
      name: "availability_registry_answers_total",
      help: "What registries' answers came to; unasked: the host cools down or its queue is full",
      labels: ["host", "result"],
    }),
    gateWait: createHistogram<[host: string]>({
      name: "availability_gate_wait_seconds",
      help: "Time that questions waited for their turn at a host; host dns: the resolver",
      labels: ["host"],
    }),
    gateQueue: createCounter<[host: string]>({
      name: "availability_gate_queue",
      help: "Questions that wait for their turn at a host now",
      labels: ["host"],
      type: "gauge",
    }),
    gateRejected: createCounter<[host: string]>({
      name: "availability_gate_rejected_total",
      help: "Questions that were not asked: the queue was full, the host began to cool down, or " +
        "every client had disconnected",
      labels: ["host"],
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
    limiterTime: createHistogram<[]>({
      name: "availability_limiter_seconds",
      help: "Time of the rate limiter's decisions, its commit to KV included",
      labels: [],
    }),
    kv: createHistogram<[result: "ok" | "failed" | "skipped"]>({
      name: "availability_kv_seconds",
      help: "Time of KV operations, the limiter's not included; failed: an error or no answer in " +
        "time; skipped: KV was left alone after it had not answered",
      labels: ["result"],
    }),
    jobs: createCounter<[job: string, outcome: Outcome["kind"]]>({
      name: "availability_job_runs_total",
      help: "Runs of jobs that ended in this process, by outcome",
      labels: ["job", "outcome"],
    }),
    jobTime: createHistogram<[job: string]>({
      name: "availability_job_seconds",
      help: "Time of runs of jobs in this process",
      labels: ["job"],
    }),
  };
}
