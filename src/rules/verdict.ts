/**
 * The verdict on a domain, as one pure function over closed unions. Every union is read by an exhaustive `switch`: a
 * member without a branch does not compile, and `available` is returned in one place only.
 */
import type { Canary, DnsAnswer, LabelPolicy, Notice, RdapAnswer, RdapFault } from "./answer.ts";

/** The words of a result's `status` (the vocabulary of Domainr; `inactive` means available for registration). */
export const STATUSES = ["unknown", "undelegated", "inactive", "active", "premium"] as const;

/** A word of `STATUSES`. */
export type Status = typeof STATUSES[number];

/** A verdict in one word; `reserved`: the registry registers the name for no one. */
export const STATES = ["available", "premium", "reserved", "taken", "unknown"] as const;

/** A word of `STATES`. */
export type State = typeof STATES[number];

/** Why a verdict is unknown, in one word: for counting, where `error` is for people. */
export type UnknownCause =
  /** No RDAP server is known for the TLD. */
  | "unlisted"
  /** The registry was asked and gave nothing usable, or was not asked: `RdapFault` says which. */
  | `registry_${RdapFault}`
  /** Nothing says why the registry gave nothing. */
  | "registry"
  /** The registry denied the name, and DNS could not confirm. */
  | "dns"
  /** The registry denied the name, and its 404s cannot be trusted: `Canary` says why. */
  | `canary_${Exclude<Canary["kind"], "passed">}`
  /** The rules of the TLD for such a label are not known. */
  | "policy"
  /** The 404 said something that could not be read. */
  | "notice"
  /** The registry does not serve the TLD. */
  | "unsupported"
  /** Every client that waited has disconnected. */
  | "cancelled"
  /** A fault of our own. */
  | "internal"
  /** Evidence of another version. */
  | "unreadable";

/** Whether a domain can be registered, and how that is known. */
export interface Verdict {
  readonly available: boolean;
  readonly status: readonly Status[];
  readonly premium: boolean;
  readonly source: "dns" | "rdap";
  /** Why the name cannot be registered although it is not taken: the registry's words, or its rule. */
  readonly reason?: string;
  /** Why the state is unknown; only with status `unknown`. */
  readonly error?: string;
  /** The same in one word. */
  readonly cause?: UnknownCause;
}

/** What the registry's side contributes to a verdict. */
export type RegistryEvidence =
  /** No RDAP server is known for the TLD. */
  | { kind: "unlisted" }
  | Pick<Extract<RdapAnswer, { kind: "registered" }>, "kind">
  | (
    & Pick<Extract<RdapAnswer, { kind: "failed" }>, "kind" | "why">
    & { readonly fault?: RdapFault }
  )
  | Denial;

/** A registry's 404, with all that decides whether it makes the name available. */
export interface Denial {
  readonly kind: "notFound";
  readonly notice: Notice;
  /** Whether this registry's 404s can be trusted. */
  readonly canary: Canary;
  /** Whether the name is on the list of names that registries never sell. */
  readonly reserved: boolean;
  readonly policy: LabelPolicy;
}

/** All that a verdict rests on; the registry is not asked where DNS shows a delegation. */
export type Evidence =
  | { dns: Extract<DnsAnswer, { kind: "delegated" }> }
  | { dns: DnsAnswer; registry: RegistryEvidence };

const MINUTE_MS = 60_000;

const DELEGATED: Verdict = { available: false, status: ["active"], premium: false, source: "dns" };
const REGISTERED = notAvailable(["undelegated", "active"]);
const RESERVED = notAvailable(["undelegated"]);
const AVAILABLE: Verdict = {
  available: true,
  status: ["undelegated", "inactive"],
  premium: false,
  source: "rdap",
};
const PREMIUM: Verdict = {
  ...AVAILABLE,
  status: ["undelegated", "inactive", "premium"],
  premium: true,
};

const UNSUPPORTED = unknown(
  "rdap",
  "unsupported",
  "The RDAP server says that it does not serve this TLD",
);

/** The verdict where the check itself threw. */
export const FAULTY: Verdict = unknown(
  "dns",
  "internal",
  "Internal error while checking this name (logged)",
);

/** The verdict where every client that waited for it has disconnected. */
export const CANCELLED: Verdict = unknown("dns", "cancelled", "Cancelled: the client disconnected");

/** A value outside its union can only come from stored data of another version: it proves nothing. */
const UNREADABLE: Verdict = unknown(
  "rdap",
  "unreadable",
  "The evidence for this name could not be read",
);

