/** Matches static imports and re-exports of files; type imports are erased before a test runs. */
const IMPORT =
  /^(?:import|export)\s+(?!type\s)(?:[^;"']*?\sfrom\s+)?["'](?<specifier>\.[^"']+)["']/gm;

/** The file and all files that it imports, directly or indirectly. */
export async function importedFiles(file: URL): Promise<URL[]> {
  const reached = new Set([file.href]);
  for (const href of reached) {
    const text = await Deno.readTextFile(new URL(href));
    for (const { groups } of text.matchAll(IMPORT)) {
      reached.add(new URL(groups?.specifier ?? "", href).href);
    }
  }
  return [...reached].map((href) => new URL(href));
}
