/** The headers and the errors of an OpenAPI document. */
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

/** The headers of every response. */
export const RESPONSE_HEADERS: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": required("Requests in any 60 seconds", { type: "integer", minimum: 1 }),
  "X-RateLimit-Remaining": required("Requests left now", COUNT),
  "X-RateLimit-Reset": required("When the next request becomes available, in Unix seconds", COUNT),
  "RateLimit-Policy": required("The limit, in the form of the IETF draft", { type: "string" }),
  "RateLimit": required("The state of the limit, in the form of the IETF draft", {
    type: "string",
  }),
  "X-Request-Id": required("Echoes the request's X-Request-Id if it is valid, else a new one", {
    type: "string",
  }),
  "Cache-Control": required("no-store, or private: rate-limit headers are per client", {
    type: "string",
  }),
};

/** The further headers: of a check's answer, unless it is streamed, and of a 429. */
export const FURTHER_HEADERS: Readonly<Record<string, Header>> = {
  "Server-Timing": {
    description:
      "Whether the cache answered, and in ms how the look-up of one domain spent its time: dns, gate (queued for the " +
      "registry), rdap, trust (testing the registry) and total; not on streams",
    required: false,
    schema: { type: "string" },
  },
  "Retry-After": required("Seconds until the same request would be admitted", {
    type: "integer",
    minimum: 1,
  }),
};

/** The same header of an operation whose requests can cost more than the whole limit. */
const RETRY_AFTER_IF_POSSIBLE: Header = {
  description:
    "Seconds until the same request would be admitted; absent where it costs more than the whole limit, so that no wait helps",
  required: false,
  schema: { type: "integer", minimum: 1 },
};

/** References to the headers of every response. */
export const LIMIT_HEADERS: Readonly<Record<string, { $ref: string }>> = Object.fromEntries(
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
export function commonErrors(): Json {
  return Object.fromEntries(COMMON.map((code) => [code, errorResponse([new ApiError(code)])]));
}

/** The errors of an operation, by status. `hasCost`: its requests may cost more than one; `isUncounted`: nothing. */
export function errorResponsesOf(
  errors: readonly ErrorCode[],
  { hasCost = false, isUncounted = false }: { hasCost?: boolean; isUncounted?: boolean } = {},
): Json {
  const all = [...errors, ...COMMON].map((code) => new ApiError(code));
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