/** Decides whether a domain can be registered. */
export function decide(evidence: Evidence): Verdict {
  const { dns } = evidence;
  const registry = "registry" in evidence ? evidence.registry : undefined;
  switch (dns.kind) {
    case "delegated":
      return DELEGATED;
    case "none":
    case "failed":
      return registry === undefined ? UNREADABLE : decideUndelegated(dns, registry);
    default:
      dns satisfies never;
      return UNREADABLE;
  }
}

/** DNS shows no delegation, or has not answered. */
function decideUndelegated(
  dns: Exclude<DnsAnswer, { kind: "delegated" }>,
  registry: RegistryEvidence,
): Verdict {
  switch (registry.kind) {
    case "unlisted":
      return unknown("dns", "unlisted", "No RDAP server is known for this TLD");
    case "registered":
      return REGISTERED;
    case "failed":
      return unknown(
        "rdap",
        registry.fault === undefined ? "registry" : `registry_${registry.fault}`,
        registry.why,
      );
    case "notFound":
      return decideDenied(dns, registry);
    default:
      registry satisfies never;
      return UNREADABLE;
  }
}

/** The registry denies the name: that counts only if DNS was asked and the registry passed its canary test. */
function decideDenied(
  dns: Exclude<DnsAnswer, { kind: "delegated" }>,
  denial: Denial,
): Verdict {
  const { notice } = denial;
  if (notice.kind === "unsupported") return UNSUPPORTED;
  // Not `=== "failed"`: an answer of any kind but "none" must confirm nothing.
  if (dns.kind !== "none") {
    return unknown(
      "rdap",
      "dns",
      `The registry knows no such name, but DNS could not confirm: ${dns.why}`,
    );
  }
  switch (denial.canary.kind) {
    case "failed":
    case "doubted":
    case "undecided":
      return unknown("rdap", `canary_${denial.canary.kind}`, denial.canary.why);
    case "passed":
      return decideTrusted(notice, denial);
    default:
      denial.canary satisfies never;
      return UNREADABLE;
  }
}

/** A 404 that can be trusted: the name is not registered, but can it be? */
function decideTrusted(
  notice: Exclude<Notice, { kind: "unsupported" }>,
  { reserved, policy }: Denial,
): Verdict {
  if (reserved) return { ...RESERVED, reason: "Registries keep this name back" };
  switch (policy.kind) {
    case "forbidden":
      return { ...RESERVED, reason: policy.rule };
    case "unknown":
      return notice.kind === "reserved"
        ? reservedBy(notice.words)
        : unknown("rdap", "policy", policy.why);
    case "allowed":
      break;
    default:
      policy satisfies never;
      return UNREADABLE;
  }
  switch (notice.kind) {
    case "reserved":
      return reservedBy(notice.words);
    case "unread":
      return unknown(
        "rdap",
        "notice",
        `The registry's "not found" says more than usual, and it is not known what it means: "${notice.words}"`,
      );
    case "premium":
      return PREMIUM;
    case "plain":
      return AVAILABLE;
    default:
      notice satisfies never;
      return UNREADABLE;
  }
}

/** The verdict in one word. */
export function stateOf({ available, premium, status }: Omit<Verdict, "source">): State {
  if (status.includes("unknown")) return "unknown";
  if (available) return premium ? "premium" : "available";
  return status.includes("active") ? "taken" : "reserved";
}

/** The verdict of a state that is kept, without its reason; undefined for `unknown`, which is not. */
export function verdictOf(state: State, source: Verdict["source"]): Verdict | undefined {
  switch (state) {
    case "available":
      return AVAILABLE;
    case "premium":
      return PREMIUM;
    case "reserved":
      return RESERVED;
    case "taken":
      return source === "dns" ? DELEGATED : REGISTERED;
    case "unknown":
      return undefined;
    default:
      state satisfies never;
      return undefined;
  }
}

/** How long a verdict may be answered from the cache, in ms; 0 for `unknown`: a failure is no fact. */
export function lifetimeMs(verdict: Verdict): number {
  const state = stateOf(verdict);
  switch (state) {
    case "available":
    case "premium":
      return 5 * MINUTE_MS;
    case "taken":
      return 60 * MINUTE_MS;
    case "reserved":
      return 24 * 60 * MINUTE_MS;
    case "unknown":
      return 0;
  }
}

function reservedBy(words: string): Verdict {
  return { ...RESERVED, reason: `The registry says: "${words}"` };
}

function notAvailable(status: readonly Status[]): Verdict {
  return { available: false, status, premium: false, source: "rdap" };
}

function unknown(source: "dns" | "rdap", cause: UnknownCause, error: string): Verdict {
  return { available: false, status: ["unknown"], premium: false, source, error, cause };
}
