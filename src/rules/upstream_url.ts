/** Which URLs are allowed as upstreams: none inside a private network (SSRF protection). */
import { isPublicAddress, parseIpAddress } from "./ip_address.ts";

/**
 * Top-level domains that public DNS never resolves, so that only a resolver of a private network could answer for them:
 * `localhost`, `test` and `invalid` (RFC 6761), `local` (RFC 6762), `onion` (RFC 7686), `alt` (RFC 9476) and
 * `internal` (reserved for private use by ICANN in 2024). `arpa` holds infrastructure only (RFC 3172), including
 * `home.arpa` (RFC 8375). `example` is special too (RFC 6761), but only a placeholder in documentation.
 */
const NEVER_PUBLIC: ReadonlySet<string> = new Set([
  "localhost",
  "test",
  "invalid",
  "local",
  "onion",
  "alt",
  "internal",
  "arpa",
]);

/** The longest base in IANA's table has 60 characters (2026-09); KV must hold one for every TLD. */
const LONGEST_BASE = 256;

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
