/** The delegation check: whether DNS has name servers for a domain; and the TXT records by which its holder offers it. */
import type { Clock } from "../flow/clock.ts";
import type { Gate, WaitOptions } from "../flow/queue/gate.ts";
import { startTimeLimit } from "../flow/time_limit.ts";
import type { UpstreamHost } from "../flow/upstream_host.ts";
import type { DnsAnswer } from "../rules/answer.ts";
import { FOR_SALE_LABEL, type TxtRecord } from "../rules/readers/for_sale.ts";
import { quoteText } from "../rules/readers/statements.ts";

/** The part of `Deno.resolveDns` that is used. */
export type ResolveNs = (
  query: string,
  recordType: "NS",
  options: Deno.ResolveDnsOptions,
) => Promise<string[]>;

/** The same for TXT records; each character of a string is one octet (measured). */
export type ResolveTxt = (
  query: string,
  recordType: "TXT",
  options: Deno.ResolveDnsOptions,
) => Promise<string[][]>;

/** Checks whether `domain` is delegated. */
export type CheckDelegation = (domain: string, wait?: WaitOptions) => Promise<DnsAnswer>;

/** The queue of the resolver in its gate. */
const DNS_QUEUE = "dns";
/** The error for an A-label that cannot be decoded: Deno sends no query then (measured). */
const INVALID_LABEL = /Label contains invalid characters/;
const INVALID: DnsAnswer = {
  kind: "failed",
  fault: "invalid",
  why: "it cannot resolve such a name",
};
/** Deno sends two queries within two seconds (measured); without a signal it waits for fifteen. */
const DEADLINE_MS = 2_000;
/** The name servers that an answer quotes; more than these do not fit into 200 characters. */
const MAX_QUOTED = 16;

/**
 * Creates the check. Deno gives the same NotFound for NXDOMAIN, NODATA, SERVFAIL and REFUSED, so only an answer with name
 * servers proves anything.
 */
export function createDelegationCheck(
  { resolveNs, nameServer, gate, stop, now }: {
    resolveNs: ResolveNs;
    /** Unset: the system's resolver. */
    nameServer?: { ipAddr: string; port: number };
    gate: Gate;
    stop: AbortSignal;
    now: () => number;
  },
): CheckDelegation {
  async function ask(domain: string): Promise<DnsAnswer> {
    const askedAt = now();
    using limit = startTimeLimit(DEADLINE_MS, [stop]);
    try {
      // With a trailing dot the resolver does not try the host's search domains.
      const found = await resolveNs(`${domain}.`, "NS", {
        signal: limit.signal,
        ...(nameServer && { nameServer }),
      });
      return found.length > 0
        ? { kind: "delegated", askedAt, said: quoteServers(found) }
        : { kind: "none", askedAt };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { kind: "none", askedAt };
      if (INVALID_LABEL.test(String(error))) return INVALID;
      const late = limit.isOver() || error instanceof Deno.errors.TimedOut;
      const why = late ? "it did not answer in time" : "the look-up failed";
      return { kind: "failed", fault: "down", why };
    }
  }

  return async (domain, wait) => {
    const passed = await gate.run(DNS_QUEUE, () => ask(domain), wait);
    if (passed.kind === "ran") return passed.value;
    return { kind: "failed", fault: "unasked", why: "too many look-ups are queued" };
  };
}

/** Records what answers say about their resolver: a question that was not sent says nothing. */
export function notingAnswers(
  ask: CheckDelegation,
  resolver: Pick<UpstreamHost, "note">,
): CheckDelegation {
  return async (domain, wait) => {
    const answer = await ask(domain, wait);
    if (answer.kind !== "failed") resolver.note({ kind: "ok" });
    else if (answer.fault === "down") resolver.note({ kind: "down", why: answer.why });
    return answer;
  };
}

/** The records by which a holder offers a name for sale, none of them if there is no offer. */
export interface ForSaleAnswer {
  readonly records: readonly TxtRecord[];
  /** When the query was sent, in ms since 1970. */
  readonly askedAt: number;
  /** The time of the exchange. */
  readonly ms: number;
  /** `failed`: DNS did not answer; `unasked`: too many questions are queued. */
  readonly outcome: "answered" | "failed" | "unasked";
}

/** The queue of these questions: the holder's name servers decide how long one takes, so no other question waits behind it. */
export const FOR_SALE_QUEUE = "for_sale";

/** How long an answer is kept, in ms, by its outcome: no verdict depends on it. */
export const FOR_SALE_LIFETIMES_MS: Readonly<Record<ForSaleAnswer["outcome"], number>> = {
  answered: 5 * 60_000,
  failed: 60_000,
  unasked: 0,
};

/** Creates the question for the records below `_for-sale` of a domain. */
export function createForSaleQuestion(
  { resolveTxt, nameServer, gate, stop, now, monotonic }: {
    resolveTxt: ResolveTxt;
    /** Unset: the system's resolver. */
    nameServer?: { ipAddr: string; port: number };
    gate: Gate;
    stop: AbortSignal;
  } & Clock,
): (domain: string, wait?: WaitOptions) => Promise<ForSaleAnswer> {
  async function ask(domain: string): Promise<ForSaleAnswer> {
    const askedAt = now();
    const startedAt = monotonic();
    const answered = (outcome: "answered" | "failed", records: readonly TxtRecord[] = []) => ({
      records,
      askedAt,
      ms: Math.round(monotonic() - startedAt),
      outcome,
    });
    using limit = startTimeLimit(DEADLINE_MS, [stop]);
    try {
      const records = await resolveTxt(`${FOR_SALE_LABEL}.${domain}.`, "TXT", {
        signal: limit.signal,
        ...(nameServer && { nameServer }),
      });
      return answered("answered", records);
    } catch (error) {
      return answered(error instanceof Deno.errors.NotFound ? "answered" : "failed");
    }
  }

  return async (domain, wait) => {
    const passed = await gate.run(FOR_SALE_QUEUE, () => ask(domain), wait);
    if (passed.kind === "ran") return passed.value;
    return { records: [], askedAt: now(), ms: 0, outcome: "unasked" };
  };
}

/** The name servers, without their last dots. */
function quoteServers(found: readonly string[]): string {
  return quoteText(found.slice(0, MAX_QUOTED).map((host) => host.replace(/\.$/, "")).join(", "));
}
