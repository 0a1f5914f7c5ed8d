/** `deno task package`: writes the npm package's tarball and prints its path. */
import { join, resolve } from "node:path";
import { parseArguments } from "../parse_arguments.ts";
import { packageTarball, TARBALL } from "./package.ts";

const encode = (line: string) => new TextEncoder().encode(`${line}\n`);
const options = { out: { type: "string" } } as const;
const read = parseArguments({ args: Deno.args, options });
if (read instanceof TypeError) {
  Deno.stderr.writeSync(encode(`${read.message}\nUsage: deno task package [--out <folder>]`));
  Deno.exit(1);
}
const { out } = read.values;
// `deno task` runs in the folder of deno.json, and names the user's own in INIT_CWD.
const folder = out === undefined
  ? await Deno.makeTempDir()
  : resolve(Deno.env.get("INIT_CWD") ?? "", out);
await Deno.mkdir(folder, { recursive: true });
const path = join(folder, TARBALL);
// Set by GitHub Actions, in the release workflow.
await Deno.writeFile(path, await packageTarball({ repository: Deno.env.get("GITHUB_REPOSITORY") }));
Deno.stdout.writeSync(encode(path));
