/** The refusals of the API as OpenAPI has them. */
import { ApiError, type ErrorCode } from "../api/errors.ts";
import { LIMIT_HEADERS } from "./openapi_headers.ts";
import { type Json, ref } from "./openapi_reference.ts";

/** What any request can meet, whatever it asks. */
const ANYWHERE: readonly ErrorCode[] = ["invalid_host", "rate_limit_exceeded", "internal_error"];

/** Those that every operation refers to. */
export function commonRefusals(): Json {
  return Object.fromEntries(ANYWHERE.map((code) => [code, refusal([new ApiError(code)])]));
}

/** What an operation can answer instead, by status. */
export function refusalsOf(errors: readonly ErrorCode[]): Json {
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
