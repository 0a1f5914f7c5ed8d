/** Wrappers that count results and times of functions, and change nothing else. */
import type { Clock } from "../flow/clock.ts";
import type { HostObserver } from "../flow/upstream_host.ts";
import type { EnsDetails, EnsLookups } from "../lookup/ens_lookups.ts";
import type { Decision } from "../rate_limit/limiter.ts";
import type { RateLimiter } from "../rate_limit/limiter.ts";
import type { GuardedKv } from "../store/guarded_kv.ts";
import type { Kv } from "../store/open_kv.ts";
import type { Metrics } from "./metrics.ts";

/** Counts what the hosts of upstreams are asked, what waits in their queues, and for how long. */
export function observeHosts(
  { upstreams, upstreamTime, gateWait, gateQueue }: Pick<
    Metrics,
    "upstreams" | "upstreamTime" | "gateWait" | "gateQueue"
  >,
): HostObserver {
  return {
    queued: (host, change) => gateQueue.add(change, host),
    waited: (host, ms) => gateWait.observe(ms, host),
    answered: (host, kind) => upstreams.add(1, host, kind),
    took: (host, ms) => upstreamTime.observe(ms, host),
  };
}

/** KV, with the time of its operations and whether they failed. */
export function observedKv(
  kv: GuardedKv,
  { kv: times }: Pick<Metrics, "kv">,
  monotonic: Clock["monotonic"],
): GuardedKv {
  return {
    ...kv,
    async attempt<T, F>(operation: (kv: Kv) => Promise<T>, fallback: F) {
      const startedAt = monotonic();
      let isTried = false;
      const value = await kv.attempt<T, typeof FAILED>(
        (kv) => (isTried = true, operation(kv)),
        FAILED,
      );
      const result = value !== FAILED ? "ok" : isTried ? "failed" : "skipped";
      times.observe(monotonic() - startedAt, result);
      return value === FAILED ? fallback : value;
    },
  };
}

const FAILED = Symbol("failed");

/** The limiter's decisions, counted. */
export function observedAdmit(
  admit: RateLimiter["admit"],
  { limiter }: Pick<Metrics, "limiter">,
): RateLimiter["admit"] {
  function count(decision: Decision): Decision {
    limiter.add(1, decision.kind);
    return decision;
  }

  return (...claim) => {
    const decision = admit(...claim);
    return decision instanceof Promise ? decision.then(count) : count(decision);
  };
}

/** Look-ups of .eth names, counted. */
export function observedEns(
  { check, details, profile }: EnsLookups,
  { ensAnswers }: Pick<Metrics, "ensAnswers">,
): EnsLookups {
  function countCheck(found?: Pick<EnsDetails, "available" | "source">): void {
    const result = found === undefined ? "failed" : found.available ? "available" : "taken";
    ensAnswers.add(1, "check", result, found?.source ?? "");
  }

  return {
    async check(label) {
      const answer = await check(label);
      countCheck(answer.kind === "answered" ? answer.result : undefined);
      return answer;
    },
    async details(label) {
      const answer = await details(label);
      countCheck(answer.kind === "answered" ? answer.details : undefined);
      return answer;
    },
    async profile(label) {
      const answer = await profile(label);
      const source = answer.kind === "answered" ? answer.result.source : "";
      ensAnswers.add(1, "metadata", answer.kind, source);
      return answer;
    },
  };
}
