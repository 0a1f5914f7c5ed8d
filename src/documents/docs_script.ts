/** The script of the reference page: RapiDoc as its npm package has it, compressed, so that nobody else is asked. */
import { headersOf, type RequestContext } from "../api/responses.ts";
import { takesGzip } from "../api/takes_gzip.ts";

/** Its version is in its name: what is kept of it stays true. */
export const DOCS_SCRIPT = "/docs/rapidoc-9.3.8.min.js";

const FILE = new URL(`../../static${DOCS_SCRIPT}.gz`, import.meta.url);

/** Answers with the script, unpacked for the few that take no gzip. */
export async function docsScriptResponse(
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const packed = await Deno.readFile(FILE);
  const isPacked = takesGzip(request);
  return new Response(isPacked ? packed : unpack(packed), {
    headers: {
      ...headersOf(context),
      "content-type": "text/javascript; charset=utf-8",
      ...(isPacked && { "content-encoding": "gzip" }),
      "vary": "accept-encoding",
      // Private: a shared cache would answer one caller with another's limits.
      "cache-control": "private, max-age=31536000, immutable",
    },
  });
}

function unpack(packed: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}
