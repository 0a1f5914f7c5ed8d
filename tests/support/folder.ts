/** Creates a folder for a test, which is deleted at the end. */
export async function createFolder() {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
