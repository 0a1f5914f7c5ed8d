import { markedNotFoundReply } from "./not_found_reply.ts";
import type { Notice } from "./notices.ts";
import {
  INACCURACY_FORM,
  LINKED_TERMS,
  STATUS_CODES,
  TERMS_OF_USE,
  TITLED_TERMS,
} from "./notices.ts";
import type { RdapReply } from "./registry.ts";

/** What a 404 says besides "not found": phrases that registries have been seen to use, in RDAP or WHOIS. */
export const markedReplies = {
  reserved: said((domain) => [
    `Domain Name: ${domain}`,
    "This name is not available for registration:",
    "Registry Reserved",
  ]),
  unsupportedTld: said(() => [
    "This name is not available for registration:",
    "Tld not supported by this registry interface",
  ]),
  blockedBsa: (registry, domain) =>
    markedNotFoundReply(registry, domain, {
      description: [`${domain} blocked by BSA`],
      notices: [{
        title: "Blocked Domain",
        description: ["This name has been blocked by a GlobalBlock service"],
        links: [{ href: "https://brandsafetyalliance.co", rel: "alternate", type: "text/html" }],
      }],
    }),
  globalblock: noted({ description: ["This name has been blocked by a GlobalBlock service"] }),
  dropzone: said(() => [
    "This domain is currently available for application via the PIR Dropzone service.",
  ]),
  dpml: said(() => [
    "The registration of this domain is restricted, as it is protected by the DPML Brand Protection policy",
  ]),
  restricted: noted({ description: ["Registration of this name is restricted"] }),
  premium: noted({ description: ["This premium domain is available for purchase."] }),
  platinum: noted({ description: ["This platinum domain is available for purchase."] }),
  expiryAccessPeriod: noted({
    description: [
      "This domain is currently available for registration in the Expiry Access Period",
    ],
  }),
  tosTrap: noted(TITLED_TERMS, LINKED_TERMS, STATUS_CODES, INACCURACY_FORM, {
    ...TERMS_OF_USE,
    description: ["Contact: RESERVED-Internet Assigned Numbers Authority"],
  }),
} as const satisfies Readonly<Record<string, RdapReply>>;

function said(description: (domain: string) => readonly string[]): RdapReply {
  return (registry, domain) =>
    markedNotFoundReply(registry, domain, { description: description(domain) });
}

function noted(...notices: readonly Notice[]): RdapReply {
  return (registry, domain) => markedNotFoundReply(registry, domain, { notices });
}
