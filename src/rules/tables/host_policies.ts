/** Request policies of RDAP hosts, as rows by host and not by TLD, because several TLDs share one host. */
import { BUILT_IN_TLDS } from "./tlds.ts";

/** At most `burst` requests without a pause between them, then one for each `everyMs`. */
interface Limit {
  readonly burst: number;
  /** In ms; 0: no limit. */
  readonly everyMs: number;
}

/** How fast a host may be queried, and how its 404s are to be read. */
export interface HostPolicy extends Limit {
  /** Concurrent requests. */
  readonly concurrency: number;
  /** A second limit, over a longer time. */
  readonly longer?: Limit;
  /** Whether all processes on one KV keep the limits together: they were published or measured. */
  readonly isShared?: true;
  /** Whether a 404 without a body means "no such domain" at this host. */
  readonly emptyNotFound: boolean;
  /** Whether the registry may hold back a name of a generic TLD for up to a day after it has deleted it. */
  readonly holdsDeletedBack?: true;
}

/** Answered 50 concurrent requests at once, so only `concurrency` limits; a 404 has no body. */
const VERISIGN: HostPolicy = { concurrency: 8, burst: 8, everyMs: 0, emptyNotFound: true };

/** A host of a built-in TLD whose limit was neither published nor measured: a list of names must not look like an attack. */
const UNMEASURED: HostPolicy = { concurrency: 4, burst: 8, everyMs: 200, emptyNotFound: false };

/**
 * A host without a row: a registry that blocks an address for an hour after twenty quick requests makes its TLDs `unknown`
 * for all clients.
 */
const OTHER: HostPolicy = { concurrency: 4, burst: 6, everyMs: 1_000, emptyNotFound: false };

/** Other clients send three to four concurrent requests even to the strictest host and get answers (compared 2026-11). */
const STRICT: HostPolicy = {
  concurrency: 4,
  burst: 4,
  everyMs: 1_000,
  isShared: true,
  emptyNotFound: false,
};

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
    longer: { burst: 100, everyMs: 864_000 },
    isShared: true,
    emptyNotFound: false,
  }],
  // 429 after about 10 quick requests, recovers after 5 s; one request per second is fine.
  ["pubapi.registry.google", STRICT],
  // 63 requests, four at a time without a pause, were all answered (a stranger's public run, 2026-08-21). Its terms allow
  // throttling, and too many requests block an address for a day: STRICT is the careful row.
  ["rdap.identitydigital.services", { ...STRICT, burst: 8, everyMs: 250, holdsDeletedBack: true }],
  ["rdap.publicinterestregistry.org", { ...UNMEASURED, holdsDeletedBack: true }],
  // Publishes 1,800 requests in 15 minutes for a /24, WHOIS included: two thirds of them, half as the burst.
  ["rdap.centralnic.com", { ...STRICT, concurrency: 2, burst: 600, everyMs: 1_500 }],
]);

const BUILT_IN_HOSTS = new Set(BUILT_IN_TLDS.map(({ rdapBase }) => new URL(rdapBase).host));

/** The policy of a host (`name` or `name:port`, as in a URL). */
export function hostPolicy(host: string): HostPolicy {
  return POLICIES.get(host) ?? (BUILT_IN_HOSTS.has(host) ? UNMEASURED : OTHER);
}
