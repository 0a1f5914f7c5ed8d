/** A KV file for several services of a test, which is deleted at the end. */
export interface KvFile extends AsyncDisposable {
  readonly path: string;
  open(): Promise<Deno.Kv>;
}

/** Creates one, in a folder of its own. */
export async function createKvFile(): Promise<KvFile> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/kv`;
  return {
    path,
    open: () => Deno.openKv(path),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
