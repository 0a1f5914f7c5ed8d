/**
 * The verdict on a domain, as one pure function over closed unions. Every union is read by an exhaustive `switch`: a
 * member without a branch does not compile, and `available` is returned in one place only.
 */
import type {
  Canary,
  DnsAnswer,
  LabelPolicy,
  LevelRule,
  Notice,
  Offer,
  RdapAnswer,
  RdapFault,
} from "./answer.ts";

/** The words of a result's `status` (the vocabulary of Domainr; `inactive` means available for registration). */
export const STATUSES = ["unknown", "undelegated", "inactive", "active", "premium"] as const;

/** A word of `STATUSES`. */
export type Status = typeof STATUSES[number];

/** A verdict in one word; `reserved`: the registry does not sell the name. */
export const STATES = ["available", "premium", "reserved", "taken", "unknown"] as const;

/** A word of `STATES`. */
export type State = typeof STATES[number];

/** Why a verdict is unknown, in one word, for metrics; `error` is the text for people. */
export type UnknownCause =
  /** No RDAP server is known for the TLD. */
  | "unlisted"
  /** The registry's answer is missing or unusable; `RdapFault` says why. */
  | `registry_${RdapFault}`
  /** The registry's answer is missing for an unknown reason. */
  | "registry"
  /** DNS did not answer: the registry's 404 is unconfirmed, or only DNS was to be asked. */
  | "dns"
  /** The registry's 404 cannot be trusted, or its record; `Canary` says why. */
  | `canary_${Exclude<Canary["kind"], "passed">}`
  /** Not in DNS, and the client did not want the registry to be asked. */
  | "dns_only"
  /** The TLD's rules for such a label are not known. */
  | "policy"
  /** The name was registered within two days, and its registry may hold deleted names back. */
  | "just_dropped"
  /** The 404 has a text that no phrase matches. */
  | "notice"
  /** The registry does not serve the TLD. */
  | "unsupported"
  /** The registry's RDAP server returned 404, and its WHOIS server has a record of the name. */
  | "whois"
  /** The registry returned 404, and its WHOIS server another text than for a random name. */
  | "whois_unread"
  /** The registry returned 404, and its WHOIS server, which is needed, could not be asked. */
  | "whois_missing"
  /** The registry returned 404, and a registrar does not sell the name. */
  | "registrar"
  /** All waiting clients have disconnected. */
  | "cancelled"
  /** The check itself threw. */
  | "internal"
  /** Stored evidence of another version. */
  | "unreadable";

/**
 * What an unknown name most likely is. `available`: the registry's clean 404 of a name about which a witness that is needed
 * could not be asked; `taken`: a record of exactly the name from a server that has not passed its test.
 */
export const LIKELY = ["available", "taken"] as const;

/** A word of `LIKELY`. */
export type Likely = typeof LIKELY[number];

/** The witness that decided. */
export type Source = "dns" | "rdap" | "whois";

/** Whether a domain can be registered, and how that is known. */
export interface Verdict {
  readonly available: boolean;
  readonly status: readonly Status[];
  readonly premium: boolean;
  readonly source: Source;
  /** Why a name that is not taken cannot be registered: the registry's text, or its rule. */
  readonly reason?: string;
  /** Why the state is unknown; only with status `unknown`. */
  readonly error?: string;
  /** The same in one word. */
  readonly cause?: UnknownCause;
  /** Only with status `unknown`; it is never counted, sorted or shown as available. */
  readonly likely?: Likely;
  /** When the registry may be asked again, in seconds; only where a pause or a queue is the reason. */
  readonly retryAfter?: number;
  /** What a registrar asks for the name; only where one was asked and sells it. */
  readonly offer?: Offer;
}

/** The registry's part of the evidence. */
export type RegistryEvidence =
  /** No RDAP server is known for the TLD. */
  | { kind: "unlisted" }
  /** No server is asked, because the name cannot be registered, or because the TLD has none and sells no such name. */
  | { kind: "closed"; why: string }
  | RegistryRecord
  | (
    & Pick<Extract<RdapAnswer, { kind: "failed" }>, "kind" | "why" | "retryAfterMs">
    & { readonly fault?: RdapFault }
  )
  | Denial;

