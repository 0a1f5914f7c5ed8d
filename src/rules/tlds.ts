/** The TLDs and their registries' RDAP servers, as rows. */

/** `gTLD` (generic) or `ccTLD` (of a country). */
export type TldType = "gTLD" | "ccTLD";

/** A TLD and where its own registry answers RDAP (a base URL with a trailing slash; RFC 9224). */
export interface TldRow {
  readonly tld: string;
  readonly rdapBase: string;
}

/** As many TLDs as may be enabled: the rows of more might not fit into one value of KV (`bootstrap.ts`). */
export const MOST_TLDS = 200;

const GOOGLE = "https://pubapi.registry.google/rdap/";
const IDENTITY_DIGITAL = "https://rdap.identitydigital.services/rdap/";
const RADIX = "https://rdap.radix.host/rdap/";

/** The edition of IANA's table from which the built-in rows are. */
export const BUILT_IN_PUBLICATION = "2026-09-30T23:00:03Z";

/**
 * IANA's table for our TLDs at that publication, in alphabetical order. `io` and `me` were never in it: they are
 * pinned to the server of their back end. rdap.nic.io, which many lists name, answers 404 for registered names.
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

/** The type of a TLD: ISO 3166 gives two letters to countries, and ICANN no two letters to anybody else. */
export function tldType(tld: string): TldType {
  return tld.length === 2 ? "ccTLD" : "gTLD";
}
