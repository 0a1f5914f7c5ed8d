/** `deno task package`: builds the npm package, which is the bundled command line with its launcher and the typed client. */
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { createTarGzip } from "nanotar";
import manifest from "../../../deno.json" with { type: "json" };
import { MCP_SERVER } from "../../mcp/identity.ts";
import { openTerminal, refuse, runCommand } from "../terminal.ts";
import { clientTypes } from "./client_types.ts";

const ROOT = new URL("../../../", import.meta.url);
/** What the command line is made of. */
const SOURCES = ["src", "cron", "static"];
/** The date that npm itself gives to files, so that the same sources make the same bytes. */
const MTIME = Date.UTC(1985, 9, 26, 8, 15);

/** The file name of the tarball, as `npm pack` would name it. */
export const TARBALL = `${manifest.name}-${manifest.version}.tgz`;

/** Builds the tarball; `repository` is `owner/name` on GitHub, where the package is published from one. */
export async function packageTarball(repository?: string): Promise<Uint8Array> {
  const files = await packageFiles(repository);
  return await createTarGzip(files.map(({ name, data }) => ({
    name: `package/${name}`,
    data,
    attrs: { mtime: MTIME, mode: name === "launcher.js" ? "755" : "644" },
  })));
}

/** Every file of the package. */
async function packageFiles(repository?: string) {
  const [command, client] = await bundle(["src/cli/package/command.ts", "src/client.ts"]);
  const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
  return [
    { name: "package.json", data: `${JSON.stringify(packageJson(repository), undefined, 2)}\n` },
    {
      name: "README.md",
      data: (await read("src/cli/package/README.md")).replaceAll("{tarball}", TARBALL)
        .replaceAll("{name}", manifest.name),
    },
    { name: "LICENSE", data: await read("LICENSE") },
    { name: "launcher.js", data: await read("src/cli/package/launcher.js") },
    { name: "command.js", data: command ?? "" },
    { name: "client.js", data: client ?? "" },
    { name: "client.d.ts", data: clientTypes() },
  ];
}

function packageJson(repository?: string) {
  const { name, version } = manifest;
  return {
    name,
    version,
    description: MCP_SERVER.description,
    license: "MIT",
    ...(repository !== undefined && {
      repository: { type: "git", url: `git+https://github.com/${repository}.git` },
    }),
    keywords: ["domain", "availability", "rdap", "whois", "ens", "mcp", "cli"],
    type: "module",
    bin: { [name]: "launcher.js" },
    exports: {
      ".": { types: "./client.d.ts", default: "./client.js" },
      "./package.json": "./package.json",
    },
    engines: { node: ">=18" },
    // The version that has bundled the command line, because another one might run it differently.
    dependencies: { deno: Deno.version.deno },
  };
}

/**
 * Bundles modules, each into one file, from a copy of the sources: the bundler puts the whole of deno.json into the
 * bundle, so the copy has one without tasks and tests.
 */
async function bundle(entries: readonly string[]): Promise<Uint8Array[]> {
  const folder = await Deno.makeTempDir();
  try {
    for (const source of SOURCES) {
      cpSync(new URL(source, ROOT), `${folder}/${source}`, { recursive: true });
    }
    const { name, version, unstable, imports } = manifest;
    const packages = Object.entries(imports).filter(([, target]) => target.startsWith("npm:"));
    const config = { name, version, unstable, imports: Object.fromEntries(packages) };
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
    await Deno.copyFile(new URL("deno.lock", ROOT), `${folder}/deno.lock`);
    const bundles: Uint8Array[] = [];
    for (const entry of entries) {
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["bundle", "--quiet", "--platform=deno", "--minify", "--output=bundle.js", entry],
        cwd: folder,
        stdout: "null",
        stderr: "piped",
      }).output();
      if (!success) throw new Error(`Cannot bundle ${entry}: ${new TextDecoder().decode(stderr)}`);
      bundles.push(await Deno.readFile(`${folder}/bundle.js`));
    }
    return bundles;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const terminal = openTerminal();
  const options = { out: { type: "string" } } as const;
  const usage = "Usage: deno task package [--out <folder>]\n";
  const spec = { ...terminal, options, usage };
  const exitCode = await runCommand(Deno.args, spec, async ({ out }, { length }) => {
    if (length > 0) refuse("Expected options only");
    // `deno task` runs in the folder of deno.json, and names the user's own in INIT_CWD.
    const folder = out === undefined
      ? await Deno.makeTempDir()
      : resolve(Deno.env.get("INIT_CWD") ?? "", out);
    await Deno.mkdir(folder, { recursive: true });
    const path = join(folder, TARBALL);
    // Set by GitHub Actions, in the release workflow.
    await Deno.writeFile(path, await packageTarball(Deno.env.get("GITHUB_REPOSITORY")));
    await terminal.write(`${path}\n`);
    return 0;
  });
  Deno.exit(exitCode);
}
