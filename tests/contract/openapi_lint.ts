/** What linters of OpenAPI say of our document. */
import { assert, assertMatch } from "@std/assert";
import { openapiYaml } from "../../src/documents/openapi.ts";
import { npmTool, type TOOLS } from "./npm_tool.ts";

/** All of Spectral's for OpenAPI, but: nobody in particular answers for every copy of this service, and MIT has a name. */
const SPECTRAL_RULES = JSON.stringify({
  extends: [["spectral:oas", "all"]],
  rules: { "info-contact": "off", "license-url": "off" },
});

const DOCUMENT = openapiYaml({ version: "1.2.3", limit: 60 })
  .replaceAll("{base}", "https://domains.test");

/** Runs a linter; `argsIn` makes its arguments for the folder that holds the document. */
async function lint(name: keyof typeof TOOLS, argsIn: (folder: string) => string[]) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/openapi.yaml`, DOCUMENT);
    await Deno.writeTextFile(`${folder}/rules.json`, SPECTRAL_RULES);
    const tool = await npmTool(name, argsIn(folder));
    const { success, stdout, stderr } = await tool.output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { success, said: decode(stdout) + decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("Redocly finds neither error nor warning in the document", async () => {
  const { success, said } = await lint(
    "redocly",
    (folder) => ["lint", "--extends=recommended", `${folder}/openapi.yaml`],
  );
  assert(success, said);
  assertMatch(said, /Your API description is valid/);
  assert(!/You have \d+ warning/.test(said), said);
});

Deno.test("Spectral finds nothing at all in the document", async () => {
  const { success, said } = await lint("spectral", (folder) => [
    "lint",
    `--ruleset=${folder}/rules.json`,
    "--fail-severity=hint",
    `${folder}/openapi.yaml`,
  ]);
  assert(success, said);
});
