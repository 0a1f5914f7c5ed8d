/** Linters find nothing in the OpenAPI document. */
import { assert, assertMatch, assertNotMatch } from "@std/assert";
import { openapiYaml } from "../../src/documents/openapi.ts";
import { npmTool } from "./npm_tool.ts";

/** All of Spectral's rules for OpenAPI, except: a copy of this service has no known contact, and MIT needs no URL. */
const SPECTRAL_RULES = JSON.stringify({
  extends: [["spectral:oas", "all"]],
  rules: { "info-contact": "off", "license-url": "off" },
});

const DOCUMENT = openapiYaml({ version: "1.2.3", limit: 60 })
  .replaceAll("{base}", "https://domains.test");

const LINTERS = [
  ["redocly", ["lint", "--extends=recommended", "openapi.yaml"], /Your API description is valid/],
  ["spectral", ["lint", "--fail-severity=hint", "openapi.yaml"], /No results/],
] as const;

for (const [name, args, verdict] of LINTERS) {
  Deno.test(`${name} finds neither error nor warning in the OpenAPI document`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/openapi.yaml`, DOCUMENT);
      await Deno.writeTextFile(`${folder}/.spectral.json`, SPECTRAL_RULES);
      const { success, stdout, stderr } = await (await npmTool(name, [...args], folder)).output();
      const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
      assert(success, output);
      assertMatch(output, verdict);
      assertNotMatch(output, /You have \d+ warning/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
