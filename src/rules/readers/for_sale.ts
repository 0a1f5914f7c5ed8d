/**
 * Signs that a registered name is for sale. The TXT records of `_for-sale.<domain>`, by which a holder offers it (RFC 10023):
 * the holder writes them, so every text is cleaned, and a URI is only shown, never requested. And name servers that only
 * parking and auction houses use.
 */
import { cleanText } from "./statements.ts";

/** The label below which a domain has the records. */
export const FOR_SALE_LABEL = "_for-sale";

/** A TXT record: its character-strings, of which each character is one octet. */
export type TxtRecord = readonly string[];

const VERSION = "v=FORSALE1;";
/** The octets of a record, version included: it is one character-string. */
const MAX_OCTETS = 255;
/** The records that are read; an answer may have hundreds. */
const MAX_RECORDS = 32;

/** The tags in the order in which they help a reader: price, address, text, code; each reads its value. */
const TAGS: readonly { tag: string; read: (value: string) => string | undefined }[] = [
  { tag: "fval", read: (value) => PRICE.test(value) ? value : undefined },
  { tag: "furi", read: readUri },
  { tag: "ftxt", read: readText },
  { tag: "fcod", read: readText },
];

const SEPARATOR = " | ";

/** Letters of a currency and an amount. */
const PRICE = /^[A-Z]+\d+(?:\.\d+)?$/;
/** The schemes that the RFC names; another, such as `javascript:`, is not shown. */
const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);

/**
 * What the records offer, as one line for people: at most 200 characters, such as `fval=EUR500 | furi=https://…`.
 * Undefined if none of them has the version tag: then the name is not for sale by this convention. A record whose content
 * is missing or invalid still counts.
 */
export function readForSale(records: readonly TxtRecord[]): string | undefined {
  const contents = records.slice(0, MAX_RECORDS).flatMap(readContent);
  if (contents.length === 0) return undefined;
  const shown = TAGS.flatMap(({ tag, read }) =>
    contents.flatMap((content) => {
      const value = content.startsWith(`${tag}=`) ? read(content.slice(tag.length + 1)) : undefined;
      return value ? [`${tag}=${value}`] : [];
    })
  );
  return shown.length === 0 ? VERSION : cleanText([...new Set(shown)].join(SEPARATOR));
}

/** The content of a record with the version tag; "" if it is not valid. */
function readContent(record: TxtRecord): string[] {
  const octets = record.join("");
  if (!octets.startsWith(VERSION)) return [];
  return [octets.length > MAX_OCTETS ? "" : decode(octets.slice(VERSION.length)).trimStart()];
}

function decode(octets: string): string {
  return new TextDecoder().decode(Uint8Array.from(octets, (octet) => octet.charCodeAt(0)));
}

/**
 * The text without the separator, so that it cannot pass for another tag, and without combining marks at its beginning,
 * which would change the tag: NFKC makes "≠" of "=" and U+0338.
 */
function readText(value: string): string {
  return cleanText(value).replace(/^[\p{M}\s]+/u, "").replaceAll("|", "/");
}

/** The URI with its host as an A-label, so that no letter can pass for another; without a user, who can pass for a host. */
function readUri(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || !SCHEMES.has(url.protocol) || url.href === url.protocol) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return cleanText(url.href).replaceAll("|", "%7C");
}

/** The parts of an offer that are no one's address, telephone number or words. */
export interface OpenOffer {
  /** A currency and an amount, such as `EUR500`. */
  readonly price?: string | undefined;
  readonly url?: string | undefined;
}

/** What may be an e-mail address or a telephone number in a URL. */
const CONTACT = /@|%40|\d(?:[^\p{L}\d]*\d){5}|%E2%80%A6$/u;

/** Reads them from the line of `readForSale()`: what the holder writes otherwise may be an e-mail address or a name. */
export function readOpenOffer(line: string): OpenOffer {
  const parts = line.split(SEPARATOR);
  const valueOf = (tag: string) =>
    parts.find((part) => part.startsWith(`${tag}=`))?.slice(tag.length + 1);
  const price = valueOf("fval");
  const url = URL.parse(valueOf("furi") ?? "");
  const isOpen = url !== null && /^https?:/.test(url.protocol);
  return {
    ...(price !== undefined && { price }),
    ...(isOpen && { url: CONTACT.test(url.href) ? url.origin : url.href }),
  };
}

/** A name server's domain, whose it is, and where that is published. */
interface ParkingRow {
  readonly domain: string;
  readonly house: string;
  readonly source: string;
}

const APNIC = "APNIC, The prevalence of domain parking, 2023-11";
const MISP = "MISP warning list parking-domain-ns, 2022-10";
const CASHPARKING = "GoDaddy, CashParking set-up, seen 2026-10";
const OBSERVED = "delegations of names on sale there, seen 2026-10";

/**
 * The rows. General name servers of registrars are left out: live sites use them too. Some houses have
 * closed, and names are still delegated to them.
 */
export const PARKING_NAME_SERVERS: readonly ParkingRow[] = [
  { domain: "above.com", house: "Above", source: MISP },
  { domain: "afternic.com", house: "Afternic", source: APNIC },
  { domain: "atom.com", house: "Atom", source: OBSERVED },
  { domain: "bodis.com", house: "Bodis", source: MISP },
  { domain: "cashparking.com", house: "GoDaddy CashParking", source: CASHPARKING },
  { domain: "dan.com", house: "Dan.com", source: MISP },
  { domain: "domainmarket.com", house: "DomainMarket", source: MISP },
  { domain: "hugedomains.com", house: "HugeDomains", source: OBSERVED },
  { domain: "parkingcrew.net", house: "ParkingCrew", source: MISP },
  { domain: "parklogic.com", house: "ParkLogic", source: MISP },
  { domain: "sedoparking.com", house: "Sedo", source: MISP },
  { domain: "undeveloped.com", house: "Dan.com", source: OBSERVED },
  { domain: "uniregistrymarket.link", house: "Uniregistry", source: MISP },
];

/** The parking or auction house of name servers, if one of them is a row's or below it. */
export function parkingHouseOf(nameServers: readonly string[]): string | undefined {
  const hosts = nameServers.map((host) => `.${host.toLowerCase().replace(/\.$/, "")}`);
  return PARKING_NAME_SERVERS.find(({ domain }) =>
    hosts.some((host) => host.endsWith(`.${domain}`))
  )?.house;
}
