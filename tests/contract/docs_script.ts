/** Whether the script of `/docs` is what its npm package has: nobody reads 860 KB in a review. */
import { assertEquals } from "@std/assert";
import { DOCS_SCRIPT } from "../../src/api/docs_script.ts";

Deno.test("the script of the reference page is byte for byte that of its package", async () => {
  const [, version = ""] = /rapidoc-([\d.]+)\.min\.js$/.exec(DOCS_SCRIPT) ?? [];
  const folder = await Deno.makeTempDir();
  try {
    const { success, stderr } = await new Deno.Command("npm", {
      args: ["install", "--no-save", "--ignore-scripts", "--prefix", folder, `rapidoc@${version}`],
      env: { RES_OPTIONS: "" },
    }).output();
    assertEquals(success, true, new TextDecoder().decode(stderr));
    const packed = await Deno.readFile(new URL(`../../static${DOCS_SCRIPT}.gz`, import.meta.url));
    const unpacking = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const ours = await new Response(unpacking).text();
    const theirs = await Deno.readTextFile(`${folder}/node_modules/rapidoc/dist/rapidoc-min.js`);
    assertEquals(ours === theirs, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
