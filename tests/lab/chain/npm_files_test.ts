import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { npmFiles } from "./npm_files.ts";

Deno.test("npmFiles() takes single files out of a package, and takes them once", async () => {
  await using pack = await createPackage();
  const [path] = await npmFiles(pack, ["deep/file.txt"], pack.cache);
  assertEquals(await Deno.readTextFile(path!), "what is in it");
  await Deno.writeTextFile(join(pack.folder, "deep/file.txt"), "something else");
  assertEquals(await npmFiles(pack, ["deep/file.txt"], pack.cache), [path]);
  assertEquals(await Deno.readTextFile(path!), "what is in it");
});

Deno.test("npmFiles() takes nothing out of a package that is not the pinned one", async () => {
  await using pack = await createPackage();
  const pinned = { ...pack, integrity: `sha512-${"A".repeat(86)}==` };
  await assertRejects(
    () => npmFiles(pinned, ["deep/file.txt"], pack.cache),
    Error,
    "Cannot trust tiny@file:",
  );
});

Deno.test("npmFiles() rejects for a missing file or package, and names it", async () => {
  await using pack = await createPackage();
  await assertRejects(
    () => npmFiles(pack, ["none.txt"], pack.cache),
    Error,
    "Cannot find none.txt in tiny",
  );
  const missing = { ...pack, version: `${pack.version}/none` };
  await assertRejects(
    () => npmFiles(missing, ["none.txt"], pack.cache),
    Error,
    "Cannot get tiny@file:",
  );
});

/** A package in a folder, which npm packs as it would one of its registry; and a cache of its own. */
async function createPackage() {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(join(folder, "deep"));
  await Deno.writeTextFile(join(folder, "deep/file.txt"), "what is in it");
  await Deno.writeTextFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "tiny", version: "1.0.0", files: ["deep"] }),
  );
  return {
    name: "tiny",
    version: `file:${folder}`,
    folder,
    cache: join(folder, "cache"),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
