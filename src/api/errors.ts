/** The errors of the API: status and message by code. */

const ERRORS = {
  missing_parameter: { status: 400, message: "Missing parameter: name" },
  invalid_name: { status: 400, message: "Invalid name" },
  unsupported_tld: { status: 400, message: "Unsupported TLD" },
  invalid_type: { status: 400, message: "Invalid type" },
  missing_domain: { status: 400, message: "Missing parameter: domain, such as example.com" },
  invalid_domain: { status: 400, message: "Invalid domain" },
  invalid_registrar: { status: 400, message: "Invalid registrar" },
  invalid_parameter: { status: 400, message: "Invalid parameter" },
  invalid_body: { status: 400, message: "Invalid body" },
  invalid_host: { status: 400, message: "Invalid Host header" },
  not_found: { status: 404, message: "Not found" },
  method_not_allowed: { status: 405, message: "Method not allowed" },
  payload_too_large: { status: 413, message: "The body is too large: send at most 64 KiB" },
  unsupported_media_type: {
    status: 415,
    message: "Unsupported media type: send Content-Type: application/json",
  },
  rate_limit_exceeded: {
    status: 429,
    // Each rejection adds the true number of seconds.
    message: "Too many requests. Please retry after 60 seconds.",
  },
  check_failed: { status: 500, message: "The name could not be checked" },
  metadata_failed: { status: 500, message: "The name could not be looked up" },
  internal_error: {
    status: 500,
    message: "Internal error (logged): quote X-Request-Id to report it",
  },
  service_unavailable: { status: 503, message: "Not ready: retry in a few seconds" },
} as const;

/** A code of the error table. */
export type ErrorCode = keyof typeof ERRORS;

/** Every code, in the order of the table. */
export const ERROR_CODES: readonly string[] = Object.keys(ERRORS);

/** The body of an error. */
export interface ErrorBody {
  error: ErrorCode;
  message: string;
  /** The HTTP status; on every error but a 429. */
  code?: number;
}

/**
 * An error for the client; `advice` says what to send instead, `problem` replaces the code's own message, `headers` are those
 * that its status requires.
 */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    readonly code: ErrorCode,
    advice?: string,
    problem: string = ERRORS[code].message,
    readonly headers: Readonly<Record<string, string>> = code === "service_unavailable"
      ? { "retry-after": "5" }
      : {},
  ) {
    super(advice === undefined ? problem : `${problem}: ${advice}`);
  }

  /** The HTTP status of the answer. */
  get status(): typeof ERRORS[ErrorCode]["status"] {
    return ERRORS[this.code].status;
  }

  /** The body of the response. */
  toBody(): ErrorBody {
    const { code: error, message, status: code } = this;
    return code === 429 ? { error, message } : { error, message, code };
  }
}

/** Whether a text, such as a schema's issue, is a code of the table. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}
