/** The first printing of the operations: an OpenAPI 3.1 document. */
import type { About } from "./documents.ts";
import { ApiError, type ErrorCode } from "./errors.ts";
import { type Example, examplesOf } from "./examples.ts";
import { type JsonSchema, jsonSchema } from "./json_schema.ts";
import type { Chapter, Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import { STREAM_TYPES } from "./stream.ts";
import { LIMIT_HEADERS, RESPONSE_HEADERS, RETRY_AFTER } from "./openapi_headers.ts";

type Json = Readonly<Record<string, unknown>>;
// deno-lint-ignore no-explicit-any -- operations of all schemas, as in their list
type AnyOperation = Operation<any, any>;

/** What any request can meet, whatever it asks. */
const ANYWHERE: readonly ErrorCode[] = ["invalid_host", "rate_limit_exceeded", "internal_error"];

const CHAPTERS: Readonly<Record<Chapter, string>> = {
  domains: "Is a domain free, and where can it be registered?",
  ens: "Is a .eth name free, and who holds it?",
  service: "How the service itself fares",
};

/** Prints the document; `{base}` stands where the service's own address belongs. */
export function openapi({ version, limit }: About): Json {
  return {
    openapi: "3.1.1",
    info: {
      title: "Domain Availability Service",
      version,
      description: introduction(limit),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "{base}" }],
    security: [{}, { key: [] }],
    tags: Object.entries(CHAPTERS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(operations.map((operation) => [operation.path, pathOf(operation)])),
    components: {
      schemas: Object.fromEntries(
        operations.map((operation) => [
          schemaName(operation),
          jsonSchema(operation.answer(), "output"),
        ]),
      ),
      responses: Object.fromEntries(
        ANYWHERE.map((code) => [code, refusal([new ApiError(code)])]),
      ),
      headers: { ...RESPONSE_HEADERS, ...RETRY_AFTER },
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "Optional: an API key from the operator, with a limit of its own",
        },
      },
    },
  };
}

function introduction(limit: number): string {
  return `Is a name free? This service never says "available" wrongly: what it cannot find out is \`unknown\`, with the \
reason.

Requests are GET without a body. Every error but a 429 is \`{error, message, code}\`, and \`message\` says what to send \
instead; a repeated parameter is an error of that parameter, unknown parameters are ignored. Another path is 404 \
\`not_found\`, another method 405 \`method_not_allowed\` with \`Allow\`.

Each address may send ${limit} requests in any 60 seconds, and every answer says how many are left. A key, sent as \
\`Authorization: Bearer\`, is counted by itself; without one, or with an unknown one, the address is.`;
}

function pathOf(operation: AnyOperation): Json {
  const { name, chapter, summary, description } = operation;
  return {
    get: {
      operationId: name,
      tags: [chapter],
      summary,
      description,
      parameters: parametersOf(operation),
      responses: { 200: answerOf(operation), ...refusalsOf(operation) },
    },
  };
}

function parametersOf(operation: AnyOperation): Json[] {
  const { properties = {}, required = [] } = jsonSchema(operation.query(), "input");
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    return { name, in: "query", description, required: required.includes(name), schema };
  });
}

function answerOf(operation: AnyOperation): Json {
  const schema = ref("schemas", schemaName(operation));
  return {
    description: operation.summary,
    headers: LIMIT_HEADERS,
    content: {
      "application/json": { schema, examples: inOpenapi(examplesOf(operation.path)) },
      ...streamsOf(operation),
    },
  };
}

/** The same answer in pieces. OpenAPI 3.1 has no word for a sequence: a text, of which each piece has a schema. */
function streamsOf({ stream }: AnyOperation): Json {
  if (stream === undefined) return {};
  const schema = {
    type: "string",
    description: "A piece for each result the moment it is known, then one that sums them up",
    contentMediaType: "application/json",
    contentSchema: {
      anyOf: [jsonSchema(stream.event(), "output"), jsonSchema(stream.summary(), "output")],
    },
  };
  return Object.fromEntries(STREAM_TYPES.map((type) => [type, { schema }]));
}

function inOpenapi(examples: readonly Example<unknown, unknown>[]): Json {
  return Object.fromEntries(
    examples.map(({ shows, answer }) => [
      shows.replaceAll(" ", "_"),
      { summary: shows, value: answer },
    ]),
  );
}

function refusalsOf({ errors }: AnyOperation): Json {
  const byStatus = Map.groupBy(
    [...errors, ...ANYWHERE].map((code) => new ApiError(code)),
    ({ status }) => status,
  );
  return Object.fromEntries([...byStatus].map(([status, errors]) => {
    const [only] = errors.length === 1 ? errors : [];
    const isCommon = only !== undefined && ANYWHERE.includes(only.code);
    return [status, isCommon ? ref("responses", only.code) : refusal(errors)];
  }));
}

/** The errors of one status. */
function refusal(errors: readonly ApiError[]): Json {
  const [first] = errors;
  const limited = first?.code === "rate_limit_exceeded";
  return {
    description: errors.map(({ code }) => `\`${code}\``).join(", "),
    headers: limited
      ? { ...LIMIT_HEADERS, "Retry-After": ref("headers", "Retry-After") }
      : LIMIT_HEADERS,
    content: {
      "application/json": {
        schema: errorSchema(errors.map(({ code }) => code), limited ? undefined : first?.status),
        examples: Object.fromEntries(
          errors.map((error) => [error.code, { value: error.toBody() }]),
        ),
      },
    },
  };
}

function errorSchema(codes: readonly ErrorCode[], status: number | undefined): Json {
  const properties = {
    error: { type: "string", enum: codes },
    message: { type: "string", description: "What to send instead, for a person" },
    ...(status !== undefined && { code: { type: "integer", enum: [status] } }),
  };
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function schemaName({ name }: AnyOperation): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Answer`;
}

function ref(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}
