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

/** Copies the modules of a folder to the same place below `target`. */
export async function copySources(folder: string, target: string): Promise<void> {
  for await (const file of sourceFiles(new URL(folder, root))) {
    const copy = `${target}/${file.pathname.slice(root.pathname.length)}`;
    await Deno.mkdir(copy.slice(0, copy.lastIndexOf("/")), { recursive: true });
    await Deno.copyFile(file, copy);
  }
}
