/** The delegation check: whether DNS has name servers for a domain; and the TXT records by which its holder offers it. */
import type { Clock } from "../flow/process.ts";
import { startTimeLimit } from "../flow/deadline.ts";
import type { Outcome } from "../flow/host_state.ts";
import type { UpstreamHost, WaitOptions } from "../flow/upstream_host.ts";
import type { DnsAnswer, DnsFault } from "../rules/answer.ts";
import { FOR_SALE_LABEL, type TxtRecord } from "../rules/readers/for_sale.ts";
import { cleanText } from "../rules/readers/statements.ts";

/** The part of `Deno.resolveDns` that is used. */
type Resolve<RecordType, Answer> = (
  query: string,
  recordType: RecordType,
  options: Deno.ResolveDnsOptions,
) => Promise<Answer>;

/** For the name servers of a domain. */
export type ResolveNs = Resolve<"NS", string[]>;

/** For TXT records; each character of a string is one octet (measured). */
export type ResolveTxt = Resolve<"TXT", string[][]>;

/** What both questions need. */
interface ResolverOptions {
  /** Unset: the system's resolver. */
  nameServer?: { ipAddr: string; port: number };
  /** The resolver; for TXT records by a queue of their own: the holder's name servers decide how long one takes. */
  host: Pick<UpstreamHost, "ask">;
  stop: AbortSignal;
  now: () => number;
}

/** The error for an A-label that cannot be decoded: Deno sends no query then (measured). */
const INVALID_LABEL = /Label contains invalid characters/;
/** Deno sends two queries within two seconds (measured); without a signal it waits for fifteen. */
const DEADLINE_MS = 2_000;
/** The name servers that an answer quotes; more than these do not fit into 200 characters. */
const MAX_QUOTED = 16;

/**
 * Creates the check. Deno gives the same NotFound for NXDOMAIN, NODATA, SERVFAIL and REFUSED, so only an answer with name
 * servers proves anything.
 */
export function createDelegationCheck(
  { resolveNs, nameServer, host, stop, now }: ResolverOptions & { resolveNs: ResolveNs },
): (domain: string, wait?: WaitOptions) => Promise<DnsAnswer> {
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
      if (INVALID_LABEL.test(String(error))) {
        return failed("invalid", "it cannot resolve such a name");
      }
      const late = limit.isOver() || error instanceof Deno.errors.TimedOut;
      return failed("down", late ? "it did not answer in time" : "the look-up failed");
    }
  }

  return async (domain, wait) => {
    const asked = await host.ask(() => ask(domain), { outcomeOf, wait });
    if (asked.kind === "answered") return asked.answer;
    const { retryAfterMs } = asked;
    return { ...failed("unasked", "too many look-ups are queued"), retryAfterMs };
  };
}

function failed(fault: DnsFault, why: string): DnsAnswer {
  return { kind: "failed", fault, why };
}

function outcomeOf(answer: DnsAnswer): Outcome {
  if (answer.kind !== "failed") return { kind: "ok" };
  return answer.fault === "down" ? { kind: "down", why: answer.why } : { kind: "unasked" };
}

/** The records by which a holder offers a name for sale, none of them if there is no offer. */
export interface ForSaleAnswer {
  readonly records: readonly TxtRecord[];
  /** When the query was sent, in ms since 1970. */
  readonly askedAt: number;
  /** The time of the exchange. */
  readonly ms: number;
  /** For how long it is kept, in ms; 0 if too many questions are queued. No verdict depends on it. */
  readonly lifetimeMs: number;
}

/** A row does not wait for longer until the question is sent. */
const LONGEST_QUEUE_MS = 4_000;

const ANSWER_LIFETIME_MS = 5 * 60_000;
/** Where DNS does not answer. */
const FAULT_LIFETIME_MS = 60_000;

/** Creates the question for the records below `_for-sale` of a domain. */
export function createForSaleQuestion(
  { resolveTxt, nameServer, host, stop, now, monotonic }: ResolverOptions & Clock & {
    resolveTxt: ResolveTxt;
  },
): (domain: string, wait?: WaitOptions) => Promise<ForSaleAnswer> {
  async function ask(domain: string): Promise<ForSaleAnswer> {
    const askedAt = now();
    const startedAt = monotonic();
    const answered = (lifetimeMs: number, records: readonly TxtRecord[] = []) => ({
      records,
      askedAt,
      ms: Math.round(monotonic() - startedAt),
      lifetimeMs,
    });
    using limit = startTimeLimit(DEADLINE_MS, [stop]);
    try {
      const records = await resolveTxt(`${FOR_SALE_LABEL}.${domain}.`, "TXT", {
        signal: limit.signal,
        ...(nameServer && { nameServer }),
      });
      return answered(ANSWER_LIFETIME_MS, records);
    } catch (error) {
      const isNone = error instanceof Deno.errors.NotFound;
      return answered(isNone ? ANSWER_LIFETIME_MS : FAULT_LIFETIME_MS);
    }
  }

  return async (domain, { signal, ...wait } = {}) => {
    using limit = startTimeLimit(LONGEST_QUEUE_MS, signal === undefined ? [stop] : [signal, stop]);
    const asked = await host.ask(() => ask(domain), {
      outcomeOf: () => ({ kind: "unasked" }),
      wait: { ...wait, signal: limit.signal },
    });
    if (asked.kind === "answered") return asked.answer;
    return { records: [], askedAt: now(), ms: 0, lifetimeMs: 0 };
  };
}

/** The name servers, without their last dots. */
function quoteServers(found: readonly string[]): string {
  return cleanText(found.slice(0, MAX_QUOTED).map((host) => host.replace(/\.$/, "")).join(", "));
}
