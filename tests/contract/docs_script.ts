/** Whether the script of `/docs` is what its npm package has: nobody reads 860 KB in a review. */
import { assert } from "@std/assert";
import { DOCS_SCRIPT } from "../../src/documents/documents.ts";
import { npmFiles } from "../lab/chain/npm_files.ts";

Deno.test("the script of the reference page is byte for byte that of its package", async () => {
  const [, version = ""] = /rapidoc-([\d.]+)\.min\.js$/.exec(DOCS_SCRIPT) ?? [];
  const [theirs = ""] = await npmFiles({ name: "rapidoc", version }, ["dist/rapidoc-min.js"]);
  const packed = await Deno.readFile(new URL(`../../static${DOCS_SCRIPT}.gz`, import.meta.url));
  const unpacking = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  assert(await new Response(unpacking).text() === await Deno.readTextFile(theirs));
});
