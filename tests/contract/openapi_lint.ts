/** Linters find nothing in the OpenAPI document. */
import { assert, assertMatch } from "@std/assert";
import { openapiYaml } from "../../src/documents/openapi.ts";
import { npmTool, type TOOLS } from "./npm_tool.ts";

/** All of Spectral's rules for OpenAPI, except: a copy of this service has no known contact, and MIT needs no URL. */
const SPECTRAL_RULES = JSON.stringify({
  extends: [["spectral:oas", "all"]],
  rules: { "info-contact": "off", "license-url": "off" },
});

const DOCUMENT = openapiYaml({ version: "1.2.3", limit: 60 })
  .replaceAll("{base}", "https://domains.test");

/** Runs a linter; `argsIn` creates its arguments for the folder of the document. */
async function lint(name: keyof typeof TOOLS, argsIn: (folder: string) => string[]) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/openapi.yaml`, DOCUMENT);
    await Deno.writeTextFile(`${folder}/rules.json`, SPECTRAL_RULES);
    const tool = await npmTool(name, argsIn(folder));
    const { success, stdout, stderr } = await tool.output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { success, output: decode(stdout) + decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("Redocly finds neither error nor warning in the document", async () => {
  const { success, output } = await lint(
    "redocly",
    (folder) => ["lint", "--extends=recommended", `${folder}/openapi.yaml`],
  );
  assert(success, output);
  assertMatch(output, /Your API description is valid/);
  assert(!/You have \d+ warning/.test(output), output);
});

Deno.test("Spectral finds nothing at all in the document", async () => {
  const { success, output } = await lint("spectral", (folder) => [
    "lint",
    `--ruleset=${folder}/rules.json`,
    "--fail-severity=hint",
    `${folder}/openapi.yaml`,
  ]);
  assert(success, output);
});
