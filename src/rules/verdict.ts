/** The law of the house: never wrongly available. One pure function over closed unions. */
import type { Canary, DnsAnswer, RdapAnswer } from "./answer.ts";

/** The words of a result's `status` (the vocabulary of Domainr; `inactive` means available for registration). */
export const STATUSES = ["unknown", "undelegated", "inactive", "active", "premium"] as const;

/** A word of `STATUSES`. */
export type Status = typeof STATUSES[number];

/** Whether a domain can be registered, and how that is known. */
export interface Verdict {
  readonly available: boolean;
  readonly status: readonly Status[];
  readonly premium: boolean;
  readonly source: "dns" | "rdap";
  /** Why nothing is known; only with status `unknown`. */
  readonly error?: string;
}

/** All that a verdict may rest on. */
export interface Evidence {
  dns: DnsAnswer;
  /** Absent where DNS showed a delegation, or where no registry is known for the TLD. */
  rdap?: RdapAnswer;
  /** Whether that registry's 404s may be believed; only asked for where it answered 404. */
  canary?: Canary;
  /** Whether the name is on the list of names that a registry never sells. */
  reserved: boolean;
  /** Whether it stands for one that no registry may hold; only asked where the registry answered 404. */
  impossible?: boolean;
}

const MINUTE_MS = 60_000;

const DELEGATED: Verdict = { available: false, status: ["active"], premium: false, source: "dns" };
const REGISTERED = taken(["undelegated", "active"]);
const RESERVED = taken(["undelegated"]);
const FREE: Verdict = {
  available: true,
  status: ["undelegated", "inactive"],
  premium: false,
  source: "rdap",
};
const PREMIUM: Verdict = { ...FREE, status: ["undelegated", "inactive", "premium"], premium: true };

/** What is told of a domain whose check ran into a fault of our own. */
export const FAULTY: Verdict = unknown(
  "dns",
  "The service failed at this name; the fault is logged",
);

/** What is told of a domain that nobody waited for any more before it was looked into to the end. */
export const ABANDONED: Verdict = unknown("dns", "Nobody waited for the answer");

/** Decides what is known of a domain (contract: when is a domain available?). */
export function decide({ dns, rdap, canary, reserved, impossible }: Evidence): Verdict {
  if (dns.kind === "delegated") return DELEGATED;
  if (rdap === undefined) return unknown("dns", "No RDAP server is known for this TLD");
  if (rdap.kind === "registered") return REGISTERED;
  if (rdap.kind === "failed") return unknown("rdap", rdap.why);
  if (rdap.notice === "unsupported") {
    return unknown("rdap", "The RDAP server says that it does not serve this TLD");
  }
  if (dns.kind === "failed") {
    return unknown(
      "rdap",
      `The registry knows no such name, but DNS could not confirm: ${dns.why}`,
    );
  }
  if (canary?.kind !== "passed") {
    return unknown("rdap", canary?.why ?? "The registry's answers have not been tested yet");
  }
  if (reserved || rdap.notice === "reserved") return RESERVED;
  if (impossible) {
    return unknown("rdap", "No registry may hold this name: it is no valid IDN (RFC 5891)");
  }
  return rdap.notice === "premium" ? PREMIUM : FREE;
}

/** How long a verdict may be answered from the cache, in ms; 0 for what is unknown: a failure is no fact. */
export function lifetimeMs({ available, status }: Verdict): number {
  if (available) return 5 * MINUTE_MS;
  if (status.includes("unknown")) return 0;
  return status.includes("active") ? 60 * MINUTE_MS : 24 * 60 * MINUTE_MS;
}

function taken(status: readonly Status[]): Verdict {
  return { available: false, status, premium: false, source: "rdap" };
}

function unknown(source: "dns" | "rdap", error: string): Verdict {
  return { available: false, status: ["unknown"], premium: false, source, error };
}
