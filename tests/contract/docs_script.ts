/** The script of `/docs` equals the one in its npm package: 860 KB cannot be reviewed. */
import { assert, assertEquals } from "@std/assert";
import { parseTarGzip } from "nanotar";
import { DOCS_SCRIPT } from "../../src/documents/documents.ts";
import { createFolder } from "../support/folder.ts";
import { outcome } from "../support/outcome.ts";

Deno.test("the script of the reference page equals that of its package byte for byte", async () => {
  const [, version = ""] = /rapidoc-([\d.]+)\.min\.js$/.exec(DOCS_SCRIPT) ?? [];
  await using folder = await createFolder();
  const args = ["pack", `rapidoc@${version}`, "--silent", `--pack-destination=${folder.path}`];
  const { code, err } = await outcome(new Deno.Command("npm", { args }));
  assertEquals(code, 0, err);
  const files = await parseTarGzip(await Deno.readFile(`${folder.path}/rapidoc-${version}.tgz`));
  const theirs = files.find(({ name }) => name === "package/dist/rapidoc-min.js");
  const packed = await Deno.readFile(new URL(`../../static${DOCS_SCRIPT}.gz`, import.meta.url));
  const unpacking = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  assert(await new Response(unpacking).text() === theirs?.text);
});
