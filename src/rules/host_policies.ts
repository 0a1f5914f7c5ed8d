/** How each RDAP host wants to be asked: rows, by host and not by TLD, for several TLDs share one. */

/** How fast a host may be asked, and what its empty 404 means. */
export interface HostPolicy {
  /** Requests at the same time. */
  readonly concurrency: number;
  /** Requests that may follow each other without a pause. */
  readonly burst: number;
  /** Where it is given, the burst is learnt: it starts here and grows up to `burst` with each clean answer. */
  readonly firstBurst?: number;
  /** Time after which one more request may start, in ms; 0: no limit but `concurrency`. */
  readonly everyMs: number;
  /** Whether a 404 without a body is this host's way to say "no such domain". */
  readonly emptyNotFound: boolean;
}

const VERISIGN: HostPolicy = { concurrency: 8, burst: 8, everyMs: 0, emptyNotFound: true };
const OTHER: HostPolicy = { concurrency: 4, burst: 4, everyMs: 0, emptyNotFound: false };

/** Other clients send three to four requests at once even to the strictest host and are answered (compared in 2026-11). */
const PACED = { ...OTHER, burst: 4, firstBurst: 2 };

/** What is known of single hosts, measured by others until 2026-10. */
const POLICIES: ReadonlyMap<string, HostPolicy> = new Map([
  // 50 at once all answered; a 404 has no body.
  ["rdap.verisign.com", VERISIGN],
  ["tld-rdap.verisign.com", VERISIGN],
  // 429 after about 10 quick requests, well again after 5 s; one a second is fine.
  ["pubapi.registry.google", { ...PACED, everyMs: 1_000 }],
  // Throttles by its terms, and locks an address out for a day when pushed.
  ["rdap.identitydigital.services", { ...PACED, everyMs: 1_000 }],
  // 1,800 in 15 minutes for a /24, WHOIS included.
  ["rdap.centralnic.com", { ...PACED, everyMs: 600 }],
]);

/** The policy of a host (`name` or `name:port`, as in a URL). */
export function hostPolicy(host: string): HostPolicy {
  return POLICIES.get(host) ?? OTHER;
}
