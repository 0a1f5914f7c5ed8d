import { LINKED_TERMS, type Notice, TERMS_OF_USE, TITLED_TERMS } from "./notices.ts";
import { RDAP_JSON } from "./http_behaviour.ts";

/** The members of a 404's body beside its conformance. */
export interface NotFound {
  description?: readonly string[];
  notices?: readonly Notice[];
  [more: string]: unknown;
}

/** The software behind a registry, which gives its answers their shape. */
export interface BackEnd {
  contentType: string;
  /** The case of names. */
  letters: "upper" | "lower";
  registrar: string;
  /** On a 200; of none the member is omitted. */
  statuses: readonly string[];
  terms: Notice;
  /** The body of the clean 404; absent: it has none. */
  notFound?: (domain: string) => NotFound;
}

/** The defaults; each row below overrides what differs. */
const USUAL: BackEnd = {
  contentType: RDAP_JSON,
  letters: "lower",
  registrar: "Lab Registrar Ltd",
  statuses: ["active"],
  terms: TITLED_TERMS,
};

const NOT_FOUND = { errorCode: 404, title: "Not Found" };

/** Upper-case names, no status on some names, a 404 without a body. */
export const VERISIGN: BackEnd = {
  ...USUAL,
  statuses: [],
  letters: "upper",
  registrar: "RESERVED-Internet Assigned Numbers Authority",
  terms: TERMS_OF_USE,
};

/** Slow, with a strict rate limit. */
export const IDENTITY_DIGITAL: BackEnd = {
  ...USUAL,
  terms: LINKED_TERMS,
  statuses: ["client transfer prohibited"],
  notFound: () => ({ errorCode: 404, title: "Object not found", notices: [LINKED_TERMS] }),
};

/** Identity Digital's software with PIR's terms and redactions. */
export const PIR: BackEnd = {
  ...USUAL,
  notFound: () => ({
    lang: "en",
    errorCode: 404,
    title: "Object not found",
    description: ["Object not found"],
    notices: [TITLED_TERMS],
  }),
};

/** Google's own; its 404 names the domain. */
export const NOMULUS: BackEnd = {
  ...USUAL,
  contentType: `${RDAP_JSON}; charset=utf-8`,
  statuses: ["client transfer prohibited", "active"],
  notFound: (domain) => (
    { ...NOT_FOUND, lang: "en", description: [`${domain} not found`], notices: [TITLED_TERMS] }
  ),
};

/** An object class on errors. */
export const CENTRAL_NIC: BackEnd = {
  ...USUAL,
  notFound: () => (
    { ...NOT_FOUND, objectClassName: "error", description: ["The domain does not exist"] }
  ),
};

/** The only one whose 404 gives the reason why a name is reserved. */
export const TUCOWS: BackEnd = {
  ...USUAL,
  notFound: (domain) => ({ ...NOT_FOUND, description: [`Domain Name: ${domain}`, "No match"] }),
};

/** Its 404 body is not known; the string in place of a number is what NIC Mexico sends. */
export const NOMINET: BackEnd = {
  ...USUAL,
  contentType: "application/json",
  notFound: () => ({ ...NOT_FOUND, errorCode: "404", description: ["No such domain"] }),
};

/** Nothing is known of its bodies: the plainest that the standard allows. */
export const GODADDY: BackEnd = {
  ...USUAL,
  notFound: () => ({ ...NOT_FOUND, notices: [TITLED_TERMS] }),
};
