/**
 * Renders the operations as an OpenAPI 3.1 document, in JSON and YAML. `zod-openapi` (tried at 6.0.2) renders the same schemas
 * and would replace `parametersOf` only: errors, headers, examples and streams would be composed all the same.
 */
import { stringify } from "yaml";
import type * as z from "zod/mini";
import { pendingEvent } from "../api/check.ts";
import { checkNames } from "../api/check_names.ts";
import { ApiError, type ErrorCode } from "../api/errors.ts";
import { type Example, examplesOf, NAMES_EXAMPLE } from "../api/examples.ts";
import { type Chapter, type JsonSchema, jsonSchema } from "../api/operation.ts";
import { type AnyOperation, METRICS, operations } from "../api/operations.ts";
import { STREAM_TYPES } from "../api/stream.ts";

/** The facts that documents contain, apart from the operations. */
export interface About {
  readonly version: string;
  /** Requests in 60 s for an address. */
  readonly limit: number;
}

type Documented = AnyOperation | typeof checkNames;

const METRICS_EXAMPLE =
  `# HELP availability_cache_total Look-ups answered from the cache (hit) or not (miss)
# TYPE availability_cache_total counter
availability_cache_total{kind="domain",result="hit"} 3
`;

const CHAPTERS: Readonly<Record<Chapter, string>> = {
  domains: "Availability of domains, and where to register them",
  ens: "Availability and holders of .eth names",
  service: "Health and metrics of the service",
};

/** Renders the document, with `{base}` in place of the service's base URL. */
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
    paths: {
      ...Object.fromEntries(operations.map((operation) => [operation.path, pathOf(operation)])),
      [METRICS.path]: metricsPath(),
    },
    components: {
      schemas: schemasOf([...operations, checkNames]),
      responses: commonErrors(),
      headers: { ...RESPONSE_HEADERS, ...FURTHER_HEADERS },
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "Optional: an API key from the operator, with its own limit",
        },
      },
    },
  };
}

/** Renders the document in YAML, with strings quoted that a reader of YAML 1.1 would take for dates. */
export function openapiYaml(about: About): string {
  return stringify(openapi(about), {
    version: "1.1",
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}

function introduction(limit: number): string {
  return `Checks whether names are available. Anything that cannot be verified is reported as \`unknown\`, with the reason, \
never as available.

Requests are GET without a body, but for \`POST /check\`. Every error but a 429 is \`{error, message, code}\`, and \`message\` says what to send \
instead. A repeated parameter is an error of that parameter; a near miss such as \`tlds\` for \`tld\` is \`invalid_parameter\`; \
other unknown parameters are ignored. An unknown path is 404 \
\`not_found\`, another method 405 \`method_not_allowed\` with \`Allow\`.

Each IP address may send ${limit} requests in any 60 seconds; every response says how many are left. A valid API key, sent \
as \`Authorization: Bearer\`, has its own limit; all other requests count against the address.

Answers and errors may gain members, values of \`source\` and \`means\`, and headers: ignore what you do not know. What a path \
answers today is removed or renamed only with a new path beside it.

Of clients only the count of an address (an IPv6 /64) or of a key is stored, for 61 s; no list of who asked for what. Of \
names: answers with their times, how often popular ones were asked for, and the steps of those in feeds with the hour of \
the last reading, without the client. Which networks asked is a \
hash in memory. Of a key: label, \
limit, dates and a SHA-256. The log has no address of a client, and no checked name above the level \`debug\`. The page keeps \
the shortlist with its notes and last states, and chosen TLDs, in the browser. Registries, resolvers and registrars that are asked see names, but \
not who asks.`;
}

function pathOf(operation: AnyOperation): Json {
  const get = methodOf(operation, inOpenapi(examplesOf(operation.path)));
  if (operation.path !== checkNames.path) return { get };
  const requestBody = {
    required: true,
    content: {
      "application/json": {
        schema: jsonSchema(checkNames.body(), "input"),
        examples: { some_names: { value: NAMES_EXAMPLE.body } },
      },
    },
  };
  const examples = { some_names: { value: NAMES_EXAMPLE.answer } };
  return { get, post: methodOf(checkNames, examples, requestBody) };
}

function methodOf(operation: Documented, examples: Json, requestBody?: Json): Json {
  const { name, chapter, summary, description } = operation;
  return {
    operationId: name,
    tags: [chapter],
    summary,
    description,
    parameters: parametersOf(operation),
    ...(requestBody !== undefined && { requestBody }),
    responses: { 200: answerOf(operation, examples), ...errorResponsesOf(operation) },
  };
}

function metricsPath(): Json {
  const { name, summary, description, mediaType } = METRICS;
  return {
    get: {
      operationId: name,
      tags: ["service"],
      summary,
      description,
      responses: {
        200: {
          description: summary,
          headers: LIMIT_HEADERS,
          content: {
            [mediaType]: {
              schema: { type: "string" },
              examples: { one_counter: { value: METRICS_EXAMPLE } },
            },
          },
        },
        ...errorResponsesOf({ errors: [] }),
      },
    },
  };
}

function parametersOf(operation: Documented): Json[] {
  const { properties = {}, required = [] } = jsonSchema(operation.query(), "input");
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    return { name, in: "query", description, required: required.includes(name), schema };
  });
}