/** A registry's record of the name. */
export interface RegistryRecord {
  readonly kind: "registered";
  /** The registry's test result in force; absent if none is. */
  readonly canary?: Canary | undefined;
}

/** A registry's 404, with everything that decides whether the name is available. */
export interface Denial {
  readonly kind: "notFound";
  readonly notice: Notice;
  /** Whether this registry's 404s are trusted. */
  readonly canary: Canary;
  /** What the rules of the TLD, and the list of names that no registry sells, say about the label. */
  readonly policy: LabelPolicy;
  /** Whether the TLD sells at the third level only: then the policy forbids the name, also where the test has not passed. */
  readonly isUnsold?: boolean;
}

/** The evidence for a verdict; the registry is not queried if DNS shows a delegation. */
export type Evidence =
  | { dns: Extract<DnsAnswer, { kind: "delegated" }> }
  | { dns: DnsAnswer; registry: RegistryEvidence };

const MINUTE_MS = 60_000;

const DELEGATED: Verdict = { available: false, status: ["active"], premium: false, source: "dns" };
/** The verdict if the registry has a record of the name. */
export const REGISTERED: Verdict = notAvailable(["undelegated", "active"]);
/** The verdict if the registry does not sell the name; `reason` is to be added. */
export const RESERVED: Verdict = notAvailable(["undelegated"]);
const AVAILABLE: Verdict = {
  available: true,
  status: ["undelegated", "inactive"],
  premium: false,
  source: "rdap",
};
/** The verdict on an available name with a premium price. */
export const PREMIUM: Verdict = {
  ...AVAILABLE,
  status: ["undelegated", "inactive", "premium"],
  premium: true,
};

const UNPROVEN: Verdict = {
  ...unknown(
    "rdap",
    "canary_failed",
    "The registry's record of this name proves nothing: its RDAP server has one of a made-up name, too",
  ),
  likely: "taken",
};

const UNSUPPORTED = unknown(
  "rdap",
  "unsupported",
  "The RDAP server does not serve this TLD",
);

/** The verdict if the check itself threw. */
export const INTERNAL_ERROR: Verdict = unknown(
  "dns",
  "internal",
  "Internal error while checking this name (logged)",
);

/** The verdict if no client waits for it any more: they have disconnected, or their turn did not come in time. */
export const CANCELLED: Verdict = unknown(
  "dns",
  "cancelled",
  "Cancelled: too many look-ups are queued, or the client disconnected",
);

/** The verdict if DNS shows no delegation and the registry was not to be asked. */
const REGISTRY_NOT_ASKED: Verdict = {
  ...unknown("dns", "dns_only", "Not in DNS; the registry was not asked"),
  status: ["unknown", "undelegated"],
};

