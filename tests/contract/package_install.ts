/** Installs the npm package in an empty folder by npm itself, runs it there, and has TypeScript read its types. */
import { assertEquals, assertMatch } from "@std/assert";
import { TARBALL } from "../../src/cli/package/package.ts";
import { startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { createFolder } from "../support/folder.ts";
import { builtPackage } from "../support/installed_package.ts";
import { outcome } from "../support/outcome.ts";

const USER = `import { createClient } from "domain-availability";

const get = createClient("http://localhost:8000");
const { results: [row] } = await get("/check", { name: "a" });
export const likely: "available" | "taken" | undefined =
  row?.state === "unknown" ? row.likely : undefined;
export const { count } = await get.checkNames({ names: ["a.com", "b"], tlds: ["io"] });
for await (const streamed of get.stream({ name: "a" })) {
  const error: string | undefined = streamed.state === "unknown" ? streamed.error : undefined;
  console.log(error);
}
// @ts-expect-error -- a body needs names
export const missing = () => get.checkNames({ tlds: ["io"] });
// @ts-expect-error -- an answer has no such field
export const nope = row?.nope;
`;

Deno.test("npm installs the package in an empty folder, where its command runs and TypeScript reads its types", async () => {
  await using lab = await startLab();
  await using folder = await createFolder();
  const cwd = folder.path;
  const run = async (command: string, args: string[], env: Record<string, string> = {}) => {
    const { code, out, err } = await outcome(new Deno.Command(command, { args, cwd, env }));
    assertEquals(code, 0, `${command} ${args.join(" ")}: ${out}${err}`);
    return out;
  };
  await Deno.writeFile(`${cwd}/${TARBALL}`, await builtPackage());
  const packages = [`./${TARBALL}`, "typescript@5.9.3"];
  // The tests' variable that disables the system's DNS must not reach npm.
  await run("npm", ["install", "--silent", "--no-audit", ...packages], { RES_OPTIONS: "" });
  const { KV_PATH: _, ...onLab } = labEnv(lab);
  const args = ["--no-install", "domain-availability", "check", "free-name.com"];
  const env = { ...onLab, ...proxyEnv(lab), XDG_CACHE_HOME: `${cwd}/cache` };
  assertMatch(await run("npx", args, env), /✓ Available {2}free-name\.com/);

  await Deno.writeTextFile(`${cwd}/user.mts`, USER);
  const lib = ["--lib", "esnext,dom", "--target", "esnext"];
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noEmit"];
  const tsc = ["--no-install", "tsc", ...strict, ...lib, "--module", "nodenext", "user.mts"];
  assertEquals(await run("npx", tsc), "");
});
