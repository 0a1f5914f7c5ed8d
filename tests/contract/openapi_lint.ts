/** Linters find nothing in the OpenAPI document. */
import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { openapiYaml } from "../../src/documents/openapi.ts";
import { createFolder } from "../support/folder.ts";
import { outcome } from "../support/outcome.ts";
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
    await using folder = await createFolder();
    await Deno.writeTextFile(`${folder.path}/openapi.yaml`, DOCUMENT);
    await Deno.writeTextFile(`${folder.path}/.spectral.json`, SPECTRAL_RULES);
    const { code, out, err } = await outcome(await npmTool(name, [...args], folder.path));
    assertEquals(code, 0, out + err);
    assertMatch(out + err, verdict);
    assertNotMatch(out + err, /You have \d+ warning/);
  });
}
