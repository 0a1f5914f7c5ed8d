/** The page's responses: static files with ETags, and documents rendered per request. */
import { acceptsGzip, LINK, matchesEtag } from "../api/document_headers.ts";
import { headersOf, type RequestContext } from "../api/responses.ts";
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

/** A static file, or 304 if the client has it. */
export function fileResponse(context: RequestContext, file: PageFile, request: Request): Response {
  const own = {
    ...headersOf(context),
    ...CACHING,
    ...(file.type === HTML && DOCUMENT),
    "content-type": file.type,
    "etag": file.etag,
    "vary": "Accept-Encoding",
  };
  if (matchesEtag(request, file.etag)) {
    return new Response(null, { status: 304, headers: own });
  }
  if (!acceptsGzip(request)) return new Response(file.plain, { headers: own });
  return new Response(file.gzipped, { headers: { ...own, "content-encoding": "gzip" } });
}

/** A document rendered for this request; not cached by default, because its rate-limit headers are per client. */
export function htmlResponse(
  context: RequestContext,
  html: string,
  { status = 200, extra = {} }: { status?: number; extra?: Readonly<Record<string, string>> } = {},
): Response {
  const own = { ...headersOf(context), ...DOCUMENT, "content-type": HTML, ...extra };
  return new Response(html, { status, headers: own });
}

/** The page's data; it changes rarely, so it may be cached for five minutes. */
export function dataResponse(context: RequestContext, data: unknown, request: Request): Response {
  const headers = {
    ...headersOf(context),
    "cache-control": "private, max-age=300",
    "vary": "Accept-Encoding",
  };
  const body = new Blob([JSON.stringify(data)]).stream();
  if (!acceptsGzip(request)) return new Response(body, { headers });
  const gzipped = body.pipeThrough(new CompressionStream("gzip"));
  return new Response(gzipped, { headers: { ...headers, "content-encoding": "gzip" } });
}
