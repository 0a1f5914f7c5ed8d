import { stringify } from "yaml";
import type { About } from "./document.ts";
import { openapi } from "./openapi.ts";

/** The OpenAPI document in YAML, in strings that a reader of YAML 1.1 does not take for dates either. */
export function openapiYaml(about: About): string {
  return stringify(openapi(about), {
    version: "1.1",
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}
