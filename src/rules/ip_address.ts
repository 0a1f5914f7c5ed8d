/** Parses and classifies IP addresses. */
import ipaddr from "ipaddr.js";

/** A parsed address. IPv4-mapped IPv6 (`::ffff:0:0/96`, RFC 4291 §2.5.5.2) is parsed as IPv4. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** An address with an optional port. */
export interface Endpoint {
  readonly address: IpAddress;
  readonly port?: number;
}

/** The longest IPv6 text: six groups of four digits and a dotted IPv4 address. */
const LONGEST = 45;
/** `[IPv6]:port`, `IPv4:port`, or either without a port; a bare IPv6 address cannot have one. */
const ENDPOINT = /^(?:\[(?<v6>[^\]]*:[^\]]*)\]|(?<v4>[\d.]+))(?::(?<port>\d{1,5}))?$/;
const HIGHEST_PORT = 65_535;
const GROUPS = /^(?:[\da-f]{0,4}:)+[\da-f]{0,4}$/i;
const DOTTED_TAIL = /(?<=:)[\d.]+\.[\d.]+$/;
/** The global unicast range (RFC 4291 §2.4); addresses outside it are unassigned or special-purpose. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Parses an address without brackets, port and zone; undefined if it is none. IPv4 must have four decimal parts:
 * `0x7f.1` and `127.1` are other spellings of the same address, and parsers disagree about leading zeros.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > LONGEST) return undefined;
  // Without this test the package throws and catches an error for each IPv6 address: ten times the parsing.
  if (!text.includes(":")) {
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  }
  const groups = text.replace(DOTTED_TAIL, inGroups);
  // The package would also accept a zone.
  return GROUPS.test(groups) && ipaddr.IPv6.isValid(groups) ? ipaddr.process(groups) : undefined;
}

/** The package accepts a tail of any form, and parses `::192.0.2.1` as `::ffff:192.0.2.1`. */
function inGroups(tail: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return tail;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(tail).octets;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Parses an address with or without a port, IPv6 in brackets or bare; undefined if it is none. */
export function parseEndpoint(text: string): Endpoint | undefined {
  const found = ENDPOINT.exec(text)?.groups;
  const address = parseIpAddress(found?.v6 ?? found?.v4 ?? text);
  if (address === undefined) return undefined;
  if (found?.port === undefined) return { address };
  const port = Number(found.port);
  return port <= HIGHEST_PORT ? { address, port } : undefined;
}

/**
 * Whether an address can be a public server's. False for all special-purpose ranges (RFC 6890 and IANA's two
 * registries of them): private, loopback, link-local, shared, multicast, documentation, benchmarking, translation.
 */
export function isPublicAddress(address: IpAddress): boolean {
  if (address.range() !== "unicast") return false;
  return "octets" in address || address.match(GLOBAL_IPV6);
}

/** Whether a text is a loopback address, in any form that a socket or a URL shows; false if it is no address. */
export function isLoopback(text: string): boolean {
  return parseIpAddress(text)?.range() === "loopback";
}