function answerOf(operation: Documented, examples: Json): Json {
  const schema = ref("schemas", schemaName(operation));
  const { mediaType = "application/json" } = operation as Partial<AnyOperation>;
  return {
    description: operation.summary,
    headers: operation.serverTiming === undefined
      ? LIMIT_HEADERS
      : { ...LIMIT_HEADERS, "Server-Timing": ref("headers", "Server-Timing") },
    content: { [mediaType]: { schema, examples } },
    ...streamsOf(operation),
  };
}

/**
 * The streams of an answer, as an extension: OpenAPI 3.1 has no type for a sequence, and a text beside JSON in `content`
 * would make every generated client return one or the other.
 */
function streamsOf({ stream }: Documented): Json {
  if (stream === undefined) return {};
  const items = [hoisted(stream.event()), hoisted(stream.summary())];
  const anyOf = (type: string) =>
    type === "text/event-stream" ? [...items, hoisted(pendingEvent())] : items;
  return {
    "x-streams": Object.fromEntries(
      STREAM_TYPES.map((type) => [type, { itemSchema: { anyOf: anyOf(type) } }]),
    ),
  };
}

function inOpenapi(examples: readonly Example<unknown, unknown>[]): Json {
  return Object.fromEntries(
    examples.map(({ shows, answer }) => [
      shows.replaceAll(" ", "_"),
      { summary: shows, value: answer },
    ]),
  );
}

/** The schemas of the answers by name; parts with a title are schemas of their own. */
function schemasOf(operations: readonly (Documented)[]): Json {
  const schemas: Record<string, Json> = {};
  for (const operation of operations) {
    schemas[schemaName(operation)] = hoisted(operation.answer(), schemas);
  }
  return schemas;
}

/**
 * Renders a schema, with references in place of its parts that have a title, which are put into `schemas`. Generators of
 * clients decide three forms, or what they make cannot read an answer:
 *
 * - A constant that is no text is only a type: openapi-generator makes a text of it for Rust.
 * - The states of a row are a schema of their own: openapi-generator checks those only for Go. No discriminator: for Rust it
 *   would take the state out of the row, and then miss it.
 * - Alternatives beside rows are one `oneOf` with them: openapi-generator merges nested ones to one object.
 */
function hoisted(schema: z.ZodMiniType, schemas: Record<string, Json> = {}): Json {
  const put = (name: string, part: Json) => {
    schemas[name] = part;
    return ref("schemas", name);
  };
  const hoist = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(hoist);
    if (typeof part !== "object" || part === null) return part;
    const { anyOf = [], ...rest } = part as { anyOf?: Union[] };
    if (anyOf.some(({ oneOf }) => oneOf !== undefined)) {
      return { ...rest, oneOf: anyOf.flatMap((one) => one.oneOf ?? [one]).map(hoist) };
    }
    const inner = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, hoist(one)]));
    if ("const" in inner && typeof inner.const !== "string") delete inner.const;
    const { title, properties } = inner as { title?: unknown; properties?: { state?: Json } };
    if (typeof title !== "string") return inner;
    if (title.endsWith("Row") && properties?.state !== undefined) {
      const { const: word, ...states } = properties.state;
      const all = word === undefined ? states : { ...states, enum: [word] };
      properties.state = put(title.replace(/(?:Input)?Row$/, "State"), all);
    }
    return put(title, inner);
  };
  return hoist(jsonSchema(schema, "output")) as Json;
}

