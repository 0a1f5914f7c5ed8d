/** The script of `/docs` equals the one in its npm package: 860 KB cannot be reviewed. */
import { assert } from "@std/assert";
import { DOCS_SCRIPT } from "../../src/documents/documents.ts";
import { npmFiles } from "../lab/chain/npm_files.ts";

Deno.test("the script of the reference page equals that of its package byte for byte", async () => {
  const [, version = ""] = /rapidoc-([\d.]+)\.min\.js$/.exec(DOCS_SCRIPT) ?? [];
  const [theirs = ""] = await npmFiles({ name: "rapidoc", version }, ["dist/rapidoc-min.js"]);
  const packed = await Deno.readFile(new URL(`../../static${DOCS_SCRIPT}.gz`, import.meta.url));
  const unpacking = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  assert(await new Response(unpacking).text() === await Deno.readTextFile(theirs));
});
