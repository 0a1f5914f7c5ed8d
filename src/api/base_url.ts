/**
 * The service's own address as this caller reaches it, without a slash at its end. Its host is what the Host header
 * says, which was looked at before; what a proxy says of the scheme counts only where there is one.
 */
export function baseUrl({ url, headers }: Request, trustedProxies: number): string {
  const { protocol, host } = new URL(url);
  const forwarded = trustedProxies > 0 ? headers.get("x-forwarded-proto") : null;
  const isKnown = forwarded === "http" || forwarded === "https";
  return `${isKnown ? `${forwarded}:` : protocol}//${host}`;
}
