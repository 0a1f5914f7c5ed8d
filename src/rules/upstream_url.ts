/** Which URLs may be an upstream's: none that a stranger, or a broken file, could point at the inside of a network. */
import { isPublicAddress, parseIpAddress } from "./ip_address.ts";

/**
 * Top-level domains that public DNS never resolves, so that only a resolver inside of a network could answer for names
 * under them: `localhost`, `test` and `invalid` (RFC 6761), `local` (RFC 6762), `onion` (RFC 7686), `alt` (RFC 9476) and
 * `internal` (kept for private use by ICANN in 2024). Under `arpa` there is infrastructure only (RFC 3172), `home.arpa`
 * (RFC 8375) among it. `example` is special too (RFC 6761), but stands for no network's inside: documents are full of it.
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

/** The longest base in IANA's table has 60 characters (2026-09); KV must be able to hold one for every TLD. */
const LONGEST_BASE = 256;

/**
 * Whether a URL may be asked: https to a public host, unless this is a lab (`allowInsecure`). An operator's upstream may
 * be on any port but those that `fetch` itself refuses (mail, SSH and others).
 *
 * A public name that an attacker lets resolve to a private address (`127.0.0.1.nip.io`, or any of his own) passes: no
 * list of names could refuse them all. Such a host must show a certificate for that name, answers to a registry's
 * question are believed only after the canary, and no answer is ever passed on.
 */
export function isUpstreamUrl(text: string, allowInsecure: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (allowInsecure) return url.protocol === "https:" || url.protocol === "http:";
  return url.protocol === "https:" && isPublicHost(url.hostname);
}

/** Whether a registry's base URL, which comes from a remote file, may be asked: only on the port of https. */
export function isRegistryBase(text: string, allowInsecure: boolean): boolean {
  if (text.length > LONGEST_BASE || !isUpstreamUrl(text, allowInsecure)) return false;
  return allowInsecure || URL.parse(text)?.port === "";
}

/** Of a host as the URL parser writes it: `0x7f.1` has become `127.0.0.1`, and IPv6 is in brackets. */
function isPublicHost(hostname: string): boolean {
  const address = parseIpAddress(hostname.replace(/^\[(.*)\]$/, "$1"));
  if (address !== undefined) return isPublicAddress(address);
  // The dot of the root makes no other host of it.
  const name = hostname.replace(/\.$/, "");
  const dot = name.lastIndexOf(".");
  // A name without a dot is looked up in the network's own domain.
  return dot >= 0 && !NEVER_PUBLIC.has(name.slice(dot + 1));
}
