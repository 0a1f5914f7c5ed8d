/** Headers of documents and page files, in requests and responses. */
import { parseAccept } from "hono/utils/accept";

/** The Link header, which leads programs to the documents (RFC 8288; llms.txt is `describedby`). */
export const LINK = [
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</openapi.yaml>; rel="service-desc"; type="application/yaml"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</.well-known/api-catalog>; rel="api-catalog"',
].join(", ");

/** Whether If-None-Match holds the tag, by weak comparison (RFC 9110 §13.1.2). Hono's `etag` would hash every response. */
export function matchesEtag({ headers }: Request, etag: string): boolean {
  const sent = headers.get("if-none-match")?.split(",").map(opaqueTag) ?? [];
  return sent.includes("*") || sent.includes(opaqueTag(etag));
}

function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}

/** Whether the client accepts gzip. */
export function acceptsGzip({ headers }: Request): boolean {
  const accepted = parseAccept(headers.get("accept-encoding") ?? "");
  return accepted.some(({ type, q }) => type === "gzip" && q > 0);
}
