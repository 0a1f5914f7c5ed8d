/** IP addresses: the one place that parses and classifies them. */
import ipaddr from "ipaddr.js";

/** A parsed address. IPv6 addresses that only wrap an IPv4 one (`::ffff:0:0/96`, RFC 4291 §2.5.5.2) are that IPv4 one. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** An address, and the port that is written behind it. */
export interface Endpoint {
  readonly address: IpAddress;
  readonly port?: number;
}

/** The longest IPv6 address in text: six groups of four digits and a dotted IPv4 address. */
const LONGEST = 45;
/** `[IPv6]:port`, `IPv4:port`, or either without the port; a bare IPv6 address has no form with a port. */
const ENDPOINT = /^(?:\[(?<v6>[^\]]*:[^\]]*)\]|(?<v4>[\d.]+))(?::(?<port>\d{1,5}))?$/;
const HIGHEST_PORT = 65_535;
const GROUPS = /^(?:[\da-f]{0,4}:)+[\da-f]{0,4}$/i;
const DOTTED_TAIL = /(?<=:)[\d.]+\.[\d.]+$/;
/** All that IANA has allocated to be routed (RFC 4291 §2.4); what lies outside has no owner, or a special one. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Parses an address without brackets, port and zone; undefined where it is none. IPv4 takes four decimal parts only:
 * others write the same address as `0x7f.1` or `127.1`, and one with leading zeros means different addresses to
 * different readers.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > LONGEST) return undefined;
  // To ask the package whether IPv6 is IPv4 costs an error that it throws and catches, ten times the parsing.
  if (!text.includes(":")) {
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  }
  const groups = text.replace(DOTTED_TAIL, inGroups);
  // The package would also take a zone.
  return GROUPS.test(groups) && ipaddr.IPv6.isValid(groups) ? ipaddr.process(groups) : undefined;
}

/** The package takes a tail of any form, and `::192.0.2.1` for the address that `::ffff:192.0.2.1` is. */
function inGroups(tail: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return tail;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(tail).octets;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Parses an address with or without a port, IPv6 in brackets or bare; undefined where it is none. */
export function parseEndpoint(text: string): Endpoint | undefined {
  const found = ENDPOINT.exec(text)?.groups;
  const address = parseIpAddress(found?.v6 ?? found?.v4 ?? text);
  if (address === undefined) return undefined;
  if (found?.port === undefined) return { address };
  const port = Number(found.port);
  return port <= HIGHEST_PORT ? { address, port } : undefined;
}

/**
 * Whether an address can be a public server's. Refused are all special-purpose ranges (RFC 6890 and IANA's two
 * registries of them): private, loopback, link-local, shared, multicast, documentation, benchmarking, translation.
 */
export function isPublicAddress(address: IpAddress): boolean {
  if (address.range() !== "unicast") return false;
  return "octets" in address || address.match(GLOBAL_IPV6);
}

/** Whether an address is the machine itself, in any form in which a socket or a URL shows it; false for what is none. */
export function isLoopback(text: string): boolean {
  return parseIpAddress(text)?.range() === "loopback";
}
