import {
  errorReply,
  markedNotFoundReply,
  notFoundReply,
  rateLimitedReply,
  registeredReply,
} from "./registry_replies.ts";
import {
  INACCURACY_FORM,
  LINKED_TERMS,
  type Notice,
  STATUS_CODES,
  TERMS_OF_USE,
  TITLED_TERMS,
} from "./notices.ts";
import { domainUrl, type RdapReply, type Registry } from "./registries.ts";
import { type HttpBehaviour, RDAP_JSON } from "./http_behaviour.ts";

const PAGE = "<!doctype html><title>Not the registry</title><p>Please come back later.</p>";

/** Every reply that a registry can be scripted to give, by name. */
export const rdapBehaviours = {
  registered: (registry, domain) => registeredReply(registry, domain),
  registeredNoStatus: withStatuses(),
  registeredUndelegated: withStatuses("inactive"),
  pendingDelete: withStatuses("pending delete"),
  redemption: withStatuses("pending delete", "redemption period"),
  serverHold: withStatuses("server hold", "server transfer prohibited"),
  free: notFoundReply,
  rateLimited: (registry) => rateLimitedReply(registry),
  rateLimitedSeconds: (registry) => rateLimitedReply(registry, "30"),
  /** To a path where the lab gives the clean 404. */
  redirectSameHost: redirected((registry, domain) => domainUrl(registry, domain, "moved/")),
  /** To the clean 404 of another name, which proves nothing about the requested one. */
  redirectOtherName: redirected((registry, domain) =>
    domainUrl(registry, `made-up-${domain}`, "moved/")
  ),
  /** To the name's clean 404, with a user and a password in the address, which no registry's own address has. */
  redirectUserinfo: redirected((registry, domain) =>
    domainUrl(registry, domain, "moved/").replace("//", "//user:password@")
  ),
  redirectLoop: redirected(domainUrl),

  // 404s with more than "not found": phrases that registries have used, in RDAP or WHOIS.
  reserved: described((domain) => [
    `Domain Name: ${domain}`,
    "This name is not available for registration:",
    "Registry Reserved",
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
  globalblock: withNotices({
    description: ["This name has been blocked by a GlobalBlock service"],
  }),
  dropzone: described(() => [
    "This domain is currently available for application via the PIR Dropzone service.",
  ]),
  premium: priced("This premium domain is available for purchase."),
  platinum: priced("This platinum domain is available for purchase."),
  expiryAccessPeriod: withNotices({
    description: [
      "This domain is currently available for registration in the Expiry Access Period",
    ],
  }),
  tosTrap: withNotices(TITLED_TERMS, LINKED_TERMS, STATUS_CODES, INACCURACY_FORM, {
    ...TERMS_OF_USE,
    description: ["Contact: RESERVED-Internet Assigned Numbers Authority"],
  }),

  // Answers that must not be trusted.
  unavailable503: refused(503, "Service Unavailable"),
  error500: refused(500, "Internal Server Error"),
  forbidden403: refused(403, "Forbidden"),
  badRequest400: refused(400, "Bad Request"),
  html404: always({ kind: "text", status: 404, contentType: "text/html", body: PAGE }),
  html200: always({ kind: "text", status: 200, contentType: "text/html", body: PAGE }),
  /** Clean at Verisign's hosts only. */
  empty404: always({ kind: "empty", status: 404, contentType: RDAP_JSON }),
  empty200: always({ kind: "empty", status: 200, contentType: RDAP_JSON }),
  wrongErrorCode: (registry) => ({ ...errorReply(registry, 400, "Not Found", ""), status: 404 }),
  wrongName200: (registry, domain) => registeredReply(registry, `not-${domain}`),
  /** To a host that is no registry in the lab and sends a clean 404: following it gives a wrong "available". */
  redirectOffHost: redirected((_, domain) => `http://router.lab/domain/${domain}`),
  /** A clean 404 with the domain's name in its body, under status 200. */
  notFound200: (registry, domain) => ({
    ...errorReply(registry, 404, "Not Found", `${domain} not found`),
    status: 200,
  }),

  // Faults of the connection rather than of the answer.
  silent: always({ kind: "silent" }),
  cut: always({ kind: "cut" }),
  cutHeader: always({ kind: "cutHeader" }),
  garbage: always({ kind: "garbage" }),
  oversized: always({ kind: "oversized", bytes: 2 * 1024 * 1024 }),
  gzipBomb: always({ kind: "gzipBomb" }),
  reset: always({ kind: "reset" }),
} as const satisfies Readonly<Record<string, RdapReply>>;

/** The name of each behaviour. */
export type RdapBehaviour = keyof typeof rdapBehaviours;

/** What a registry does: the name of a reply, an HTTP behaviour, or how it answers for each domain. */
export type RdapScript = RdapBehaviour | HttpBehaviour | RdapReply;

function withStatuses(...statuses: readonly string[]): RdapReply {
  return (registry, domain) => registeredReply(registry, domain, statuses);
}

function described(description: (domain: string) => readonly string[]): RdapReply {
  return (registry, domain) =>
    markedNotFoundReply(registry, domain, { description: description(domain) });
}

function withNotices(...notices: readonly Notice[]): RdapReply {
  return (registry, domain) => markedNotFoundReply(registry, domain, { notices });
}

/** Words about the price. A registry whose 404 is empty does not tell prices over RDAP. */
function priced(words: string): RdapReply {
  return (registry, domain) =>
    registry.backEnd.notFound === undefined
      ? notFoundReply(registry, domain)
      : markedNotFoundReply(registry, domain, { notices: [{ description: [words] }] });
}

function redirected(to: (registry: Registry, domain: string) => string): RdapReply {
  return (registry, domain) => ({ kind: "redirect", status: 302, location: to(registry, domain) });
}

function refused(status: number, title: string): RdapReply {
  return (registry) => errorReply(registry, status, title, "Try again later");
}

function always(behaviour: HttpBehaviour): RdapReply {
  return () => behaviour;
}