/** The verdict for a value outside its union, which can only be stored data of another version. */
const UNREADABLE: Verdict = unknown(
  "rdap",
  "unreadable",
  "The stored evidence for this name is not readable",
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

/** Decides by DNS alone: a name that is not in DNS may be registered, so it is unknown. */
export function decideByDns(dns: DnsAnswer): Verdict {
  switch (dns.kind) {
    case "delegated":
      return DELEGATED;
    case "none":
      return REGISTRY_NOT_ASKED;
    case "failed":
      return unknown("dns", "dns", `DNS could not be asked, and the registry was not: ${dns.why}`);
    default:
      dns satisfies never;
      return UNREADABLE;
  }
}

/** Decides when DNS shows no delegation or did not answer. */
function decideUndelegated(
  dns: Exclude<DnsAnswer, { kind: "delegated" }>,
  registry: RegistryEvidence,
): Verdict {
  switch (registry.kind) {
    case "unlisted":
      return unknown("dns", "unlisted", "No RDAP server is known for this TLD");
    case "closed":
      return decideClosed(registry.why);
    case "registered":
      return decideRecorded(registry);
    case "failed":
      return {
        ...unknown(
          "rdap",
          registry.fault === undefined ? "registry" : `registry_${registry.fault}`,
          registry.why,
        ),
        ...(registry.retryAfterMs !== undefined && {
          retryAfter: Math.max(1, Math.ceil(registry.retryAfterMs / 1_000)),
        }),
      };
    case "notFound":
      return decideDenied(dns, registry);
    default:
      registry satisfies never;
      return UNREADABLE;
  }
}

/** The verdict on a name that cannot be registered, which needs no query. */
export function decideClosed(why: string): Verdict {
  return { ...RESERVED, reason: why };
}

/** The verdict on a name without delegation and record under a TLD that sells at the third level only, or may do so. */
export function decideByLevel(level: LevelRule): Verdict {
  return level.kind === "forbidden"
    ? decideClosed(level.rule)
    : unknown("rdap", "policy", level.why);
}

/** Decides on a registry's record, which proves a registration unless the registry has one of a made-up name, too. */
function decideRecorded({ canary }: RegistryRecord): Verdict {
  if (canary === undefined) return REGISTERED;
  switch (canary.kind) {
    case "failed":
      return canary.confirmsMadeUp ? UNPROVEN : REGISTERED;
    case "passed":
    case "doubted":
    case "undecided":
      return REGISTERED;
    default:
      canary satisfies never;
      return UNREADABLE;
  }
}

/** Decides on a registry's 404, which counts only if DNS confirms it and the registry passed its canary test. */
function decideDenied(
  dns: Exclude<DnsAnswer, { kind: "delegated" }>,
  denial: Denial,
): Verdict {
  const { notice, policy } = denial;
  if (notice.kind === "unsupported") return UNSUPPORTED;
  // Neither a name that DNS can be asked for nor one that the registry sells: the rule alone settles it.
  const isNoName = dns.kind === "failed" && dns.fault === "invalid" && policy.kind === "forbidden";
  // Not `=== "failed"`: only "none" may confirm a 404.
  if (dns.kind !== "none" && !isNoName) {
    return unknown(
      "rdap",
      "dns",
      `The registry has no such name, but DNS could not confirm it: ${dns.why}`,
    );
  }
  if (denial.isUnsold && policy.kind === "forbidden") return decideByLevel(policy);
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

/** Decides on a trusted 404: the name is not registered; it is available unless a rule or a notice forbids it. */
function decideTrusted(
  notice: Exclude<Notice, { kind: "unsupported" }>,
  { policy }: Denial,
): Verdict {
  switch (policy.kind) {
    case "forbidden":
      return { ...RESERVED, reason: policy.rule };
    case "unknown":
      return notice.kind === "reserved"
        ? reservedBy(notice.words)
        : unknown("rdap", policy.isJustDropped ? "just_dropped" : "policy", policy.why);
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
        `The registry's "not found" has an unknown message: "${notice.words}"`,
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

/** Whether a verdict yields to one that is not "available", where it is unknown which question was sent later. */
export function isAvailable({ available }: Pick<Verdict, "available">): boolean {
  return available;
}

/** The verdict of a cached state, without its reason; undefined for `unknown`, which is never cached. */
export function verdictOf(state: State, source: Verdict["source"]): Verdict | undefined {
  switch (state) {
    case "available":
      return AVAILABLE;
    case "premium":
      return PREMIUM;
    case "reserved":
      return { ...RESERVED, source };
    case "taken":
      return source === "dns" ? DELEGATED : { ...REGISTERED, source };
    case "unknown":
      return undefined;
    default:
      state satisfies never;
      return undefined;
  }
}

const LIFETIMES_MS: Readonly<Record<State, number>> = {
  available: 5 * MINUTE_MS,
  premium: 5 * MINUTE_MS,
  taken: 60 * MINUTE_MS,
  reserved: 24 * 60 * MINUTE_MS,
  unknown: 0,
};

/** The cache TTL of a verdict, in ms; 0 for `unknown`: a failure must be retried. */
export function lifetimeMs(verdict: Verdict): number {
  return LIFETIMES_MS[stateOf(verdict)];
}

function reservedBy(words: string): Verdict {
  return { ...RESERVED, reason: `The registry says: "${words}"` };
}

function notAvailable(status: readonly Status[]): Verdict {
  return { available: false, status, premium: false, source: "rdap" };
}

/** The verdict on a name of which nothing is certain, and why. */
export function unknown(source: "dns" | "rdap", cause: UnknownCause, error: string): Verdict {
  return { available: false, status: ["unknown"], premium: false, source, error, cause };
}
