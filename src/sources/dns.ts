/** The delegation check: does DNS know name servers for the domain? */
import type { Gate, WaitOptions } from "../flow/gate.ts";
import type { DnsAnswer } from "../rules/answer.ts";

/** `Deno.resolveDns`, as far as it is used. */
export type ResolveNs = (
  query: string,
  recordType: "NS",
  options: Deno.ResolveDnsOptions,
) => Promise<string[]>;

/** Looks for a delegation of `domain`. */
export type CheckDelegation = (domain: string, wait?: WaitOptions) => Promise<DnsAnswer>;

/** What Deno says of an A-label that decodes to nothing; it asks nobody then (measured). */
const UNASKABLE = /Label contains invalid characters/;
/** With a signal Deno tries twice within two seconds (measured); without one it waits for fifteen. */
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
      // The trailing dot keeps the resolver from trying the host's own search domains.
      const found = await resolveNs(`${domain}.`, "NS", {
        signal: AbortSignal.any([timeout.signal, stop]),
        ...(nameServer && { nameServer }),
      });
      return { kind: found.length > 0 ? "delegated" : "none", askedAt };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { kind: "none", askedAt };
      if (UNASKABLE.test(String(error))) return unasked("it cannot be asked for such a name");
      const late = timeout.signal.aborted || error instanceof Deno.errors.TimedOut;
      const why = late ? "it did not answer in time" : "the look-up failed";
      return { kind: "failed", fault: "down", why };
    } finally {
      clearTimeout(timer);
    }
  }

  return async (domain, wait) => {
    const passage = await gate.run("dns", () => ask(domain), wait);
    if (passage.kind === "ran") return passage.value;
    return unasked("too many look-ups are waiting");
  };
}

function unasked(why: string): DnsAnswer {
  return { kind: "failed", fault: "unasked", why };
}
