/** The page's responses: static files, and documents rendered for a request. */
import type { AppContext } from "../api/app_env.ts";
import { acceptsGzip, LINK } from "../api/document_headers.ts";
import type { ApiError } from "../api/errors.ts";
import type { PageFile } from "./files.ts";

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

/**
 * For responses that are not rate-limited. Files import each other by plain names, so each is revalidated: a new file
 * must not meet an older version of another.
 */
export const CACHING = { "cache-control": "private, no-cache" };

/** Headers of HTML documents only. */
const DOCUMENT = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "strict-origin-when-cross-origin",
  "link": LINK,
};

/** Sends a static file. */
export function sendFile(c: AppContext, { type, etag, plain, gzipped }: PageFile): Response {
  const isPacked = acceptsGzip(c.req.header("accept-encoding"));
  return c.body(isPacked ? gzipped : plain, 200, {
    ...CACHING,
    ...(type === HTML && DOCUMENT),
    "content-type": type,
    etag,
    "vary": "Accept-Encoding",
    ...(isPacked && { "content-encoding": "gzip" }),
  });
}

/** Sends a document rendered for this request; not cached by default, because its rate-limit headers are per client. */
export function sendHtml(
  c: AppContext,
  html: string,
  { status = 200, headers = {} }: {
    status?: 200 | ApiError["status"];
    headers?: Readonly<Record<string, string>>;
  } = {},
): Response {
  return c.body(html, status, { ...DOCUMENT, "content-type": HTML, ...headers });
}
