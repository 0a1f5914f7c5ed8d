/** The responses of an OpenAPI document besides the answers: their headers, and every error. */
import { ApiError, type ErrorCode } from "../api/errors.ts";

/** A part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** A reference to a component. */
export function ref(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

const COUNT = { type: "integer", minimum: 0 };

/** What every answer carries. */
export const RESPONSE_HEADERS: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": always("Requests in any 60 seconds", { type: "integer", minimum: 1 }),
  "X-RateLimit-Remaining": always("Requests left now", COUNT),
  "X-RateLimit-Reset": always("When the next slot comes free, in Unix seconds", COUNT),
  "RateLimit-Policy": always("The limit in the IETF's form", { type: "string" }),
  "RateLimit": always("How it stands, in the IETF's form", { type: "string" }),
  "X-Request-Id": always("The caller's own where it is harmless, else a new one", {
    type: "string",
  }),
  "Cache-Control": always("no-store: what is left of a limit is nobody else's", { type: "string" }),
};

/** What the answer of a check carries besides, unless it is a stream. */
export const SERVER_TIMING: Readonly<Record<string, Header>> = {
  "Server-Timing": {
    description:
      "Whether the cache answered, and in ms what a look-up of one domain spent: dns, gate (waiting for a " +
      "turn), rdap, trust (testing the registry) and total; a stream has none",
    required: false,
    schema: { type: "string" },
  },
};

/** What a 429 carries besides. */
export const RETRY_AFTER: Readonly<Record<string, Header>> = {
  "Retry-After": always("Seconds until the same request would be let in", {
    type: "integer",
    minimum: 1,
  }),
};

/** References to what every answer carries. */
export const LIMIT_HEADERS: Readonly<Record<string, { $ref: string }>> = Object.fromEntries(
  Object.keys(RESPONSE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function always(description: string, schema: Header["schema"]): Header {
  return { description, required: true, schema };
}

/** What any request can meet, whatever it asks. */
const ANYWHERE: readonly ErrorCode[] = ["invalid_host", "rate_limit_exceeded", "internal_error"];

/** Those that every operation refers to. */
export function commonErrors(): Json {
  return Object.fromEntries(ANYWHERE.map((code) => [code, errorResponse([new ApiError(code)])]));
}

/** What an operation can answer instead, by status. */
export function errorResponsesOf(errors: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(
    [...errors, ...ANYWHERE].map((code) => new ApiError(code)),
    ({ status }) => status,
  );
  return Object.fromEntries([...byStatus].map(([status, errors]) => {
    const [only] = errors.length === 1 ? errors : [];
    const isCommon = only !== undefined && ANYWHERE.includes(only.code);
    return [status, isCommon ? ref("responses", only.code) : errorResponse(errors)];
  }));
}

/** The errors of one status. */
function errorResponse(errors: readonly ApiError[]): Json {
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
