/** A host name (underscores tolerated: they occur) or an address, with an optional port. */
const HOST =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})*\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Whether a request may be routed by its Host header, or by the absolute URL that stands in its place: all other text
 * would become part of the request's URL, and `a/check?` its path; with some, such as `256.1.1.1`, there would be no
 * URL. HTTP/1.0 and HTTP/2 send no such header.
 */
export function hasHost({ headers, url }: Request): boolean {
  const host = headers.get("host");
  return (host === null || HOST.test(host)) && URL.canParse(url);
}
