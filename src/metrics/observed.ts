/** Wrappers that count results and times of functions, and change nothing else. */
import type { Clock } from "../flow/clock.ts";
import type { QueueObserver } from "../flow/upstream_host.ts";
import type { Report } from "../flow/report.ts";
import type { EnsDetails, EnsLookups } from "../lookup/ens_lookups.ts";
import type { DnsAnswer, RdapAnswer, WhoisText } from "../rules/answer.ts";
import type { WhoisServer } from "../rules/tables/whois_servers.ts";
import type { Decision } from "../rate_limit/limiter.ts";
import type { RateLimiter } from "../rate_limit/limiter.ts";
import type { Reply } from "../sources/http.ts";
import type { GuardedKv } from "../store/guarded_kv.ts";
import type { Kv } from "../store/open_kv.ts";
import type { Metrics } from "./metrics.ts";

/** Statuses that are counted by themselves; any other is counted by its class, as an upstream may send hundreds. */
const STATUSES = [200, 304, 400, 401, 403, 404, 429, 500, 502, 503, 504];

/** A guarded GET or POST, counted by the host of its URL: upstreams come from tables and the configuration. */
export function observedRequests<Options>(
  request: (url: string, options: Options) => Promise<Reply>,
  { upstreams, upstreamTime }: Pick<Metrics, "upstreams" | "upstreamTime">,
  monotonic: Clock["monotonic"],
): (url: string, options: Options) => Promise<Reply> {
  return async (url, options) => {
    const startedAt = monotonic();
    const reply = await request(url, options);
    const { host } = new URL(url);
    upstreams.add(1, host, reply.kind === "reply" ? statusText(reply.status) : reply.fault);
    upstreamTime.observe(monotonic() - startedAt, host);
    return reply;
  };
}

function statusText(status: number): string {
  return STATUSES.includes(status) ? `${status}` : `${Math.floor(status / 100)}xx`;
}

/** Counts what waits in the queues of hosts, and for how long. */
export function observeQueues(
  { gateWait, gateQueue, gateRejected }: Pick<Metrics, "gateWait" | "gateQueue" | "gateRejected">,
): QueueObserver {
  return {
    queued: (host, change) => gateQueue.add(change, host),
    waited: (host, ms) => gateWait.observe(ms, host),
    rejected: (host) => gateRejected.add(1, host),
  };
}

/** `Deno.resolveDns` or a stand-in, with results and times counted. */
export function observedResolver<Args extends unknown[]>(
  resolve: (...args: Args) => Promise<string[]>,
  { dns, dnsTime }: Pick<Metrics, "dns" | "dnsTime">,
  monotonic: Clock["monotonic"],
): (...args: Args) => Promise<string[]> {
  return async (...args) => {
    const startedAt = monotonic();
    let result: DnsAnswer["kind"] = "failed";
    try {
      const found = await resolve(...args);
      result = found.length > 0 ? "delegated" : "none";
      return found;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) result = "none";
      throw error;
    } finally {
      dns.add(1, result);
      dnsTime.observe(monotonic() - startedAt);
    }
  };
}

/** Requests to registries, counted by host and result. */
export function observedRegistry<Args extends unknown[]>(
  ask: (base: string, ...args: Args) => Promise<RdapAnswer>,
  { registries }: Pick<Metrics, "registries">,
): (base: string, ...args: Args) => Promise<RdapAnswer> {
  return async (base, ...args) => {
    const answer = await ask(base, ...args);
    registries.add(1, new URL(base).host, answer.kind === "failed" ? answer.fault : answer.kind);
    return answer;
  };
}

/** Queries to WHOIS servers, counted by the server's host. */
export function observedWhois(
  query: (server: WhoisServer, domain: string) => Promise<WhoisText>,
  { upstreams, upstreamTime }: Pick<Metrics, "upstreams" | "upstreamTime">,
  monotonic: Clock["monotonic"],
): (server: WhoisServer, domain: string) => Promise<WhoisText> {
  return async (server, domain) => {
    const startedAt = monotonic();
    const reply = await query(server, domain);
    upstreams.add(1, server.host, reply.kind === "text" ? "text" : reply.fault);
    upstreamTime.observe(monotonic() - startedAt, server.host);
    return reply;
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

/** The limiter's decisions; a claim of no slots is not counted. */
export function observedAdmit(
  admit: RateLimiter["admit"],
  { limiter, limiterTime }: Pick<Metrics, "limiter" | "limiterTime">,
  monotonic: Clock["monotonic"],
): RateLimiter["admit"] {
  function count(decision: Decision, ms: number): Decision {
    limiter.add(1, decision.kind);
    limiterTime.observe(ms);
    return decision;
  }

  return (subject, limit, cost) => {
    const decision = admit(subject, limit, cost);
    if (cost === 0) return decision;
    if (!(decision instanceof Promise)) return count(decision, 0);
    const startedAt = monotonic();
    return decision.then((decision) => count(decision, monotonic() - startedAt));
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

interface FallbackTime {
  report: Report;
  /** In ms, the current time on the fallback included. */
  totalMs(): number;
}

/** How long the rate limiter has been on its fallback: passes reports on, and measures from `limits.alone` to `limits.shared`. */
export function measureFallbackTime(
  report: Report,
  monotonic: Clock["monotonic"],
): FallbackTime {
  let endedMs = 0;
  let since: number | undefined;
  return {
    report(event, fields) {
      if (event === "limits.alone") since ??= monotonic();
      if (event === "limits.shared" && since !== undefined) {
        endedMs += monotonic() - since;
        since = undefined;
      }
      report(event, fields);
    },
    totalMs: () => endedMs + (since === undefined ? 0 : monotonic() - since),
  };
}
