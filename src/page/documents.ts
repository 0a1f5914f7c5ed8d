/** The page's responses: files with their validators, and documents that are made for one request. */
import { acceptsGzip, LINK, matchesEtag } from "../api/document_headers.ts";
import { headersOf, type RequestContext } from "../api/responses.ts";
import type { PageFile } from "./files.ts";

/** Nothing but our own files, nothing inline, no frame, and no script that makes HTML out of text. */
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
 * For what costs no request. Files refer to each other by plain names: each is asked for again, so that none meets
 * another's older self.
 */
export const CACHING = { "cache-control": "private, no-cache" };

/** What means something for a document only. */
const DOCUMENT = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "strict-origin-when-cross-origin",
  "link": LINK,
};

/** A file, or only that it is still the same. */
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

/** A document that was made for this request; nobody keeps it, for it says how its asker's limit stands. */
export function htmlResponse(
  context: RequestContext,
  html: string,
  { status = 200, extra = {} }: { status?: number; extra?: Readonly<Record<string, string>> } = {},
): Response {
  const own = { ...headersOf(context), ...DOCUMENT, "content-type": HTML, ...extra };
  return new Response(html, { status, headers: own });
}

/** Data of the page; it changes rarely, and nobody is harmed by what is a few minutes old. */
export function dataResponse(context: RequestContext, data: unknown): Response {
  const headers = { ...headersOf(context), "cache-control": "private, max-age=300" };
  return new Response(JSON.stringify(data), { headers });
}
