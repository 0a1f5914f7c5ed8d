/** Whatever is read about the API rather than asked of it. */
import type { Services } from "../wiring/services.ts";
import { baseUrl } from "../api/base_url.ts";
import { DOCS_SCRIPT, docsScriptResponse } from "./docs_script.ts";
import { documentResponse } from "./response.ts";
import { documents } from "./documents.ts";
import { ApiError } from "../api/errors.ts";
import { METHODS } from "../api/operation.ts";
import { createPrinted } from "./printed.ts";
import { errorResponse, type RequestContext } from "../api/responses.ts";

/** Answers a request for a document, or says that there is none. */
export type Library = (request: Request, context: RequestContext) => Response | Promise<Response>;

/** Made once: strangers try paths by the thousand. */
const NOTHING_HERE = new ApiError("not_found", "/llms.txt tells what there is");

type Show = (request: Request, context: RequestContext) => Promise<Response>;

/** Opens the library; nothing is printed before it is asked for. */
export function openLibrary(
  { version, limits: { perAddress: limit, trustedProxies } }: Pick<Services, "version" | "limits">,
): Library {
  const shelf = new Map<string, Show>([[DOCS_SCRIPT, docsScriptResponse]]);
  for (const document of documents) {
    const getPrinted = createPrinted(document, { version, limit });
    shelf.set(document.path, async (request, context) => {
      context.route = document.path;
      const printed = await getPrinted(baseUrl(request, trustedProxies));
      return documentResponse(context, printed, request);
    });
  }
  return (request, context) => {
    const show = shelf.get(new URL(request.url).pathname);
    if (show === undefined) return errorResponse(context, NOTHING_HERE);
    if (request.method === "GET" || request.method === "HEAD") return show(request, context);
    return errorResponse(context, new ApiError("method_not_allowed", "send a GET request"), {
      allow: METHODS,
    });
  };
}
