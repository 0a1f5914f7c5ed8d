/**
 * Serves the documents and the script of the reference page.
 *
 * An operation is declared once (`src/api/operation.ts`). OpenAPI, llms.txt and the catalogs are rendered from that list at
 * first use; a test walks the imports of a start and finds no renderer among them. The script of `/docs` is in `static/docs`
 * as RapiDoc's npm package has it, compressed: files of the repository can be read wherever the service runs, Deno Deploy
 * included, and the package would add 127 others.
 */
import type { AppContext, AppHandler } from "../api/app_env.ts";
import { acceptsGzip, LINK } from "../api/document_headers.ts";
import { baseUrl } from "../api/host.ts";
import { operatorLine } from "../api/operator.ts";
import { lazy } from "../flow/cache/lazy.ts";
import type { Services } from "../wiring/services.ts";
import { DOCS_SCRIPT_FILE, type Document, documents } from "./documents.ts";

/** The handler of the paths of documents. Each is rendered once, but for the service's own address. */
export function openDocuments(
  { version, operator, limits: { perAddress: limit, trustedProxies } }: Pick<
    Services,
    "version" | "operator" | "limits"
  >,
): AppHandler {
  const about = { version, limit, operator: operatorLine(operator) };
  const byPath = new Map(
    Object.entries<Document>(documents).map(([path, document]) => [
      path,
      { document, text: lazy(async () => await document.render(about)) },
    ]),
  );
  return async (c) => {
    const found = byPath.get(c.req.path);
    if (found === undefined) return await sendDocsScript(c);
    const { type, contentSecurityPolicy } = found.document;
    const textAt = await found.text.get();
    return c.body(textAt(baseUrl(c.req.raw, trustedProxies)), 200, {
      "content-type": type,
      "link": LINK,
      ...(contentSecurityPolicy !== undefined &&
        { "content-security-policy": contentSecurityPolicy }),
    });
  };
}

/** Sends the script, unpacked for the few clients that do not accept gzip. */
async function sendDocsScript(c: AppContext): Promise<Response> {
  const packed = await Deno.readFile(DOCS_SCRIPT_FILE);
  const isPacked = acceptsGzip(c.req.header("accept-encoding"));
  return c.body(isPacked ? packed : unpack(packed), 200, {
    "content-type": "text/javascript; charset=utf-8",
    ...(isPacked && { "content-encoding": "gzip" }),
    "vary": "accept-encoding",
    // Private, because a shared cache would serve one client's rate-limit headers to others.
    "cache-control": "private, max-age=31536000, immutable",
  });
}

function unpack(packed: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}
