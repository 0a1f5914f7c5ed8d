/** The script of `/docs` equals the one in its npm package: 860 KB cannot be reviewed. */
import { assert } from "@std/assert";
import { parseTarGzip } from "nanotar";
import { DOCS_SCRIPT } from "../../src/documents/documents.ts";

Deno.test("the script of the reference page equals that of its package byte for byte", async () => {
  const [, version = ""] = /rapidoc-([\d.]+)\.min\.js$/.exec(DOCS_SCRIPT) ?? [];
  const folder = await Deno.makeTempDir();
  const { success } = await new Deno.Command("npm", {
    args: ["pack", `rapidoc@${version}`, "--silent", `--pack-destination=${folder}`],
  }).output();
  assert(success, `npm cannot get rapidoc@${version}`);
  const files = await parseTarGzip(await Deno.readFile(`${folder}/rapidoc-${version}.tgz`));
  await Deno.remove(folder, { recursive: true });
  const theirs = files.find(({ name }) => name === "package/dist/rapidoc-min.js");
  const packed = await Deno.readFile(new URL(`../../static${DOCS_SCRIPT}.gz`, import.meta.url));
  const unpacking = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  assert(await new Response(unpacking).text() === theirs?.text);
});
