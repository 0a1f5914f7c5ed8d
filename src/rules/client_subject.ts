/** Whose requests are counted together: an address, or for IPv6 the /64 that one customer has. */

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
const IPV4_WITH_PORT = /^(?<address>[\d.]+):\d{1,5}$/;
const IPV6_IN_BRACKETS = /^\[(?<address>[^\]]*)\](?::\d{1,5})?$/;
const IPV6_CHARACTERS = /^[\da-f:.]{2,45}$/i;
const ZONE = /%[\w.~-]+$/;

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
 * it does not add up the socket's address stands: nobody gets a budget of his own by writing nonsense.
 */
export function clientAddress({ socket, forwardedFor, trustedProxies }: Origin): string {
  if (trustedProxies <= 0 || forwardedFor === null) return socket;
  const address = forwardedFor.split(",").at(-trustedProxies)?.trim() ?? "";
  return readSubject(address) === undefined ? socket : address;
}

function readSubject(text: string): string | undefined {
  if (IPV4.test(text)) return text;
  const address = IPV4_WITH_PORT.exec(text)?.groups?.address ??
    IPV6_IN_BRACKETS.exec(text)?.groups?.address ?? text;
  if (IPV4.test(address)) return address;
  const groups = readIpv6(address.replace(ZONE, ""));
  if (groups === undefined) return undefined;
  const [, , , , , , high = 0, low = 0] = groups;
  // A socket that takes both families shows IPv4 callers like this: they must be one subject on every server.
  const isIpv4 = groups.slice(0, 6).join() === "0,0,0,0,0,65535";
  if (isIpv4) return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return `${groups.slice(0, 4).map((group) => group.toString(16)).join(":")}::/64`;
}

/** The eight groups of an IPv6 address, which the URL parser brings into one form (RFC 5952). */
function readIpv6(text: string): number[] | undefined {
  if (!IPV6_CHARACTERS.test(text)) return undefined;
  const host = URL.parse(`http://[${text}]/`)?.hostname;
  if (host === undefined) return undefined;
  const [left = [], right = []] = host.slice(1, -1).split("::").map(readGroups);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function readGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => parseInt(group, 16));
}
