/** The answers of DNS, registries and Ethereum as closed unions; `verdict.ts` decides on them. */
import type { RecordsProblem, Registration } from "./ens.ts";
import type { RegistryDetails } from "./readers/registry_details.ts";
import type { Statement } from "./readers/statements.ts";
import type { Template } from "./readers/templates.ts";

/** The text of a published file, or why it could not be fetched. */
export type FileAnswer = { kind: "read"; text: string } | { kind: "failed"; reason: string };

/**
 * The result of the delegation check. Only `delegated` is proof.
 *
 * `said`, here and below: the witness's own words, cleaned, at most 200 characters; absent if there are none.
 */
export type DnsAnswer =
  /** `askedAt`, here and below: when the question was sent, in ms since 1970. `said`: the name servers. */
  | { kind: "delegated"; askedAt: number; said?: string }
  /** The resolver answered without name servers: NXDOMAIN, NODATA, SERVFAIL and REFUSED look alike (measured). */
  | { kind: "none"; askedAt: number }
  /** No answer, or the resolver does not show names known to be delegated. */
  | { kind: "failed"; fault: DnsFault; why: string; retryAfterMs?: number };

/**
 * `down`: the resolver did not answer, or was unreachable; `blind`: it does not show names that a registry has just confirmed
 * as registered. No query was sent: the queue is full (`unasked`), or Deno cannot decode the A-label (`invalid`).
 */
export type DnsFault = "down" | "blind" | "unasked" | "invalid";

/**
 * Why an answer over WHOIS cannot be used. `limited`: the server refused the query, or asked for fewer; `down`: no answer, or a
 * server error; `unclear`: an answer that no rule reads.
 */
export type WhoisFault = "limited" | "down" | "unclear";

/** The same over RDAP; `unasked`: no request was sent, as the host is in cooldown, or the queue is full. */
export type RdapFault = WhoisFault | "unasked";

/** The answer of the TLD's own registry. */
export type RdapAnswer =
  | { kind: "registered"; askedAt: number; details: RegistryDetails; said?: string }
  /** A well-formed 404: JSON with `errorCode` 404, or Verisign's empty one; `statements` are its texts. */
  | { kind: "notFound"; askedAt: number; statements: readonly Statement[]; said?: string }
  | { kind: "failed"; fault: RdapFault; why: string; retryAfterMs?: number; said?: string };

/** What a 404 says beyond the same registry's 404 for a made-up name. */
export type Notice =
  | { kind: "plain" }
  | { kind: "premium" }
  /** The name is reserved, blocked or restricted; `words` quotes the registry. */
  | { kind: "reserved"; words: string }
  /** Text that no row of `notices.ts` matches. */
  | { kind: "unread"; words: string };

/**
 * The result of the test of a registry's server: whether its denials can be trusted; its records can be, unless it has one of a
 * made-up name.
 */
export type Canary = TestResult & {
  /** In ms since 1970; absent where none was made. */
  readonly testedAt?: number;
};

type TestResult =
  | {
    kind: "passed";
    /** A label that DNS showed as delegated and the registry as registered. */
    witness: string;
    /** The server's denials of random names, the latest first. */
    templates: readonly Template[];
  }
  | {
    kind: "failed";
    why: string;
    /** Whether the registry has a record of a made-up name; absent if not. */
    confirmsMadeUp?: true;
  }
  /** The test found out nothing; `retryAfterMs`: because of a pause of the server that is over then. */
  | {
    kind: "undecided";
    why: string;
    fault?: TestFault | undefined;
    retryAfterMs?: number | undefined;
  };

/** `unreachable`: no connection was made; `refused`: the server refuses us; `unsent`: we did not ask; absent: anything else. */
export type TestFault = "unreachable" | "refused" | "unsent";

/** What the TLD's own rules say about a label. */
export type LabelPolicy =
  | { kind: "allowed" }
  /** The registry does not sell such labels; `rule` is one sentence for people. */
  | { kind: "forbidden"; rule: string }
  /** The registry's rule is not known, or does not settle the label. */
  | { kind: "unknown"; why: string; isJustDropped?: true };

/** A rule that speaks against a label, or leaves it open, as that of a TLD that sells names at the third level only. */
export type RestrictingRule = Exclude<LabelPolicy, { kind: "allowed" }>;

