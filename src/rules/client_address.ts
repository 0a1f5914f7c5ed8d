/** The client's address behind trusted proxies, and whose requests are counted together with it. */
import { fromIpv4Bits, type IpAddress, parseEndpoint } from "./ip_address.ts";

/** The zone, which names the network interface of a link-local address (RFC 4007 §11). */
const ZONE = /%[\w.~-]+(?=\]|$)/;
/** Translated IPv4 clients (`64:ff9b::/96`, RFC 6052): all of a provider would be one IPv6 network. */
const NAT64_PREFIX = 0x0064_ff9bn << 64n;

/** The client that an address belongs to. */
export interface AddressClient {
  /** The rate-limit key: an IPv4 address, or the /64 of an IPv6 one. Other text, such as a path, is its own key. */
  readonly key: string;
  /** Turns and places are dealt by it first: an IPv4 /24, or an IPv6 /48. */
  readonly site: string;
  /** The wider IPv6 networks, with how many times a client's limit each may use. */
  readonly prefixes: readonly { readonly key: string; readonly times: number }[];
}

/** The client of an address with or without brackets, port and zone. */
export function clientOfAddress(text: string): AddressClient {
  const address = readAddress(text);
  if (address === undefined) return { key: text, site: text, prefixes: [] };
  if (address.version === 4) {
    const [a, b, c] = address.text.split(".");
    return { key: address.text, site: `${a}.${b}.${c}.0/24`, prefixes: [] };
  }
  const { bits } = address;
  const site = networkOf(bits, 48n);
  return {
    key: networkOf(bits, 64n),
    site,
    prefixes: [{ key: networkOf(bits, 56n), times: 4 }, { key: site, times: 64 }],
  };
}

/** Where a request comes from. */
interface RequestSource {
  /** The peer address of the socket. */
  readonly socket: string;
  /** X-Forwarded-For; several headers are joined by commas. */
  readonly forwardedFor: string | null;
  /** The number of trusted proxies in front; each appends the address that it sees. */
  readonly trustedProxies: number;
}

/**
 * The client's address: the one that the outermost trusted proxy saw. The client can forge everything to its left.
 * Malformed headers fall back to the socket address, so they cannot mint a fresh rate limit.
 */
export function clientAddress({ socket, forwardedFor, trustedProxies }: RequestSource): string {
  if (trustedProxies <= 0 || forwardedFor === null) return socket;
  const address = forwardedFor.split(",").at(-trustedProxies)?.trim() ?? "";
  return readAddress(address) !== undefined ? address : socket;
}

/** A dual-stack socket shows IPv4 clients as IPv4-mapped IPv6: both forms are one address. */
function readAddress(text: string): IpAddress | undefined {
  const address = parseEndpoint(text.replace(ZONE, ""))?.address;
  if (address?.version !== 6 || address.bits >> 32n !== NAT64_PREFIX) return address;
  return fromIpv4Bits(address.bits & 0xffff_ffffn);
}

/** The network of an address with this length of its prefix, at most 64. */
function networkOf(bits: bigint, length: bigint): string {
  const kept = bits >> (128n - length) << (128n - length);
  const groups = [112n, 96n, 80n, 64n].map((shift) => kept >> shift & 0xffffn);
  return `${groups.map((group) => group.toString(16)).join(":")}::/${length}`;
}
