import { domainUrl, type Registry } from "./registries.ts";
import { type HttpBehaviour, RDAP_JSON } from "./http_behaviour.ts";
import type { NotFound } from "./back_ends.ts";
import { INACCURACY_FORM, STATUS_CODES } from "./notices.ts";

const CONFORMANCE = ["rdap_level_0", "icann_rdap_response_profile_1"];

/** A 200 in the registry's own shape; `statuses` replaces its usual status words, an empty list drops them. */
export function registeredReply(
  registry: Registry,
  domain: string,
  statuses: readonly string[] = registry.backEnd.statuses,
): HttpBehaviour & { kind: "json" } {
  const { backEnd } = registry;
  const name = backEnd.letters === "upper" ? domain.toUpperCase() : domain;
  const href = domainUrl(registry, domain);
  return {
    kind: "json",
    status: 200,
    contentType: backEnd.contentType,
    body: {
      objectClassName: "domain",
      handle: `${domain.length}0042-LAB`,
      ldhName: name,
      links: [{ value: href, rel: "self", href, type: RDAP_JSON }],
      ...(statuses.length > 0 ? { status: statuses } : {}),
      entities: [registrar(backEnd.registrar)],
      events: [
        ["registration", "2011-03-04T05:06:07Z"],
        ["expiration", "2031-03-04T05:06:07Z"],
        ["last update of RDAP database", "2026-10-05T00:00:00Z"],
      ].map(([eventAction, eventDate]) => ({ eventAction, eventDate })),
      secureDNS: { delegationSigned: false },
      nameservers: ["ns1.hosting.example", "ns2.hosting.example"].map((server) => ({
        objectClassName: "nameserver",
        ldhName: backEnd.letters === "upper" ? server.toUpperCase() : server,
      })),
      rdapConformance: CONFORMANCE,
      notices: [backEnd.terms, STATUS_CODES, INACCURACY_FORM],
    },
  };
}

function registrar(name: string) {
  return {
    objectClassName: "entity",
    handle: "9999",
    roles: ["registrar"],
    publicIds: [{ type: "IANA Registrar ID", identifier: "9999" }],
    vcardArray: ["vcard", [["version", {}, "text", "4.0"], ["fn", {}, "text", name]]],
  };
}

/** The clean 404 in the registry's own shape. */
export function notFoundReply({ backEnd }: Registry, domain: string): HttpBehaviour {
  const { notFound, contentType } = backEnd;
  if (!notFound) return { kind: "empty", status: 404, contentType };
  const body = { rdapConformance: CONFORMANCE, ...notFound(domain) };
  return { kind: "json", status: 404, contentType, body };
}

/** How a registry answers that has a record of such names alone. */
export const registeredFor = (names: RegExp) => (registry: Registry, domain: string) =>
  names.test(domain) ? registeredReply(registry, domain) : notFoundReply(registry, domain);

/** The registry's 404 with another description or further notices; where its usual one is empty, with nothing else. */
export function markedNotFoundReply(
  { backEnd: { contentType, notFound } }: Registry,
  domain: string,
  { description, notices = [] }: Pick<NotFound, "description" | "notices">,
): HttpBehaviour {
  const usual = notFound?.(domain) ?? { errorCode: 404 };
  const all = [...usual.notices ?? [], ...notices];
  const body = {
    ...(notFound && { rdapConformance: CONFORMANCE }),
    ...usual,
    ...(description && { description }),
    ...(all.length > 0 && { notices: all }),
  };
  return { kind: "json", status: 404, contentType, body };
}

/** A 429, with a Retry-After or without. */
export function rateLimitedReply(registry: Registry, retryAfter?: string): HttpBehaviour {
  const reply = errorReply(registry, 429, "Too Many Requests", "Query rate exceeded");
  return { ...reply, ...(retryAfter && { headers: { "retry-after": retryAfter } }) };
}

/** An error of any status as an RDAP error object. */
export function errorReply(
  { backEnd: { contentType } }: Registry,
  status: number,
  title: string,
  description: string,
): HttpBehaviour & { kind: "json" } {
  const error = { errorCode: status, title, description: [description] };
  const body = { rdapConformance: CONFORMANCE, ...error };
  return { kind: "json", status, contentType, body };
}
