/** The page's responses: static files, and documents rendered for a request. */
import { type AppContext, send } from "../api/context.ts";
import { acceptsGzip, LINK } from "../api/middleware.ts";
import type { ApiError } from "../api/errors.ts";
import { gzip, type PageFile } from "./files.ts";

/** Allows only our own files: nothing inline, no frames, and no script that parses text as HTML. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HTML = "text/html; charset=utf-8";

/** For responses that are not rate-limited: a document must not name files of an older version. */
export const CACHING = { "cache-control": "private, no-cache" };

/** For a file whose path has the hash of its content. */
const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable" };

/** Headers of HTML documents only. */
const DOCUMENT = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "strict-origin-when-cross-origin",
  "link": LINK,
};

/** Sends a static file; `isHashed` is whether its path can only mean this content. */
export function sendFile(
  c: AppContext,
  { type, etag, plain, gzipped }: PageFile,
  isHashed = false,
): Response {
  const isPacked = acceptsGzip(c.req.header("accept-encoding"));
  return send(c, isPacked ? gzipped : plain, {
    ...(isHashed ? IMMUTABLE : CACHING),
    ...(type === HTML && DOCUMENT),
    "content-type": type,
    etag,
    "vary": "Accept-Encoding",
    ...(isPacked && { "content-encoding": "gzip" }),
  });
}

/** Sends a document rendered for this request; not cached by default, because its rate-limit headers are per client. */
export async function sendHtml(
  c: AppContext,
  html: string,
  { status = 200, headers = {} }: {
    status?: 200 | ApiError["status"];
    headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Response> {
  const isPacked = acceptsGzip(c.req.header("accept-encoding"));
  const body = isPacked ? await gzip(new TextEncoder().encode(html)) : html;
  const own = {
    ...DOCUMENT,
    "content-type": HTML,
    "vary": "Accept, Accept-Encoding",
    ...(isPacked && { "content-encoding": "gzip" }),
    ...headers,
  };
  return send(c, body, own, status);
}
