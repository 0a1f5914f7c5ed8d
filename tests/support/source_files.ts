/** The top of the repository. */
export const root = new URL("../../", import.meta.url);

/** The modules in a folder, at any depth. */
export async function* sourceFiles(folder: URL): AsyncGenerator<URL> {
  for await (const entry of Deno.readDir(folder)) {
    const url = new URL(entry.isDirectory ? `${entry.name}/` : entry.name, folder);
    if (entry.isDirectory) yield* sourceFiles(url);
    else if (/\.(?:ts|js)$/.test(entry.name)) yield url;
  }
}

/** The modules of src, cron and static. */
export async function* ourFiles(): AsyncGenerator<URL> {
  for (const folder of ["src/", "cron/", "static/"]) yield* sourceFiles(new URL(folder, root));
}
