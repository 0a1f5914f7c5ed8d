import {
  INACCURACY_FORM,
  LINKED_TERMS,
  type Notice,
  STATUS_CODES,
  TERMS_OF_USE,
  TITLED_TERMS,
} from "./notices.ts";
import { RDAP_JSON } from "./http_behaviour.ts";

/** The software behind a registry, which gives its answers their shape. */
export interface BackEnd {
  contentType: string;
  conformance: readonly string[];
  /** The case of names. */
  letters: "upper" | "lower";
  /** The end of a date, after the seconds. */
  dateEnd: "Z" | ".0Z" | ".000Z";
  handleEnd: string;
  registrar: string;
  /** On a 200; absent: the member is omitted. */
  statuses?: readonly string[];
  redacted: boolean;
  /** On a 200, besides the terms. */
  notices: readonly Notice[];
  terms: Notice;
  /** The body of the clean 404; absent: it has none. */
  notFound?: NotFoundBody;
  /** The status for an invalid label. */
  invalidName: 400 | 404;
  /** The form of a 429's Retry-After. */
  retryAfter?: "seconds" | "date";
}

/** The members of a back end's 404. */
export interface NotFoundBody {
  errorCode: 404 | "404";
  title: string;
  description: (domain: string) => readonly string[];
  /** Whether it includes the terms. */
  terms: boolean;
  /** Members beyond the standard. */
  extra?: Readonly<Record<string, unknown>>;
}

const ICANN_PROFILE = [
  "rdap_level_0",
  "icann_rdap_response_profile_1",
  "icann_rdap_technical_implementation_guide_1",
];

/** The defaults; each row below overrides what differs. */
const USUAL: Omit<BackEnd, "handleEnd"> = {
  contentType: RDAP_JSON,
  conformance: ICANN_PROFILE,
  letters: "lower",
  dateEnd: "Z",
  registrar: "Lab Registrar Ltd",
  statuses: ["active"],
  redacted: false,
  notices: [STATUS_CODES, INACCURACY_FORM],
  terms: TITLED_TERMS,
  invalidName: 400,
};

/** Upper-case names, no status on some names, a 404 without a body. */
export const VERISIGN: BackEnd = {
  ...withoutStatuses(),
  conformance: ["rdap_level_0", "icann_rdap_response_profile_0"],
  letters: "upper",
  handleEnd: "_DOMAIN-VRSN",
  registrar: "RESERVED-Internet Assigned Numbers Authority",
  terms: TERMS_OF_USE,
  invalidName: 404,
};

/** Slow, with a strict rate limit. */
export const IDENTITY_DIGITAL: BackEnd = {
  ...USUAL,
  dateEnd: ".000Z",
  handleEnd: "-DONUTS",
  terms: LINKED_TERMS,
  statuses: ["client transfer prohibited"],
  notFound: { errorCode: 404, title: "Object not found", description: () => [], terms: true },
  retryAfter: "seconds",
};

/** Identity Digital's software with PIR's terms and redactions. */
export const PIR: BackEnd = {
  ...USUAL,
  conformance: [...ICANN_PROFILE, "redacted"],
  dateEnd: ".000Z",
  handleEnd: "-LROR",
  redacted: true,
  notFound: {
    errorCode: 404,
    title: "Object not found",
    description: () => ["Object not found"],
    terms: true,
    extra: { lang: "en" },
  },
};

/** Google's own; its 404 names the domain. */
export const NOMULUS: BackEnd = {
  ...USUAL,
  contentType: `${RDAP_JSON}; charset=utf-8`,
  dateEnd: ".000Z",
  handleEnd: "-APP",
  statuses: ["client transfer prohibited", "active"],
  notFound: {
    errorCode: 404,
    title: "Not Found",
    description: (domain) => [`${domain} not found`],
    terms: true,
    extra: { lang: "en" },
  },
};

/** A date with tenths of seconds, and an object class on errors. */
export const CENTRAL_NIC: BackEnd = {
  ...USUAL,
  dateEnd: ".0Z",
  handleEnd: "-CNIC",
  notFound: {
    errorCode: 404,
    title: "Not Found",
    description: () => ["The domain does not exist"],
    terms: false,
    extra: { objectClassName: "error" },
  },
  invalidName: 404,
  retryAfter: "date",
};

/** The only one whose 404 gives the reason why a name is reserved. */
export const TUCOWS: BackEnd = {
  ...USUAL,
  conformance: [...ICANN_PROFILE, "redacted"],
  handleEnd: "-TRS",
  redacted: true,
  notFound: {
    errorCode: 404,
    title: "Not Found",
    description: (domain) => [`Domain Name: ${domain}`, "No match"],
    terms: false,
  },
};

/** Its 404 body is not known; the string in place of a number is what NIC Mexico sends. */
export const NOMINET: BackEnd = {
  ...USUAL,
  handleEnd: "-NOMINET",
  contentType: "application/json",
  notFound: {
    errorCode: "404",
    title: "Not Found",
    description: () => ["No such domain"],
    terms: false,
  },
};

/** Nothing is known of its bodies: the plainest that the standard allows. */
export const GODADDY: BackEnd = {
  ...USUAL,
  handleEnd: "-GDREG",
  notFound: { errorCode: 404, title: "Not Found", description: () => [], terms: true },
};

function withoutStatuses() {
  const { statuses: _, ...rest } = USUAL;
  return rest;
}
