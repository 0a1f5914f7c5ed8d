import { stringify } from "yaml";
import { openapi } from "./openapi.ts";

/** The OpenAPI document in YAML, in strings that a reader of YAML 1.1 does not take for dates either. */
export function openapiYaml(version: string): string {
  return stringify(openapi(version), {
    version: "1.1",
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}
