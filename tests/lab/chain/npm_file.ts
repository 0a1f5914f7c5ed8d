import { homedir } from "node:os";
import { basename, join } from "node:path";
import { parseTarGzip } from "nanotar";

/** A package at one version, and what its tarball must be. */
export interface NpmPackage {
  name: string;
  version: string;
  /** `sha512-…`; without it, what the registry states is all that is checked, which npm does. */
  integrity?: string;
}

/**
 * The path of one file of a package's tarball, kept in Deno's own cache folder. Such packages cannot be imported:
 * some would bring a decade of dependencies, others exist for one platform only. npm gets the tarball, for it alone
 * knows the registry of this machine.
 */
export async function npmFile(pack: NpmPackage, path: string): Promise<string> {
  const folder = join(
    cacheFolder(),
    "test-chain",
    `${pack.name.replace("/", "+")}@${pack.version}`,
  );
  const kept = join(folder, basename(path));
  if (await exists(kept)) return kept;
  const temporary = await Deno.makeTempDir();
  try {
    const [entry] = await parseTarGzip(await tarball(pack, temporary), {
      filter: ({ name }) => name === `package/${path}`,
    });
    if (!entry?.data) throw new Error(`Cannot find ${path} in ${pack.name}`);
    await Deno.mkdir(folder, { recursive: true });
    // A process that starts meanwhile finds the whole file or none.
    const unfinished = await Deno.makeTempFile({ dir: folder });
    await Deno.writeFile(unfinished, entry.data);
    await Deno.chmod(unfinished, 0o755);
    await Deno.rename(unfinished, kept);
    return kept;
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

function cacheFolder(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(homedir(), ".cache");
  return Deno.env.get("DENO_DIR") ?? join(cache, "deno");
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function tarball({ name, version, integrity }: NpmPackage, folder: string) {
  const { success, stdout, stderr } = await new Deno.Command("npm", {
    args: [
      "pack",
      "--json",
      "--loglevel=error",
      `--pack-destination=${folder}`,
      `${name}@${version}`,
    ],
    cwd: new URL("../../../", import.meta.url),
  }).output();
  const text = new TextDecoder();
  if (!success) throw new Error(`Cannot get ${name}@${version}: ${text.decode(stderr).trim()}`);
  const [{ filename }] = JSON.parse(text.decode(stdout));
  const bytes = await Deno.readFile(join(folder, filename));
  const got = `sha512-${new Uint8Array(await crypto.subtle.digest("SHA-512", bytes)).toBase64()}`;
  if (integrity !== undefined && got !== integrity) {
    throw new Error(`Cannot trust ${name}@${version}: it is ${got}, not ${integrity}`);
  }
  return bytes;
}
