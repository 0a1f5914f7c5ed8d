/** Responses of documents: with an ETag, so that whoever keeps one is spared its body. */
import type { Printed } from "./printed.ts";
import { headersOf, type Visit } from "./responses.ts";

/** Where everything else is found (RFC 8288; `describedby` is what llms.txt asks for). */
const LINK = [
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</openapi.yaml>; rel="service-desc"; type="application/yaml"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</.well-known/api-catalog>; rel="api-catalog"',
].join(", ");

/** Answers with a document, or with 304 where the caller has it. */
export function documentResponse(
  visit: Visit,
  { document, text, etag }: Printed,
  request: Request,
): Response {
  const { contentSecurityPolicy } = document;
  const isKnown = knows(request.headers.get("if-none-match"), etag);
  return new Response(isKnown ? null : text, {
    status: isKnown ? 304 : 200,
    headers: {
      ...headersOf(visit),
      "content-type": document.type,
      etag,
      "link": LINK,
      ...(contentSecurityPolicy !== undefined &&
        { "content-security-policy": contentSecurityPolicy }),
    },
  });
}

/** Whether a list of If-None-Match holds the tag; weak ones count (RFC 9110 §13.1.2). */
function knows(sent: string | null, etag: string): boolean {
  return sent !== null &&
    sent.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
