/**
 * Renders the operations as an OpenAPI 3.1 document, in JSON and YAML. `zod-openapi` (tried at 6.0.2) renders the same schemas
 * and would replace `parametersOf` only: errors, headers, examples and streams would be composed all the same.
 */
import { stringify } from "yaml";
import type * as z from "zod/mini";
import { pendingEvent } from "../api/check.ts";
import { checkNames } from "../api/check_names.ts";
import { type Example, examplesOf } from "../api/examples.ts";
import { type Chapter, type JsonSchema, jsonSchema } from "../api/operation.ts";
import { type AnyOperation, METRICS, operations } from "../api/operations.ts";
import { STREAM_TYPES } from "../api/stream.ts";
import {
  commonErrors,
  errorResponsesOf,
  FURTHER_HEADERS,
  type Json,
  LIMIT_HEADERS,
  ref,
  RESPONSE_HEADERS,
} from "./openapi_responses.ts";

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
  const examples = inOpenapi(examplesOf(operation.path));
  return {
    get: {
      ...wordsOf(operation),
      parameters: parametersOf(operation),
      ...responsesOf(operation, examples),
    },
    ...(operation.path === checkNames.path && { post: postOf(checkNames) }),
  };
}

function postOf(operation: typeof checkNames): Json {
  const { body, example } = operation;
  return {
    ...wordsOf(operation),
    parameters: parametersOf(operation),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: jsonSchema(body(), "input"),
          examples: { some_names: { value: example.body } },
        },
      },
    },
    ...responsesOf(operation, { some_names: { value: example.answer } }),
  };
}

function wordsOf({ name, chapter, summary, description }: Documented): Json {
  return { operationId: name, tags: [chapter], summary, description };
}

function responsesOf(operation: Documented, examples: Json): Json {
  const errors = errorResponsesOf(operation.errors, {
    hasCost: "cost" in operation,
    isUncounted: "counted" in operation && operation.counted === "never",
  });
  return { responses: { 200: answerOf(operation, examples), ...errors } };
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
        ...errorResponsesOf([]),
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
  return {
    description: operation.summary,
    headers: operation.serverTiming === undefined
      ? LIMIT_HEADERS
      : { ...LIMIT_HEADERS, "Server-Timing": ref("headers", "Server-Timing") },
    content: { [mediaTypeOf(operation)]: { schema, examples } },
    ...streamsOf(operation),
  };
}

function mediaTypeOf(operation: Documented): string {
  return ("mediaType" in operation ? operation.mediaType : undefined) ?? "application/json";
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
