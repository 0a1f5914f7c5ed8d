/** What a request's Host header says: whether it may be routed by it, and the service's own address. */
import { memoized } from "../flow/cache/memoized.ts";

/** A host name (underscores occur, so they are accepted) or an IP address, with an optional port. */
const HOST =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})*\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** A service has few hosts, but a client may send any. */
const MAX_HOSTS = 100;
const isHost = memoized((host) => HOST.test(host) && URL.canParse(`http://${host}/`), MAX_HOSTS);
/** The host in a URL, as Deno builds it. */
const URL_HOST = /^https?:\/\/([^/?#]*)/;

/**
 * Whether the Host header, or the absolute URL in its place, is a host. Deno builds the request's URL from it, so `a/check?`
 * would become its path, and `256.1.1.1` would leave no valid URL. HTTP/1.0 and HTTP/2 send no such header.
 */
export function hasValidHost({ headers, url }: Request): boolean {
  const sent = headers.get("host");
  return (sent === null || isHost(sent)) && isHost(URL_HOST.exec(url)?.[1] ?? "");
}

/**
 * The service's own address as this client reaches it, without a trailing slash. The host is that of the Host header, which
 * `hasValidHost` has checked; X-Forwarded-Proto counts only behind a trusted proxy.
 */
export function baseUrl({ url, headers }: Request, trustedProxies: number): string {
  const { protocol, host } = new URL(url);
  const forwarded = trustedProxies > 0 ? headers.get("x-forwarded-proto") : null;
  const isKnown = forwarded === "http" || forwarded === "https";
  return `${isKnown ? `${forwarded}:` : protocol}//${host}`;
}
