/** Responses of documents: with an ETag, so that whoever keeps one is spared its body. */
import { isKnown } from "../api/is_known.ts";
import { LINK } from "../api/link.ts";
import { headersOf, type RequestContext } from "../api/responses.ts";
import type { Printed } from "./printed.ts";

/** Answers with a document, or with 304 where the caller has it. */
export function documentResponse(
  context: RequestContext,
  { document, text, etag }: Printed,
  request: Request,
): Response {
  const { contentSecurityPolicy } = document;
  const isStill = isKnown(etag, request);
  return new Response(isStill ? null : text, {
    status: isStill ? 304 : 200,
    headers: {
      ...headersOf(context),
      "content-type": document.type,
      etag,
      "link": LINK,
      ...(contentSecurityPolicy !== undefined &&
        { "content-security-policy": contentSecurityPolicy }),
    },
  });
}
