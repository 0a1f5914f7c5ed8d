/**
 * Renders the operations as an OpenAPI 3.1 document, in JSON and YAML. `zod-openapi` (tried at 6.0.2) renders the same schemas
 * and would replace `parametersOf` only: errors, headers, examples and streams would be composed all the same.
 */
import { stringify } from "yaml";
import type * as z from "zod/mini";
import { ApiError, type ErrorCode } from "../api/errors.ts";
import { examplesOf } from "../api/examples.ts";
import { type Chapter, type JsonSchema, jsonSchema, type Operation } from "../api/operation.ts";
import { operations } from "../api/operations.ts";

/** The facts that documents contain, apart from the operations. */
export interface About {
  readonly version: string;
  /** Requests in 60 s for an address. */
  readonly limit: number;
}

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
    paths: Object.fromEntries(
      [...Map.groupBy(operations, ({ path }) => path)].map(([path, ofPath]) => [
        path,
        Object.fromEntries(ofPath.map((one) => [one.body ? "post" : "get", methodOf(one)])),
      ]),
    ),
    components: {
      schemas: schemasOf(),
      responses: commonErrors(),
      headers: HEADERS,
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

Of clients only the count of an address (an IPv6 /64) or of a key is stored, for 82 s; no list of who asked for what. Of \
names: answers with their times, how often popular ones were asked for, and the steps of those in feeds with the time of \
the last reading to six hours, without the client. Which networks asked is in memory only. Of a key: label, \
limit, dates and a SHA-256. The log has no address of a client, and no checked name above the level \`debug\`. The page keeps \
the shortlist with its notes and last states, and chosen TLDs, in the browser. Registries, resolvers and registrars that are asked see names, but \
not who asks.`;
}

function methodOf(operation: Operation): Json {
  const { name, chapter, summary, description, textHeaders, body } = operation;
  const isFeed = textHeaders?.["cache-control"] !== undefined;
  return {
    operationId: name,
    tags: [chapter],
    summary,
    description,
    parameters: parametersOf(operation),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: jsonSchema(body(), "input"),
            examples: examplesFor(operation, "input"),
          },
        },
      },
    }),
    responses: {
      200: answerOf(operation),
      ...(operation.stream !== undefined && { 204: withoutBody(STREAM_ENDED) }),
      ...(isFeed && { 304: withoutBody("If-None-Match has the ETag of the answer") }),
      ...errorResponsesOf(operation),
    },
  };
}

const STREAM_ENDED =
  "To an EventSource that connects again after the end of its stream, with `Last-Event-ID: end`";

function withoutBody(description: string): Json {
  return { description, headers: headersWith() };
}

function parametersOf(operation: Operation): Json[] {
  const { properties = {}, required = [] } = jsonSchema(operation.query(), "input");
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    return { name, in: "query", description, required: required.includes(name), schema };
  });
}

function answerOf(operation: Operation): Json {
  const examples = examplesFor(operation, "answer");
  const schema = ref("schemas", schemaName(operation));
  const mediaType = operation.textHeaders?.["content-type"] ?? "application/json";
  return {
    description: operation.summary,
    headers: operation.serverTiming === undefined ? headersWith() : headersWith("Server-Timing"),
    content: { [mediaType]: { schema, examples } },
  };
}

function examplesFor({ name }: Operation, part: "input" | "answer"): Json {
  return Object.fromEntries(
    examplesOf(name).map(({ shows, [part]: value }) => [
      shows.replaceAll(" ", "_"),
      { summary: shows, value },
    ]),
  );
}

/** The schemas of the answers by name; parts with a title are schemas of their own. */
function schemasOf(): Json {
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
function hoisted(schema: z.ZodMiniType, schemas: Record<string, Json>): Json {
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

function schemaName({ name }: Operation): string {
  const words = name.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Answer`;
}

/** A part of an OpenAPI document. */
type Json = Readonly<Record<string, unknown>>;

/** A reference to a component. */
function ref(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

const COUNT = { type: "integer", minimum: 0 };
const POSITIVE = { type: "integer", minimum: 1 };
const TEXT = { type: "string" };

/** The headers: those that are required are in every response. */
const HEADERS = {
  "X-RateLimit-Limit": header("Requests in any 60 seconds", POSITIVE),
  "X-RateLimit-Remaining": header("Requests left now", COUNT),
  "X-RateLimit-Reset": header("When the next request becomes available, in Unix seconds", COUNT),
  "RateLimit-Policy": header("The limit, in the form of the IETF draft", TEXT),
  "RateLimit": header("The state of the limit, in the form of the IETF draft", TEXT),
  "X-Request-Id": header("Echoes the request's X-Request-Id if it is valid, else a new one", TEXT),
  "Cache-Control": header("no-store, or private: rate-limit headers are per client", TEXT),
  "Server-Timing": header(
    "Whether the cache answered, or how many rows of several it did, and the time in ms; not on streams",
    TEXT,
    { required: false },
  ),
  "Retry-After": header(
    "Seconds until the same request would be admitted; absent where it costs more than the whole limit, so that no wait helps",
    POSITIVE,
    { required: false },
  ),
};

function header(description: string, schema: Json, { required = true } = {}) {
  return { description, required, schema };
}

/** References to the headers of every response, and to further ones. */
function headersWith(...further: (keyof typeof HEADERS)[]): Json {
  const names = Object.entries(HEADERS).flatMap(([name, { required }]) => required ? [name] : []);
  return Object.fromEntries([...names, ...further].map((name) => [name, ref("headers", name)]));
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
function errorResponsesOf({ errors, isUncounted }: Operation): Json {
  const codes = [...errors, ...COMMON].filter((code) =>
    isUncounted === undefined || code !== "rate_limit_exceeded"
  );
  const byStatus = Map.groupBy(codes.map((code) => new ApiError(code)), ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, errors]) => {
    const [only] = errors.length === 1 ? errors : [];
    const isCommon = only !== undefined && COMMON.includes(only.code);
    return [status, isCommon ? ref("responses", only.code) : errorResponse(errors)];
  }));
}

/** The errors of one status. */
function errorResponse(errors: readonly ApiError[]): Json {
  const [first] = errors;
  const { code } = first!.toBody();
  const isBusy = first!.status === 429 || first!.status === 503;
  const properties = {
    error: { type: "string", enum: errors.map(({ code }) => code) },
    message: { type: "string", description: "What is wrong and what to send instead, for people" },
    ...(code !== undefined && { code: { type: "integer", enum: [code] } }),
  };
  const schema = {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  const examples = Object.fromEntries(errors.map((one) => [one.code, { value: one.toBody() }]));
  return {
    description: errors.map(({ code }) => `\`${code}\``).join(", "),
    headers: isBusy ? headersWith("Retry-After") : headersWith(),
    content: { "application/json": { schema, examples } },
  };
}
