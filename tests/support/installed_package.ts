import { parseTarGzip } from "nanotar";
import { packageTarball } from "../../src/cli/package/package.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { outcome } from "./outcome.ts";

/** The npm package in a folder of its own, as npm would install it. */
export type InstalledPackage = Awaited<ReturnType<typeof installPackage>>;

/** Whether this machine has Node, which starts the package's command. */
export const HAS_NODE: boolean = await new Deno.Command("node", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);

let built: Promise<Uint8Array> | undefined;

/** The tarball, built once for all tests of a file. */
export function builtPackage(): Promise<Uint8Array> {
  return built ??= packageTarball();
}

/** Installs the package. In place of the package "deno", 40 MB from npm, stands the Deno that runs the test. */
export async function installPackage() {
  const folder = await Deno.makeTempDir();
  const modules = `${folder}/node_modules`;
  const write = async (path: string, data: string | Uint8Array) => {
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeFile(path, typeof data === "string" ? new TextEncoder().encode(data) : data);
  };
  for (const { name, data } of await parseTarGzip(await builtPackage())) {
    const path = name.replace("package/", "domain-availability/");
    await write(`${modules}/${path}`, data ?? "");
  }
  const install = `exports.runInstall = () => ${JSON.stringify(Deno.execPath())};`;
  await write(`${modules}/deno/install_api.cjs`, install);

  /** The command line that starts it in Node on the lab, in the folder. */
  const commandOf = (lab: Lab, args: readonly string[], env: Record<string, string> = {}) => ({
    command: "node",
    args: [`${modules}/domain-availability/launcher.js`, ...args],
    cwd: folder,
    env: {
      ...labEnv(lab),
      ...proxyEnv(lab),
      // Empty counts as unset, so that a variable of the machine does not decide where KV is.
      KV_PATH: "",
      XDG_CACHE_HOME: `${folder}/cache`,
      ...env,
    } as Record<string, string>,
  });
  /** Starts its command so. */
  const start = (...called: Parameters<typeof commandOf>): Deno.ChildProcess => {
    const { command, ...options } = commandOf(...called);
    const streams = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
    return new Deno.Command(command, { ...options, ...streams }).spawn();
  };
  return {
    /** The folder whose `node_modules` has it. */
    folder,
    commandOf,
    start,
    /** Runs its command and reads what it printed. */
    run: (...called: Parameters<typeof commandOf>) => outcome(start(...called)),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/**
 * Returns a function that registers tests of the package's command on a lab. On Windows its launcher, which is Node's, finds
 * the cache elsewhere.
 */
export function testsOfPackage(options: Partial<Deno.TestDefinition> = {}) {
  const ignore = options.ignore || !HAS_NODE || Deno.build.os !== "linux";
  return (name: string, run: (on: { installed: InstalledPackage; lab: Lab }) => Promise<void>) =>
    Deno.test(`the package's command ${name}`, { ...options, ignore }, async () => {
      await using lab = await startLab();
      await using installed = await installPackage();
      await run({ installed, lab });
    });
}
