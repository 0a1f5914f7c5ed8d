/** The client's address behind trusted proxies, and its rate-limit key: the address, or for IPv6 its /64. */
import { parseEndpoint } from "./ip_address.ts";

/** The zone, which names the network interface of a link-local address (RFC 4007 §11). */
const ZONE = /%[\w.~-]+(?=\]|$)/;

/** The rate-limit key of an address, with or without brackets, port and zone. Other text, such as a path, is its own key. */
export function rateLimitKey(address: string): string {
  return readKey(address) ?? address;
}

/** Where a request comes from. */
export interface RequestSource {
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
  return readKey(address) === undefined ? socket : address;
}

/** A dual-stack socket shows IPv4 clients as IPv4-mapped IPv6: both forms get one key. */
function readKey(text: string): string | undefined {
  const address = parseEndpoint(text.replace(ZONE, ""))?.address;
  if (address === undefined) return undefined;
  if (address.version === 4) return address.text;
  const groups = [112n, 96n, 80n, 64n].map((shift) => address.bits >> shift & 0xffffn);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}
