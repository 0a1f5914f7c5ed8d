/** The words in which adapters report what they found; `verdict.ts` decides on them. */
import type { Registration } from "./ens.ts";

/** What the delegation check found. Only `delegated` proves anything. */
export type DnsAnswer =
  | { kind: "delegated" }
  /** The resolver answered without name servers: NXDOMAIN, NODATA, SERVFAIL and REFUSED look alike (measured). */
  | { kind: "none" }
  /** No answer at all, so no delegation check took place. */
  | { kind: "failed"; fault: DnsFault; why: string };

/** Why DNS did not answer, which decides whether that says anything of DNS. */
export type DnsFault =
  /** It was asked and did not answer, or could not be reached. */
  | "down"
  /** It was not asked: too many wait for it, or the name cannot be put into a question. */
  | "unasked";

/** What the registry's words in a 404 mean. */
export type Notice =
  | "plain"
  | "premium"
  | "reserved"
  /** The registry says that it does not serve the TLD: its 404 means nothing. */
  | "unsupported";

/** Why a registry's answer cannot be used, which decides how it is treated from then on. */
export type RdapFault =
  /** It told us to slow down. */
  | "limited"
  /** It did not answer, or answered with its own fault. */
  | "down"
  /** It answered something that is neither a registration nor a clean 404. */
  | "unclear"
  /** It was not asked: it is cooling down, or too many wait for it. */
  | "unasked";

/** What the TLD's own registry said. */
export type RdapAnswer =
  | { kind: "registered" }
  /** A clean 404 (contract: JSON with `errorCode` 404, or Verisign's empty one); `words` is what it said. */
  | { kind: "notFound"; notice: Notice; words: string }
  | { kind: "failed"; fault: RdapFault; why: string; retryAfterMs?: number };

/** Whether the 404s of a TLD's RDAP base may be believed. */
export type Canary =
  | { kind: "passed" }
  | { kind: "failed"; why: string }
  /** The test could not be made, so nothing is known. */
  | { kind: "undecided"; why: string };

/** What the registrar's contracts said of a .eth name. */
export type RegistrationAnswer =
  | { kind: "registration"; registration: Registration }
  /** No node answered. */
  | { kind: "failed"; why: string };

/** The same, with what its resolver keeps. */
export type ProfileAnswer =
  | {
    kind: "profile";
    registration: Registration;
    /** The resolver in charge, also that of a wildcard. */
    resolver?: string;
    address?: string;
    records: EnsRecords;
    /** Why the records could not be had; they are empty then, which proves nothing. */
    problem?: string;
  }
  | { kind: "failed"; why: string };

/** The records of a .eth name; "" where there is none. Harmless to show, but anybody's words. */
export interface EnsRecords {
  readonly avatar: string;
  readonly url: string;
  readonly description: string;
  readonly twitter: string;
  readonly github: string;
  readonly email: string;
  /** A URI, or the raw bytes of a codec that is not known. */
  readonly contenthash: string;
}
