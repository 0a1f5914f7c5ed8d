/** The WHOIS servers of TLDs (port 43, RFC 3912), as rows. */
import type { HostPolicy } from "./host_policies.ts";

/** A TLD's WHOIS server. */
export interface WhoisServer {
  readonly host: string;
  /** What is sent before the name, if more than the name is needed. */
  readonly prefix?: string;
  /** The RDAP host with which the server shares one budget: its queries use up that host's pace. */
  readonly sharesBudgetOf?: string;
}

/** The port of all WHOIS servers. */
export const WHOIS_PORT = 43;

/** Without the word, Verisign lists all names, name servers and registrars that begin with the text. */
const VERISIGN = { prefix: "domain " };

/**
 * The servers of the built-in TLDs. Sources: IANA's root zone database with the corrections of the zonedb project
 * (2026-07); for tv the list of rfc1036/whois (2026-02); io and me, which IANA does not list, answered on 2026-09-30.
 * app, bot, dev and info have none any more.
 */
const SERVERS: ReadonlyMap<string, WhoisServer> = new Map<string, WhoisServer>([
  ["ai", { host: "whois.nic.ai" }],
  ["biz", { host: "whois.nic.biz" }],
  ["cc", { host: "ccwhois.verisign-grs.com", ...VERISIGN }],
  ["cloud", { host: "whois.nic.cloud" }],
  ["com", { host: "whois.verisign-grs.com", ...VERISIGN }],
  ["io", { host: "whois.nic.io" }],
  ["me", { host: "whois.nic.me" }],
  ["net", { host: "whois.verisign-grs.com", ...VERISIGN }],
  ["online", { host: "whois.nic.online" }],
  ["org", { host: "whois.publicinterestregistry.org" }],
  ["site", { host: "whois.nic.site" }],
  ["store", { host: "whois.nic.store" }],
  ["tech", { host: "whois.nic.tech" }],
  ["tv", { host: "whois.nic.tv" }],
  // CentralNic counts RDAP and WHOIS queries together: 1,800 in 15 minutes for a /24.
  ["xyz", { host: "whois.nic.xyz", sharesBudgetOf: "rdap.centralnic.com" }],
]);

/** The WHOIS server of a TLD; undefined if it has none. */
export function whoisServerOf(tld: string): WhoisServer | undefined {
  return SERVERS.get(tld);
}

/** The query for a domain: an A-label and a TLD, so that no line break can begin a second query. */
export function whoisQuery({ prefix = "" }: WhoisServer, domain: string): string {
  return `${prefix}${domain}`;
}

/**
 * The pace of a server with a budget of its own. No registry publishes a number; their terms forbid high volume. A first
 * check of two TLDs of one server takes six queries: a name and two test queries for each.
 */
export const WHOIS_PACE: Omit<HostPolicy, "emptyNotFound"> = {
  concurrency: 6,
  burst: 6,
  everyMs: 500,
};
