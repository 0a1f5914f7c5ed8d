/** Every error that the API answers, as rows: code → status and what to do instead. */
import { REGISTRARS } from "../rules/registrars.ts";

const REGISTRAR_SLUGS = new Intl.ListFormat("en-GB", { type: "disjunction" })
  .format(REGISTRARS.map(({ slug }) => slug));

const ERRORS = {
  missing_parameter: { status: 400, message: "Send the parameter name" },
  invalid_name: { status: 400, message: "The name is not valid" },
  unsupported_tld: { status: 400, message: "This TLD is not supported" },
  invalid_type: { status: 400, message: "Send type=gTLD or type=ccTLD, or leave it out" },
  missing_domain: { status: 400, message: "Send the parameter domain, such as example.com" },
  invalid_domain: { status: 400, message: "The domain is not valid" },
  invalid_registrar: { status: 400, message: `Send one of ${REGISTRAR_SLUGS}` },
  invalid_host: { status: 400, message: "The Host header is not a host name" },
  not_found: { status: 404, message: "There is nothing here" },
  method_not_allowed: { status: 405, message: "This path does not take that method" },
  rate_limit_exceeded: {
    status: 429,
    message: "Too many requests. Please retry after 60 seconds.",
  },
  check_failed: { status: 500, message: "The name could not be checked" },
  metadata_failed: { status: 500, message: "The name could not be looked up" },
  internal_error: { status: 500, message: "The service failed; the fault is logged" },
  service_unavailable: { status: 503, message: "The service is not ready; try again in a moment" },
} as const;

/** A code of the error table. */
export type ErrorCode = keyof typeof ERRORS;

/** The body of an error. */
export interface ErrorBody {
  error: ErrorCode;
  message: string;
  /** The HTTP status; on every error but a 429. */
  code?: number;
}

/** A refusal to the caller; `advice` says what to send instead. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, advice?: string) {
    super(advice === undefined ? ERRORS[code].message : `${ERRORS[code].message}: ${advice}`);
    this.code = code;
  }

  /** The HTTP status of the answer. */
  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The answer's body. */
  toBody(): ErrorBody {
    const { code: error, message, status: code } = this;
    return code === 429 ? { error, message } : { error, message, code };
  }
}

/** Whether a text, such as a schema's issue, is a code of the table. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}
