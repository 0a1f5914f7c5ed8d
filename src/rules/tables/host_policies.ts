/** Request policies of RDAP hosts, as rows by host and not by TLD, because several TLDs share one host. */
import { BUILT_IN_TLDS } from "./tlds.ts";

/** How fast a host may be queried, and how its 404s are to be read. */
export interface HostPolicy {
  /** Concurrent requests. */
  readonly concurrency: number;
  /** Requests that may start without a pause between them. */
  readonly burst: number;
  /** Where given, the burst is learnt: it starts here and grows up to `burst` with each clean answer. */
  readonly firstBurst?: number;
  /** Where given, a client counts as a list after so many requests, and may then use only so much of the burst. */
  readonly headStart?: number;
  /** Interval after which one more request may start, in ms; 0: only `concurrency` limits. */
  readonly everyMs: number;
  /** Where given, the interval is learnt: it starts at `everyMs` and falls to this with clean answers. */
  readonly fastestEveryMs?: number;
  /** Queries that the host allows in any `ms`, where it has published a number (`src/flow/queue/published_window.ts`). */
  readonly window?: { readonly limit: number; readonly ms: number };
  /** Whether a 404 without a body means "no such domain" at this host. */
  readonly emptyNotFound: boolean;
  /** Whether the registry may hold back a name of a generic TLD for up to a day after it has deleted it. */
  readonly holdsDeletedBack?: true;
}

/** Answered 50 concurrent requests at once, so only `concurrency` limits; a 404 has no body. */
const VERISIGN: HostPolicy = { concurrency: 8, burst: 8, everyMs: 0, emptyNotFound: true };

/** A host of a built-in TLD whose limit was neither published nor measured: a list of names must not look like an attack. */
const UNMEASURED: HostPolicy = {
  concurrency: 4,
  burst: 8,
  everyMs: 200,
  fastestEveryMs: 100,
  emptyNotFound: false,
};

/**
 * A host without a row, of a TLD that the operator has enabled: a registry that blocks an address for an hour after twenty
 * quick requests makes its TLDs `unknown` for all clients.
 */
const OTHER: HostPolicy = {
  concurrency: 4,
  burst: 6,
  everyMs: 1_000,
  fastestEveryMs: 200,
  emptyNotFound: false,
};

/** Other clients send three to four concurrent requests even to the strictest host and get answers (compared 2026-11). */
const PACED = { concurrency: 4, burst: 4, firstBurst: 2, emptyNotFound: false };

/**
 * Limits of the hosts of the built-in TLDs, from third-party measurements until 2026-10. Names are held back since ICANN's
 * amendments to the registries' agreements of 2021-09-29.
 */
const POLICIES: ReadonlyMap<string, HostPolicy> = new Map([
  ["rdap.verisign.com", VERISIGN],
  ["tld-rdap.verisign.com", VERISIGN],
  // Their documents: "solely HTTP status codes" (nic.ch and nic.li, read 2026-11).
  ["rdap.nic.ch", { ...OTHER, emptyNotFound: true }],
  ["rdap.nic.li", { ...OTHER, emptyNotFound: true }],
  // Allows 10 requests in a minute and 300 in a day (as read in clients of Norid, 2026-11).
  ["rdap.norid.no", {
    concurrency: 2,
    burst: 3,
    everyMs: 9_000,
    emptyNotFound: false,
    window: { limit: 300, ms: 86_400_000 },
  }],
  // 429 after about 10 quick requests, recovers after 5 s; one request per second is fine.
  ["pubapi.registry.google", { ...PACED, everyMs: 1_000 }],
  // Its terms allow throttling; too many requests block an address for a day.
  ["rdap.identitydigital.services", { ...PACED, everyMs: 1_000, holdsDeletedBack: true }],
  ["rdap.publicinterestregistry.org", { ...UNMEASURED, holdsDeletedBack: true }],
  // Publishes 1,800 requests per 15 minutes and /24, WHOIS included, and no interval.
  ["rdap.centralnic.com", {
    ...PACED,
    everyMs: 100,
    window: { limit: 1_800, ms: 900_000 },
  }],
]);

const BUILT_IN_HOSTS = new Set(BUILT_IN_TLDS.map(({ rdapBase }) => new URL(rdapBase).host));

/**
 * How many look-ups of a list a paced host may have at once that are to be answered in `ms`. One with a window gets no more
 * than run at once: when half of it is used, it lets a list ask once in three seconds.
 */
export function listAtOnce({ concurrency, everyMs, window }: HostPolicy, ms: number): number {
  return window === undefined ? Math.floor(ms / everyMs) : concurrency;
}

/** The policy of a host (`name` or `name:port`, as in a URL). */
export function hostPolicy(host: string): HostPolicy {
  return POLICIES.get(host) ?? (BUILT_IN_HOSTS.has(host) ? UNMEASURED : OTHER);
}
