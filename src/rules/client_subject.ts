/** Whose requests are counted together: an address, or for IPv6 the /64 that one customer has. */
import { parseEndpoint } from "./ip_address.ts";

/** The network interface that is written behind a link-local address (RFC 4007 §11). */
const ZONE = /%[\w.~-]+(?=\]|$)/;

/** The subject of an address, with or without brackets, port and zone. What is none, such as a path, is its own. */
export function subjectOfAddress(address: string): string {
  return readSubject(address) ?? address;
}

/** What is known of where a request comes from. */
export interface Origin {
  /** The address at the other end of the socket. */
  readonly socket: string;
  /** X-Forwarded-For, several of them joined by commas. */
  readonly forwardedFor: string | null;
  /** How many proxies stand in front, of which each adds the address that it sees. */
  readonly trustedProxies: number;
}

/**
 * The client's address: what the outermost trusted proxy saw. All to the left of it is the client's own word, and where
 * it does not add up the socket's address stands: writing nonsense must not give a client a budget of its own.
 */
export function clientAddress({ socket, forwardedFor, trustedProxies }: Origin): string {
  if (trustedProxies <= 0 || forwardedFor === null) return socket;
  const address = forwardedFor.split(",").at(-trustedProxies)?.trim() ?? "";
  return readSubject(address) === undefined ? socket : address;
}

/** A socket that takes both families shows IPv4 callers as IPv4-mapped: they are one subject on every server. */
function readSubject(text: string): string | undefined {
  const address = parseEndpoint(text.replace(ZONE, ""))?.address;
  if (address === undefined) return undefined;
  if ("octets" in address) return address.toString();
  return `${address.parts.slice(0, 4).map((group) => group.toString(16)).join(":")}::/64`;
}
