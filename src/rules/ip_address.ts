/**
 * Parses and classifies IP addresses; which client an address belongs to; which URLs are allowed as upstreams: none inside a
 * private network (SSRF protection).
 */

/** A parsed address. IPv4-mapped IPv6 (`::ffff:0:0/96`, RFC 4291 §2.5.5.2) is parsed as IPv4. */
export interface IpAddress {
  readonly version: 4 | 6;
  /** All 32 or 128 bits. */
  readonly bits: bigint;
  /** In canonical form (RFC 5952), without brackets. */
  readonly text: string;
}

/** An address with an optional port. */
interface Endpoint {
  readonly address: IpAddress;
  readonly port?: number;
}

/** The longest IPv6 text: six groups of four digits and a dotted IPv4 address. */
const LONGEST = 45;
/** `[IPv6]:port`, `IPv4:port`, or either without a port; a bare IPv6 address cannot have one. */
const ENDPOINT = /^(?:\[(?<v6>[\da-f.]*:[\da-f:.]*)\]|(?<v4>[\d.]+))(?::(?<port>\d{1,5}))?$/i;
const HIGHEST_PORT = 65_535;
/** Four decimal parts without leading zeros, as a URL shows them. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|$)){4}$/;
/** No other character may reach the URL parser, which drops tabs and reads a user and a path. */
const IPV6_CHARACTERS = /^[\da-f:.]+$/i;
const MAPPED_PREFIX = 0xffffn;

/**
 * Parses an address without brackets, port and zone; undefined if it is none. IPv4 must have four decimal parts:
 * `0x7f.1` and `127.1` are other spellings of the same address, and parsers disagree about leading zeros.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > LONGEST) return undefined;
  if (IPV4.test(text)) return ipv4(text);
  if (!IPV6_CHARACTERS.test(text)) return undefined;
  // The URL parser decides: what it reads is what a request to the address would be sent to.
  const host = URL.parse(`http://[${text}]`)?.hostname;
  return host === undefined ? undefined : ipv6(host.slice(1, -1));
}

function ipv4(text: string): IpAddress {
  const bits = text.split(".").reduce((bits, part) => bits << 8n | BigInt(part), 0n);
  return { version: 4, bits, text };
}

/** The IPv4 address with these 32 bits. */
export function fromIpv4Bits(bits: bigint): IpAddress {
  const parts = [24n, 16n, 8n, 0n].map((shift) => bits >> shift & 0xffn);
  return { version: 4, bits, text: parts.join(".") };
}

