/** What the outside systems answered, as closed unions; `verdict.ts` decides on them. */
import type { RecordsProblem, Registration } from "./ens.ts";
import type { Statement, Wording } from "./wording.ts";

/** What the delegation check found. Only `delegated` proves anything. */
export type DnsAnswer =
  /** `askedAt`, here and below: when the question was sent, in ms since 1970. */
  | { kind: "delegated"; askedAt: number }
  /** The resolver answered without name servers: NXDOMAIN, NODATA, SERVFAIL and REFUSED look alike (measured). */
  | { kind: "none"; askedAt: number }
  /** No answer, or one from a resolver that does not show names known to be delegated. */
  | { kind: "failed"; fault: DnsFault; why: string };

/** Why DNS did not answer, which decides whether that counts as a fault of DNS. */
export type DnsFault =
  /** It was asked and did not answer, could not be reached, or denies what is delegated. */
  | "down"
  /** It was not asked: the queue is full, or the name cannot be put into a question. */
  | "unasked";

/** Why a registry's answer cannot be used, which decides how its host is treated from then on. */
export type RdapFault =
  /** It asked for fewer requests. */
  | "limited"
  /** It did not answer, or answered with a fault of its own. */
  | "down"
  /** It did not answer, and what it sent instead kept the event loop busy: it is not to be asked again soon. */
  | "stall"
  /** Its answer is neither a registration nor a clean 404. */
  | "unclear"
  /** It was not asked: its host is cooling down, or the queue is full. */
  | "unasked";

/** What the TLD's own registry answered. */
export type RdapAnswer =
  | { kind: "registered"; askedAt: number }
  /** A well-formed 404: JSON with `errorCode` 404, or Verisign's empty one; `said` is all that it says. */
  | { kind: "notFound"; askedAt: number; said: readonly Statement[] }
  | { kind: "failed"; fault: RdapFault; why: string; retryAfterMs?: number };

/** What a 404 says besides what the same registry's 404 for a made-up name says. */
export type Notice =
  | { kind: "plain" }
  | { kind: "premium" }
  /** The name is kept back, blocked or restricted; `words` quotes the registry. */
  | { kind: "reserved"; words: string }
  /** The registry says that it does not serve the TLD: its 404 means nothing. */
  | { kind: "unsupported" }
  /** Words that no row of `notices.ts` explains. */
  | { kind: "unread"; words: string };

/** Whether the 404s of a TLD's RDAP base can be trusted. */
export type Canary =
  | {
    kind: "passed";
    /** A label that DNS showed as delegated and the registry as registered. */
    witness: string;
    /** How the registry words a 404 for a made-up name, newest first. */
    wordings: readonly Wording[];
    /** A label that DNS shows as delegated and the registry denies each time, as many deny `nic`. */
    denies?: string;
  }
  | { kind: "failed"; why: string }
  /** It has just denied a registered name and is being asked again. */
  | { kind: "doubted"; why: string }
  /** The test could not be made, so nothing is known. */
  | { kind: "undecided"; why: string };

/** What the TLD's own rules say of a label. */
export type LabelPolicy =
  | { kind: "allowed" }
  /** The registry sells no such label; `rule` is one sentence for a person. */
  | { kind: "forbidden"; rule: string }
  /** The registry's rule is not known, or the label cannot be judged by it. */
  | { kind: "unknown"; why: string };

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
    problem?: RecordsProblem;
  }
  | { kind: "failed"; why: string };

/** The records of a .eth name; "" where there is none. Harmless to show, and written by the name's owner. */
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
