/** Headers of documents and page files, in requests and responses. */
import { parseAccept } from "hono/utils/accept";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import type { AppMiddleware } from "./app_env.ts";
import { EXPOSED_HEADERS } from "./middleware.ts";

/** The Link header, which leads programs to the documents (RFC 8288; llms.txt is `describedby`). */
export const LINK = [
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</openapi.yaml>; rel="service-desc"; type="application/yaml"',
  '</docs>; rel="service-doc"; type="text/html"',
].join(", ");

/** Answers 304 where If-None-Match has the response's ETag; the headers of every response stay. */
export const revalidate: AppMiddleware = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    ...EXPOSED_HEADERS,
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
  ],
});

/** Whether the client accepts gzip. */
export function acceptsGzip(acceptEncoding = ""): boolean {
  return parseAccept(acceptEncoding).some(({ type, q }) => type === "gzip" && q > 0);
}
