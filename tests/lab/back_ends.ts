import type { BackEnd } from "./back_end.ts";
import {
  INACCURACY_FORM,
  LINKED_TERMS,
  STATUS_CODES,
  TERMS_OF_USE,
  TITLED_TERMS,
} from "./notices.ts";
import { RDAP_JSON } from "./registry_manner.ts";

const ICANN_PROFILE = [
  "rdap_level_0",
  "icann_rdap_response_profile_1",
  "icann_rdap_technical_implementation_guide_1",
];

/** What most have in common; each row below names only what is its own. */
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

/** Slow, and strict with whoever asks a lot. */
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

/** The only one that says why a name cannot be had. */
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
