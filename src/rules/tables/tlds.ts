/** The built-in TLDs and their registries' RDAP servers, as rows; what can be known of any TLD, in the words of the API. */

/** `gTLD` (generic) or `ccTLD` (of a country). */
export type TldType = "gTLD" | "ccTLD";

/** A TLD and its registry's RDAP base URL, with a trailing slash (RFC 9224). */
export interface TldRow {
  readonly tld: string;
  readonly rdapBase: string;
}

/** The most TLDs that may be enabled: a check without `tld` asks about each. */
export const MAX_TLDS = 200;

const GOOGLE = "https://pubapi.registry.google/rdap/";
const IDENTITY_DIGITAL = "https://rdap.identitydigital.services/rdap/";
const RADIX = "https://rdap.radix.host/rdap/";

/** The publication date of IANA's table that the built-in rows come from. */
export const BUILT_IN_PUBLICATION = "2026-09-30T23:00:03Z";

/** IANA has never listed servers of these; the built-in row is used until it does. */
export const UNLISTED_TLDS: ReadonlySet<string> = new Set(["io", "me"]);

/**
 * The rows of that publication, in alphabetical order. `io` and `me` were never in it: they are pinned to their back
 * end's server. rdap.nic.io, which many lists name, returns 404 for registered names.
 */
export const BUILT_IN_TLDS: readonly TldRow[] = [
  { tld: "ai", rdapBase: IDENTITY_DIGITAL },
  { tld: "app", rdapBase: GOOGLE },
  { tld: "biz", rdapBase: "https://rdap.nic.biz/" },
  { tld: "bot", rdapBase: "https://rdap.nominet.uk/bot/" },
  { tld: "cc", rdapBase: "https://tld-rdap.verisign.com/cc/v1/" },
  { tld: "cloud", rdapBase: "https://rdap.registry.cloud/rdap/" },
  { tld: "com", rdapBase: "https://rdap.verisign.com/com/v1/" },
  { tld: "dev", rdapBase: GOOGLE },
  { tld: "info", rdapBase: IDENTITY_DIGITAL },
  { tld: "io", rdapBase: IDENTITY_DIGITAL },
  { tld: "me", rdapBase: IDENTITY_DIGITAL },
  { tld: "net", rdapBase: "https://rdap.verisign.com/net/v1/" },
  { tld: "online", rdapBase: RADIX },
  { tld: "org", rdapBase: "https://rdap.publicinterestregistry.org/rdap/" },
  { tld: "site", rdapBase: RADIX },
  { tld: "store", rdapBase: RADIX },
  { tld: "tech", rdapBase: RADIX },
  { tld: "tv", rdapBase: "https://rdap.nic.tv/" },
  { tld: "xyz", rdapBase: "https://rdap.centralnic.com/xyz/" },
];

/**
 * The public suffixes below the built-in TLDs, by TLD: the labels of names that cannot be registered. Source: the ICANN section
 * of the Public Suffix List of 2026-10-22.
 */
export const BUILT_IN_SUFFIXES: ReadonlyMap<string, readonly string[]> = new Map([
  ...BUILT_IN_TLDS.map(({ tld }): [string, readonly string[]] => [tld, []]),
  ["ai", ["com", "net", "off", "org"]],
  ["io", ["co", "com", "edu", "gov", "mil", "net", "nom", "org"]],
  ["me", ["ac", "co", "edu", "gov", "its", "net", "org", "priv"]],
]);

/**
 * The TLDs that people want first, in this order. Where TLDs share the queue of a registry's host, these are asked first.
 */
export const WANTED_TLDS: readonly string[] = ["com", "io", "ai", "dev", "app"];

/** The place of a TLD among those that people want first, from 0; all others share the last. */
export function wantedRank(tld: string): number {
  const rank = WANTED_TLDS.indexOf(tld);
  return rank < 0 ? WANTED_TLDS.length : rank;
}

/** The TLD of a suffix, or of a name. */
export function tldOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The type of a suffix's TLD: all TLDs of two letters are country codes (ISO 3166). */
export function tldType(suffix: string): TldType {
  return /(?:^|\.)..$/.test(suffix) ? "ccTLD" : "gTLD";
}

/**
 * The best witness of a suffix: RDAP that IANA lists, RDAP that it does not list, WHOIS or an availability service, DNS
 * alone; or none is needed, because the public can register nothing there.
 */
export const COVERAGES = ["rdap", "rdap_unlisted", "whois", "dns", "closed"] as const;

/** What is known of a suffix, as `/tlds?coverage=all` shows it. */
export interface CoverageFacts {
  readonly suffix: string;
  readonly type: TldType;
  readonly coverage: typeof COVERAGES[number];
  readonly rdapServer?: string;
  /** The WHOIS server, or the availability service that is asked in its place. */
  readonly whoisServer?: string;
  readonly requirements?: string;
  readonly note?: string;
  readonly source: string;
  /** The day on which the source was read, or which it is dated. */
  readonly checkedOn: string;
}