/** Takes the URL parser's form: groups of hexadecimal digits, and `::` for the longest run of zeros. */
function ipv6(text: string): IpAddress {
  const [before = [], after = []] = text.split("::").map((side) =>
    side === "" ? [] : side.split(":")
  );
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  const groups = [...before, ...zeros, ...after];
  const bits = groups.reduce((bits, group) => bits << 16n | BigInt(`0x${group}`), 0n);
  return bits >> 32n === MAPPED_PREFIX
    ? fromIpv4Bits(bits & 0xffff_ffffn)
    : { version: 6, bits, text };
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

/** The addresses that have the first `length` bits of `first`. */
interface AddressRange {
  readonly first: IpAddress;
  readonly length: number;
}

function rangeOf(text: string): AddressRange {
  const [first = "", length] = text.split("/");
  return { first: IPV4.test(first) ? ipv4(first) : ipv6(first), length: Number(length) };
}

const LOOPBACK = ["127.0.0.0/8", "::1/128"].map(rangeOf);
/** Global unicast addresses (RFC 4291 §2.4, IANA): all other IPv6 addresses are unassigned or special. */
const GLOBAL_IPV6 = rangeOf("2000::/3");

/*
 * Ranges of IANA's registries of special-purpose addresses (RFC 6890, read 2026-11) that are no public servers', and those
 * that RFCs reserve without an entry there.
 */
const SPECIAL = [
  "0.0.0.0/8", // this network (RFC 791)
  "10.0.0.0/8", // private use (RFC 1918)
  "100.64.0.0/10", // shared by a provider's customers (RFC 6598)
  "127.0.0.0/8", // loopback (RFC 1122)
  "169.254.0.0/16", // link-local (RFC 3927)
  "172.16.0.0/12", // private use (RFC 1918)
  "192.0.0.0/24", // protocol assignments (RFC 6890)
  "192.0.2.0/24", // documentation (RFC 5737)
  "192.31.196.0/24", // AS112 (RFC 7535)
  "192.52.193.0/24", // automatic multicast tunnelling (RFC 7450)
  "192.88.99.0/24", // 6to4 relays (RFC 7526)
  "192.168.0.0/16", // private use (RFC 1918)
  "192.175.48.0/24", // AS112 (RFC 7534)
  "198.18.0.0/15", // benchmarking (RFC 2544)
  "198.51.100.0/24", // documentation (RFC 5737)
  "203.0.113.0/24", // documentation (RFC 5737)
  "224.0.0.0/4", // multicast (RFC 5771)
  "240.0.0.0/4", // reserved, and broadcast (RFC 1112, RFC 919)
  // Inside of global unicast:
  "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID and others (RFC 2928)
  "2001:db8::/32", // documentation (RFC 3849)
  "2002::/16", // 6to4 (RFC 3056)
  "2620:4f:8000::/48", // AS112 (RFC 7534)
  "3fff::/20", // documentation (RFC 9637)
].map(rangeOf);

function contains({ first, length }: AddressRange, { version, bits }: IpAddress): boolean {
  const rest = BigInt((version === 4 ? 32 : 128) - length);
  return first.version === version && first.bits >> rest === bits >> rest;
}

/** Whether an address can be a public server's: false for all special-purpose ranges. */
export function isPublicAddress(address: IpAddress): boolean {
  return (address.version === 4 || contains(GLOBAL_IPV6, address)) &&
    !SPECIAL.some((range) => contains(range, address));
}

/** Whether a text is a loopback address, in any form that a socket or a URL shows; false if it is no address. */
export function isLoopback(text: string): boolean {
  const address = parseIpAddress(text);
  return address !== undefined && LOOPBACK.some((range) => contains(range, address));
}

/**
 * Top-level domains that public DNS never resolves, so that only a resolver of a private network could answer for them:
 * `localhost`, `test` and `invalid` (RFC 6761), `local` (RFC 6762), `onion` (RFC 7686), `alt` (RFC 9476) and
 * `internal` (reserved for private use by ICANN in 2024). `arpa` holds infrastructure only (RFC 3172), including
 * `home.arpa` (RFC 8375). `example` is special too (RFC 6761), but only a placeholder in documentation.
 */
const NEVER_PUBLIC: ReadonlySet<string> = new Set(
  "localhost test invalid local onion alt internal arpa".split(" "),
);

/** The longest base in IANA's table has 60 characters (2026-09). */
const LONGEST_BASE = 128;

/**
 * Whether a URL is allowed as an upstream: https to a public host, unless this is a lab (`allowInsecure`). An operator's
 * upstream may use any port that `fetch` itself allows (not mail, SSH and others).
 *
 * A public name that resolves to a private address (`127.0.0.1.nip.io`, DNS rebinding) passes: no list of names could
 * refuse them all. But such a host needs a certificate for that name, registry answers are trusted only after the canary
 * test, and no answer is ever passed on.
 */
export function isUpstreamUrl(text: string, allowInsecure: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (allowInsecure) return url.protocol === "https:" || url.protocol === "http:";
  return url.protocol === "https:" && isPublicHost(url.hostname);
}

/** Whether a registry's base URL, which comes from a remote file, is allowed: only on the port of https. */
export function isRegistryBase(text: string, allowInsecure: boolean): boolean {
  if (text.length > LONGEST_BASE || !isUpstreamUrl(text, allowInsecure)) return false;
  return allowInsecure || URL.parse(text)?.port === "";
}

/** Takes a host as the URL parser writes it: `0x7f.1` has become `127.0.0.1`, and IPv6 is in brackets. */
function isPublicHost(hostname: string): boolean {
  const address = parseIpAddress(hostname.replace(/^\[(.*)\]$/, "$1"));
  if (address !== undefined) return isPublicAddress(address);
  // A trailing dot (the DNS root) does not change the host.
  const name = hostname.replace(/\.$/, "");
  const tld = name.slice(name.lastIndexOf(".") + 1);
  // A name without a dot is resolved in the network's search domain.
  return tld !== name && !NEVER_PUBLIC.has(tld);
}

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
  readonly isAddress: boolean;
}

/** The client of an address with or without brackets, port and zone. */
export function clientOfAddress(text: string): AddressClient {
  const address = readAddress(text);
  if (address === undefined) return { key: text, site: text, prefixes: [], isAddress: false };
  if (address.version === 4) {
    const [a, b, c] = address.text.split(".");
    return { key: address.text, site: `${a}.${b}.${c}.0/24`, prefixes: [], isAddress: true };
  }
  const { bits } = address;
  const site = networkOf(bits, 48n);
  return {
    key: networkOf(bits, 64n),
    site,
    prefixes: [{ key: networkOf(bits, 56n), times: 4 }, { key: site, times: 64 }],
    isAddress: true,
  };
}

/** Where a request comes from. */
interface RequestSource {
  /** The peer address of the socket. */
  readonly socket: string;
  /** X-Forwarded-For, empty if absent; several headers are joined by commas. */
  readonly forwardedFor: string;
  /** The number of trusted proxies in front; each appends the address that it sees. */
  readonly trustedProxies: number;
}

/**
 * The client of a request: of the address that the outermost trusted proxy saw. The client can forge everything to its left.
 * Malformed headers fall back to the socket address, so they cannot mint a fresh rate limit.
 */
export function clientOfRequest(source: RequestSource, clientAt = clientOfAddress): AddressClient {
  const { socket, forwardedFor, trustedProxies } = source;
  if (trustedProxies <= 0) return clientAt(socket);
  const client = clientAt(forwardedFor.split(",").at(-trustedProxies)?.trim() ?? "");
  return client.isAddress ? client : clientAt(socket);
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