/**
 * The answer of a TLD's WHOIS server. Port 43 is plain text that can be forged on its way: "no such name" proves
 * nothing, and what it says can only take `available` away or confirm a registration.
 */
export type WhoisAnswer = Heard & WhoisWord;

/** The host that was asked and its own words, as far as they are known. */
interface Heard {
  host?: string;
  said?: string;
}

type WhoisWord =
  /**
   * A record of exactly this name, and what it says of the registration; `test`: that of the server, where it has not passed, so
   * that the record proves nothing.
   */
  | {
    kind: "registered";
    askedAt: number;
    test?: "failed" | "undecided";
    details?: RegistryDetails;
  }
  /** The server's usual text for a name that does not exist; `rule`: that for the label, unless it is allowed. */
  | { kind: "notFound"; askedAt: number; rule?: RestrictingRule }
  /** The name is reserved, blocked or auctioned; `words` quotes the server. */
  | { kind: "reserved"; askedAt: number; words: string }
  | { kind: "premium"; askedAt: number }
  /** Another text than for a random name, which no rule reads; `words` quotes what differs. */
  | { kind: "unread"; askedAt: number; words: string }
  /** No answer, or a refusal of the query. */
  | { kind: "failed"; fault: WhoisFault; why: string }
  /**
   * The same of a server whose word is needed, or it was not asked because of its queue or a pause; `isRegistrarEnough`: a
   * registrar's yes stands in for it.
   */
  | {
    kind: "missing";
    fault: WhoisFault | "unasked";
    retryAfterMs: number;
    isRegistrarEnough?: true | undefined;
  }
  /** A server whose word would be needed is not in service, so the verdict goes without it. */
  | { kind: "absent"; why: string };

/** A WHOIS server's text and when its query was sent (ms since 1970), or why there is none. */
export type WhoisText = { kind: "text"; text: string; askedAt: number } | WhoisFailure;

/** A query without an answer that can be read. */
export interface WhoisFailure {
  readonly kind: "failed";
  readonly fault: WhoisFault;
  readonly why: string;
  /** Where no connection was made, or the server closed it without an answer, as it may do to refuse. */
  readonly testFault?: TestFault;
}

/** What a registrar asks for a name. */
export interface Offer {
  /** The registrar's name, as people know it. */
  readonly registrar: string;
  /** For the shortest term, in US dollars. */
  readonly price: number;
  /** For each further year, in US dollars. */
  readonly renewal?: number;
  /** Absent if the registrar does not tell. */
  readonly premium?: boolean;
  /** The shortest term that the registrar sells, in years; absent if it does not tell. */
  readonly years?: number;
}

/** The answer of a registrar's API. */
export type RegistrarAnswer = Heard & RegistrarWord;

type RegistrarWord =
  | { kind: "sells"; askedAt: number; offer: Offer }
  /** The name has a premium price, which the registrar's API does not tell. */
  | { kind: "premium"; askedAt: number; registrar: string }
  /** The registrar sells names of the TLD, but not this one, and does not say why. */
  | { kind: "refuses"; askedAt: number; registrar: string }
  /** It has not answered yet. */
  | { kind: "missing"; registrar: string }
  /** No answer, or the registrar does not sell names of the TLD. */
  | { kind: "failed"; registrar: string; why: string };

/** What the ENS registrar's contracts returned for a .eth name. */
export type RegistrationAnswer =
  | { kind: "registration"; registration: Registration }
  /** No node answered. */
  | { kind: "failed"; why: string };

/** The registration of a .eth name, with its resolver's records. */
export type ProfileAnswer =
  | {
    kind: "profile";
    registration: Registration;
    /** The resolver, which may be a wildcard's. */
    resolver?: string;
    address?: string;
    records: EnsRecords;
    /** Why the records could not be read; they are then empty, which proves nothing. */
    problem?: RecordsProblem;
  }
  | { kind: "failed"; why: string };

/**
 * The records of a .eth name, written by its owner and sanitised; "" where there is none. `contenthash` is a URI, or the raw
 * bytes if the codec is unknown.
 */
export type EnsRecords = Readonly<
  Record<"avatar" | "url" | "description" | "twitter" | "github" | "email" | "contenthash", string>
>;
