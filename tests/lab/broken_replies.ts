import { errorReply } from "./refusal_replies.ts";
import { registeredReply } from "./registered_reply.ts";
import type { RdapReply } from "./registry.ts";
import { RDAP_JSON, type RegistryManner } from "./registry_manner.ts";

const PAGE = "<!doctype html><title>Not the registry</title><p>Please come back later.</p>";

/** Answers that must not be believed, whatever they say. */
export const brokenReplies = {
  unavailable503: refused(503, "Service Unavailable"),
  error500: refused(500, "Internal Server Error"),
  forbidden403: refused(403, "Forbidden"),
  badRequest400: refused(400, "Bad Request"),
  html404: always({ kind: "text", status: 404, contentType: "text/html", body: PAGE }),
  html200: always({ kind: "text", status: 200, contentType: "text/html", body: PAGE }),
  /** Clean at Verisign's hosts only. */
  empty404: always({ kind: "empty", status: 404, contentType: RDAP_JSON }),
  empty200: always({ kind: "empty", status: 200, contentType: RDAP_JSON }),
  badJson404: badJson(404),
  badJson200: badJson(200),
  wrongErrorCode: (registry) => ({ ...errorReply(registry, 400, "Not Found", ""), status: 404 }),
  wrongName200: (registry, domain) => registeredReply(registry, `not-${domain}`),
  wrongClass200: (registry, domain) => {
    const reply = registeredReply(registry, domain);
    return { ...reply, body: { ...reply.body as object, objectClassName: "entity" } };
  },
  /** A host that plays no registry in the lab answers a clean 404: whoever follows is led to a wrong "free". */
  redirectOffHost: (_, domain) => ({
    kind: "redirect",
    status: 302,
    location: `http://router.lab/domain/${domain}`,
  }),
  /** A clean 404 with the domain's name in it, under a status that says the opposite. */
  notFound200: (registry, domain) => ({
    ...errorReply(registry, 404, "Not Found", `${domain} not found`),
    status: 200,
  }),
} as const satisfies Readonly<Record<string, RdapReply>>;

function always(manner: RegistryManner): RdapReply {
  return () => manner;
}

function refused(status: number, title: string): RdapReply {
  return (registry) => errorReply(registry, status, title, "Try again later");
}

function badJson(status: number): RdapReply {
  return always({
    kind: "text",
    status,
    contentType: RDAP_JSON,
    body: `{"errorCode":404,"title":"Not Found",`,
  });
}
