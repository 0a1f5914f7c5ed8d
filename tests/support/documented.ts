/** The service's own OpenAPI document as the judge of what it answers. */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { assert } from "@std/assert";
import { memoized } from "../../src/flow/cache/memory.ts";
import { openapi } from "../../src/documents/openapi.ts";
import type { Json } from "./service.ts";

const document: Json = openapi({ version: "1.2.3", limit: 60 });
const ajv = new AjvJsonSchemaValidator();

/** The validator of a schema in JSON. References are to the components. */
const validatorOf = memoized(
  (schema) => ajv.getValidator({ ...JSON.parse(schema), components: document.components }),
  100,
);

/** A part of the document, or what it refers to. */
export function resolve(part: Json): Json {
  if (part?.$ref === undefined) return part;
  return part.$ref.slice(2).split("/").reduce((at: Json, key: string) => at[key], document);
}

/** Throws where a path of the document has not the status, the headers or the JSON that it documents. */
export function assertDocumented(
  path: string,
  { method = "GET" }: RequestInit,
  { status, headers }: Pick<Response, "status" | "headers">,
  body: unknown,
): void {
  const { pathname } = new URL(path, "http://localhost");
  const operation = document.paths[pathname]?.[method.toLowerCase()];
  if (operation === undefined) return;
  const documented = resolve(operation.responses[status]);
  assert(documented !== undefined, `${path} is answered ${status}, which is not documented`);
  for (const [name, header] of Object.entries(documented.headers)) {
    assert(headers.has(name) || !resolve(header).required, `${path}: ${status} lacks ${name}`);
  }
  const { schema } = documented.content?.["application/json"] ?? {};
  if (schema === undefined) return;
  const { errorMessage } = validatorOf(JSON.stringify(schema))(body);
  assert(errorMessage === undefined, `${path} is not answered as documented: ${errorMessage}`);
}
