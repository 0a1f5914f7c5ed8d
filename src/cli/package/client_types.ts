/**
 * Prints the types of the client for the npm package. Those of `src/client.ts` come from schemas of zod and from the whole
 * service; these are the same, printed from the operations, so that their users install and read neither.
 */
import { ERROR_CODES } from "../../api/errors.ts";
import { type JsonSchema, jsonSchema } from "../../api/operation.ts";
import { checkNames, namesBody } from "../../api/check_names.ts";
import { operations } from "../../api/operations.ts";

/** What `src/client.ts` declares beside the API's types. */
const DECLARATIONS =
  `/** An error response; \`code\` and \`message\` are those of the service's body, which that of a proxy has not. */
export declare class ApiFailure extends Error {
  override name: string;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** Seconds after which to retry, if the answer says so. */
  readonly retryAfter: number | undefined;
  private constructor();
}

/**
 * A client: a function for GET, and what GET cannot do. It rejects with \`ApiFailure\` if the service answers with an error, and
 * with \`TypeError\` if fetch fails, or a stream is cut.
 */
export interface Client {
  /** Sends a GET request to a path. */
  <Path extends keyof Api>(path: Path, query: Api[Path]["query"]): Promise<Api[Path]["answer"]>;
  /** Checks many names by one POST. */
  checkNames(names: Names): Promise<NamesAnswer>;
  /** Yields each row of \`/check\` as soon as it is known. */
  stream(query: Api["/check"]["query"]): AsyncGenerator<Api["/check"]["answer"]["results"][number]>;
}

/**
 * Creates a client of the service at \`base\`; \`init\` is passed to each fetch.
 *
 * @example
 * const get = createClient("http://localhost:8000");
 * const { results } = await get("/check", { name: "example", tld: "com" });
 * for await (const { domain, state } of get.stream({ name: "example" })) show(domain, state);
 */
export declare function createClient(base: string | URL, init?: RequestInit): Client;
`;

/** Prints the declaration file. */
export function clientTypes(): string {
  const byGet = operations.filter(({ body }) => body === undefined);
  const paths = byGet.map(({ path, summary, query, answer }) => {
    const types = [`query: ${typeOf(query())}`, `answer: ${typeOf(answer())}`];
    return `/** ${summary} */\n${JSON.stringify(path)}: {\n${types.join(";\n")};\n};`;
  });
  return `/** A client of the API, typed by its operations. */

/** The query parameters and the answer of each path. */
export interface Api {
${paths.join("\n")}
}

/** The body of \`POST /check\`, and its answer. */
export interface Names ${typeOf(namesBody())}
export interface NamesAnswer ${typeOf(checkNames.answer())}

/** The codes of errors. */
export type ErrorCode = ${ERROR_CODES.map((code) => JSON.stringify(code)).join(" | ")};

${DECLARATIONS}`;
}

function typeOf(schema: Parameters<typeof jsonSchema>[0]): string {
  return print(jsonSchema(schema, "input"));
}

/** Throws for a schema of a form that no operation has had yet. */
function print(schema: JsonSchema): string {
  const { type, const: constant, enum: values, anyOf, oneOf } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return variants.map(print).join(" | ");
  switch (type) {
    case "string":
    case "number":
    case "boolean":
      return type;
    case "integer":
      return "number";
    case "array":
      return `readonly (${print(schema.items as JsonSchema)})[]`;
    case "object":
      return printObject(schema);
    default:
      throw new Error(`Cannot print a type of this schema: ${JSON.stringify(schema)}`);
  }
}

function printObject({ properties, required = [], additionalProperties }: JsonSchema): string {
  if (properties === undefined) {
    return `{ readonly [name: string]: ${print(additionalProperties as JsonSchema)} }`;
  }
  const lines = Object.entries(properties).map(([name, property]) => {
    if (typeof property === "boolean") throw new Error(`${name} has no schema`);
    const { description } = property;
    const doc = description === undefined ? "" : `/** ${description} */\n`;
    const [mark, absent] = required.includes(name) ? ["", ""] : ["?", " | undefined"];
    return `${doc}${name}${mark}: ${print(property)}${absent};\n`;
  });
  return lines.length === 0 ? "Record<never, never>" : `{\n${lines.join("")}}`;
}
