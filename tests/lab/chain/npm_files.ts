import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseTarGzip } from "nanotar";

/** A package at one version, and what its tarball must be. */
export interface NpmPackage {
  name: string;
  version: string;
  /** `sha512-…`; without it, what the registry states is all that is checked, which npm does. */
  integrity?: string;
}

/**
 * The paths of single files of a package's tarball, cached in Deno's own cache folder. Such packages cannot be imported:
 * some have a decade of dependencies, others exist for one platform only. npm downloads the tarball, because only npm
 * reads this machine's registry configuration; Deno runs npm, because nothing but Deno may be installed.
 */
export async function npmFiles(
  pack: NpmPackage,
  paths: readonly string[],
  cache: string = cacheFolder(),
): Promise<string[]> {
  const folder = join(cache, "test-chain", folderName(pack));
  const kept = paths.map((path) => join(folder, basename(path)));
  if ((await Promise.all(kept.map(exists))).every(Boolean)) return kept;
  const files = await parseTarGzip(await tarball(pack));
  for (const [index, path] of paths.entries()) {
    const data = files.find(({ name }) => name === `package/${path}`)?.data;
    if (!data) throw new Error(`Cannot find ${path} in ${pack.name}`);
    await keep(kept[index]!, data);
  }
  return kept;
}

/** Writes the file atomically: a concurrent reader finds the whole file or none. */
async function keep(path: string, data: Uint8Array) {
  await Deno.mkdir(dirname(path), { recursive: true });
  const unfinished = await Deno.makeTempFile({ dir: dirname(path) });
  await Deno.writeFile(unfinished, data);
  await Deno.chmod(unfinished, 0o755);
  await Deno.rename(unfinished, path);
}

/** Each pin has its own folder: the files in it were checked against that pin. */
function folderName({ name, version, integrity = "" }: NpmPackage): string {
  return `${name}@${version}-${integrity.slice(-16)}`.replaceAll("/", "_");
}

/** The folder that may hold an npm configuration. */
const ROOT = new URL("../../../", import.meta.url);

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

async function tarball(pack: NpmPackage): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir();
  try {
    const bytes = await Deno.readFile(join(folder, await download(pack, folder)));
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-512", bytes));
    const got = `sha512-${hash.toBase64()}`;
    if (got === (pack.integrity ?? got)) return bytes;
    throw new Error(`Cannot trust ${pack.name}@${pack.version}: it is ${got}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const NPM = "npm:npm@11.6.2";
/** Lets npm fail within seconds when offline. */
const FEW_RETRIES = ["--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"];

/** npm checks what it gets against what the registry states. */
async function download({ name, version }: NpmPackage, folder: string): Promise<string> {
  const spec = `${name}@${version}`;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--allow-all", "--no-config", "--no-lock", "--quiet", NPM, "pack", spec],
      `--pack-destination=${folder}`,
      "--json",
      "--prefer-offline",
      ...FEW_RETRIES,
    ],
    cwd: ROOT,
    // A lab in this process disables the system's DNS, which npm needs to find its registry.
    env: { RES_OPTIONS: "" },
  }).output();
  const text = new TextDecoder();
  if (!success) throw new Error(`Cannot get ${spec}: ${text.decode(stderr).trim()}`);
  const [{ filename }] = JSON.parse(text.decode(stdout));
  return filename;
}
