/** The delegation check: whether DNS has name servers for a domain. */
import type { Gate, WaitOptions } from "../flow/gate.ts";
import type { DnsAnswer } from "../rules/answer.ts";

/** The part of `Deno.resolveDns` that is used. */
export type ResolveNs = (
  query: string,
  recordType: "NS",
  options: Deno.ResolveDnsOptions,
) => Promise<string[]>;

/** Checks whether `domain` is delegated. */
export type CheckDelegation = (domain: string, wait?: WaitOptions) => Promise<DnsAnswer>;

/** The error for an A-label that cannot be decoded: Deno sends no query then (measured). */
const INVALID_LABEL = /Label contains invalid characters/;
const INVALID: DnsAnswer = {
  kind: "failed",
  fault: "invalid",
  why: "it cannot resolve such a name",
};
/** Deno sends two queries within two seconds (measured); without a signal it waits for fifteen. */
const DEADLINE_MS = 2_000;

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
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), DEADLINE_MS);
    try {
      // With a trailing dot the resolver does not try the host's search domains.
      const found = await resolveNs(`${domain}.`, "NS", {
        signal: AbortSignal.any([timeout.signal, stop]),
        ...(nameServer && { nameServer }),
      });
      return { kind: found.length > 0 ? "delegated" : "none", askedAt };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { kind: "none", askedAt };
      if (INVALID_LABEL.test(String(error))) return INVALID;
      const late = timeout.signal.aborted || error instanceof Deno.errors.TimedOut;
      const why = late ? "it did not answer in time" : "the look-up failed";
      return { kind: "failed", fault: "down", why };
    } finally {
      clearTimeout(timer);
    }
  }

  return async (domain, wait) => {
    const passed = await gate.run("dns", () => ask(domain), wait);
    if (passed.kind === "ran") return passed.value;
    return { kind: "failed", fault: "unasked", why: "too many look-ups are queued" };
  };
}
