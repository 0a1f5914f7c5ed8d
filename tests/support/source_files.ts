import { readdirSync } from "node:fs";

/** The top of the repository. */
export const root = new URL("../../", import.meta.url);

/** The files in a folder of the repository, at any depth, whose names match, in the order of their paths. */
export function filesIn(folder: string, name: RegExp): URL[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((path) => name.test(path) && !path.includes("node_modules"))
    .toSorted()
    .map((path) => new URL(folder + path, root));
}

/** The modules of src, cron and static. */
export function ourFiles(): URL[] {
  return ["src/", "cron/", "static/"].flatMap((folder) => filesIn(folder, /\.(?:ts|js)$/));
}