interface Union {
  readonly oneOf?: readonly unknown[];
}

function schemaName({ name }: Documented): string {
  const words = name.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Answer`;
}

/** A part of an OpenAPI document. */
type Json = Readonly<Record<string, unknown>>;

/** A reference to a component. */
function ref(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

const COUNT = { type: "integer", minimum: 0 };
const POSITIVE = { type: "integer", minimum: 1 };
const TEXT = { type: "string" };

/** The headers of every response. */
const RESPONSE_HEADERS: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": required("Requests in any 60 seconds", POSITIVE),
  "X-RateLimit-Remaining": required("Requests left now", COUNT),
  "X-RateLimit-Reset": required("When the next request becomes available, in Unix seconds", COUNT),
  "RateLimit-Policy": required("The limit, in the form of the IETF draft", TEXT),
  "RateLimit": required("The state of the limit, in the form of the IETF draft", TEXT),
  "X-Request-Id": required(
    "Echoes the request's X-Request-Id if it is valid, else a new one",
    TEXT,
  ),
  "Cache-Control": required("no-store, or private: rate-limit headers are per client", TEXT),
};

/** The further headers: of a check's answer, unless it is streamed, and of a 429. */
const FURTHER_HEADERS: Readonly<Record<string, Header>> = {
  "Server-Timing": {
    description:
      "Whether the cache answered, or how many rows of several it did, and the time in ms; not on streams",
    required: false,
    schema: TEXT,
  },
  "Retry-After": required("Seconds until the same request would be admitted", POSITIVE),
};

/** The same header of an operation whose requests can cost more than the whole limit. */
const RETRY_AFTER_IF_POSSIBLE: Header = {
  description:
    "Seconds until the same request would be admitted; absent where it costs more than the whole limit, so that no wait helps",
  required: false,
  schema: POSITIVE,
};

/** References to the headers of every response. */
const LIMIT_HEADERS: Readonly<Record<string, { $ref: string }>> = Object.fromEntries(
  Object.keys(RESPONSE_HEADERS).map((name) => [name, ref("headers", name)]),
);

function required(description: string, schema: Header["schema"]): Header {
  return { description, required: true, schema };
}

/** The errors that every operation can answer. */
const COMMON: readonly ErrorCode[] = [
  "invalid_host",
  "rate_limit_exceeded",
  "internal_error",
  "service_unavailable",
];

/** The responses that every operation refers to. */
function commonErrors(): Json {
  return Object.fromEntries(COMMON.map((code) => [code, errorResponse([new ApiError(code)])]));
}

/** The errors of an operation, by status. */
function errorResponsesOf(operation: Pick<Documented, "errors">): Json {
  // Its requests may cost more than one, or nothing.
  const hasCost = "cost" in operation;
  const isUncounted = "isUncounted" in operation;
  const all = [...operation.errors, ...COMMON].map((code) => new ApiError(code));
  const byStatus = Map.groupBy(
    isUncounted ? all.filter((error) => !isLimited(error)) : all,
    ({ status }) => status,
  );
  return Object.fromEntries([...byStatus].map(([status, errors]) => {
    const [only] = errors.length === 1 ? errors : [];
    const isCommon = only !== undefined && COMMON.includes(only.code) &&
      !(hasCost && isLimited(only));
    return [status, isCommon ? ref("responses", only.code) : errorResponse(errors, { hasCost })];
  }));
}

function isLimited({ code }: ApiError): boolean {
  return code === "rate_limit_exceeded";
}

/** The errors of one status. */
function errorResponse(errors: readonly ApiError[], { hasCost = false } = {}): Json {
  const [first] = errors;
  const limited = first !== undefined && isLimited(first);
  const retryAfter = hasCost ? RETRY_AFTER_IF_POSSIBLE : ref("headers", "Retry-After");
  return {
    description: errors.map(({ code }) => `\`${code}\``).join(", "),
    headers: limited ? { ...LIMIT_HEADERS, "Retry-After": retryAfter } : LIMIT_HEADERS,
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
    message: { type: "string", description: "What is wrong and what to send instead, for people" },
    ...(status !== undefined && { code: { type: "integer", enum: [status] } }),
  };
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
