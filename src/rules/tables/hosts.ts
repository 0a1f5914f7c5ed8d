/**
 * Registries' hosts, as rows: request policies of RDAP hosts, by host and not by TLD, because several TLDs share one; and the WHOIS
 * servers of TLDs (port 43, RFC 3912).
 */
import { BUILT_IN_TLDS, tldOf } from "./tlds.ts";

/** At most `burst` requests without a pause between them, then one for each `everyMs`. */
export interface Limit {
  readonly burst: number;
  /** In ms; 0: no limit. */
  readonly everyMs: number;
}

/** How fast a host may be queried. */
export interface Pace extends Limit {
  /** Concurrent requests. */
  readonly concurrency: number;
  /** A second limit, over a longer time. */
  readonly longer?: Limit;
  /** Whether all processes on one KV keep the limits together: they were published or measured. */
  readonly isShared?: true;
}

/** How fast a host may be queried, and how its 404s are to be read. */
export interface HostPolicy extends Pace {
  /** Whether a 404 without a body means "no such domain" at this host. */
  readonly emptyNotFound?: boolean;
  /** Whether the registry may hold back a name of a generic TLD for up to a day after it has deleted it. */
  readonly holdsDeletedBack?: true;
}

/** Answered 50 concurrent requests at once, so only `concurrency` limits; a 404 has no body. */
const VERISIGN: HostPolicy = { concurrency: 8, burst: 8, everyMs: 0, emptyNotFound: true };

/** A host of a built-in TLD whose limit was neither published nor measured: a list of names must not look like an attack. */
const UNMEASURED: HostPolicy = { concurrency: 4, burst: 8, everyMs: 200 };

/**
 * A host without a row: a registry that blocks an address for an hour after twenty quick requests makes its TLDs `unknown`
 * for all clients.
 */
const OTHER: HostPolicy = { concurrency: 4, burst: 6, everyMs: 1_000 };

/** Other clients send three to four concurrent requests even to the strictest host and get answers (compared 2026-11). */
const STRICT: HostPolicy = { concurrency: 4, burst: 4, everyMs: 1_000, isShared: true };

/**
 * Limits of hosts, from third-party measurements until 2026-10 where none is named. Names are held back since ICANN's
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

/**
 * How the answers of a registry's availability service (DAS) are read, which stand after `Status:`: the documented ones, in
 * upper case. Any other, such as a limit or a failure, says nothing of the name.
 */
export interface AvailabilityAnswers {
  readonly free: readonly string[];
  readonly taken: readonly string[];
  /** The name cannot be registered, for any reason. */
  readonly withheld: readonly string[];
}

/** A TLD's WHOIS server: one question and one answer over TCP, without protection against a forged answer. */
export interface WhoisServer {
  readonly host: string;
  /** Absent: 43. */
  readonly port?: number;
  /** The line to send, in which `{domain}` or `{label}` stands for what is asked about. Absent: the domain. */
  readonly query?: string;
  /** Set if it is an availability service instead. */
  readonly availability?: AvailabilityAnswers;
  /** The RDAP host with which the server shares one budget: its queries use up that host's pace. */
  readonly sharesBudgetOf?: string;
}

/** Without the word, Verisign lists all names, name servers and registrars that begin with the text. */
const ONE_NAME = { query: "domain {domain}" };

/** A server that alone tells which names the registry withholds, so that none is available without its word. */
interface NeededServer extends WhoisServer {
  /**
   * Whether a registrar that sells a name has been told the same by the registry, so that its yes stands in for a server that
   * could not be asked. Not known of `.org`: no source shows that a registrar refuses a name in the Dropzone.
   */
  readonly isRegistrarEnough?: true;
}

/** The servers that are needed, by TLD. */
export const NEEDED_SERVERS: ReadonlyMap<string, NeededServer> = new Map<string, NeededServer>([
  ["io", { host: "whois.nic.io", isRegistrarEnough: true }],
  ["org", { host: "whois.publicinterestregistry.org" }],
]);

/**
 * The servers of the built-in TLDs. Sources: IANA's root zone database with the corrections of the zonedb project
 * (2026-07); for tv the list of rfc1036/whois (2026-02); io and me, which IANA does not list, answered on 2026-09-30.
 * app, bot, dev and info have none any more.
 */
const SERVERS: ReadonlyMap<string, WhoisServer> = new Map<string, WhoisServer>([
  ...NEEDED_SERVERS,
  ["ai", { host: "whois.nic.ai" }],
  ["biz", { host: "whois.nic.biz" }],
  ["cc", { host: "ccwhois.verisign-grs.com", ...ONE_NAME }],
  ["cloud", { host: "whois.nic.cloud" }],
  ["com", { host: "whois.verisign-grs.com", ...ONE_NAME }],
  ["me", { host: "whois.nic.me" }],
  ["net", { host: "whois.verisign-grs.com", ...ONE_NAME }],
  ["online", { host: "whois.nic.online" }],
  ["site", { host: "whois.nic.site" }],
  ["store", { host: "whois.nic.store" }],
  ["tech", { host: "whois.nic.tech" }],
  ["tv", { host: "whois.nic.tv" }],
  // CentralNic counts RDAP and WHOIS queries together: 1,800 in 15 minutes for a /24.
  ["xyz", { host: "whois.nic.xyz", sharesBudgetOf: "rdap.centralnic.com" }],
]);

/** The WHOIS server of names under a built-in TLD or a suffix of it; undefined if it has none. */
export function whoisServerOf(suffix: string): WhoisServer | undefined {
  return SERVERS.get(tldOf(suffix));
}

/** The same of a server without whose word none of them is available. */
export function neededServerOf(suffix: string): NeededServer | undefined {
  return NEEDED_SERVERS.get(tldOf(suffix));
}

/** The port of a server: that of WHOIS (RFC 3912), unless it has its own. */
export function whoisPort({ port = 43 }: WhoisServer): number {
  return port;
}

/** The query for a domain: an A-label and a TLD, so that no line break can begin a second query. */
export function whoisQuery({ query = "{domain}" }: WhoisServer, domain: string): string {
  const label = domain.slice(0, domain.indexOf("."));
  return query.replace("{domain}", domain).replace("{label}", label);
}

/** No registry publishes a number; their terms forbid high volume. A first check takes four queries: the name, and three of a test. */
const USUAL: HostPolicy = { concurrency: 6, burst: 6, everyMs: 500 };
/**
 * Only these two say there which names are blocked, and after a refusal none is asked about for a minute. So the pace keeps
 * within 30 queries a minute, the burst included.
 */
const CAREFUL: HostPolicy = { ...USUAL, everyMs: 2_500, isShared: true };

const PACES: ReadonlyMap<string, HostPolicy> = new Map([
  ...NEEDED_SERVERS.values().map(({ host }) => [host, CAREFUL] as const),
  // Two thirds of what their registries allow in a minute, 50 and 120: a further query is refused, many bar the address.
  ["das.dns.be", { concurrency: 3, burst: 3, everyMs: 2_000, isShared: true }],
  ["das.eu", { concurrency: 6, burst: 6, everyMs: 820, isShared: true }],
]);

/** The pace of a server with a budget of its own. */
export function whoisPace(host: string): HostPolicy {
  return PACES.get(host) ?? USUAL;
}
