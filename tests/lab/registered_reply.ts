import type { BackEnd } from "./back_end.ts";
import { domainUrl, type Registry } from "./registry.ts";
import { RDAP_JSON, type RegistryManner } from "./registry_manner.ts";

/** A 200 in the registry's own shape; `statuses` replaces its usual status words, an empty list drops them. */
export function registeredReply(
  registry: Registry,
  domain: string,
  statuses: readonly string[] | undefined = registry.backEnd.statuses,
): RegistryManner & { kind: "json" } {
  const { backEnd } = registry;
  const name = backEnd.letters === "upper" ? domain.toUpperCase() : domain;
  const href = domainUrl(registry, domain);
  return {
    kind: "json",
    status: 200,
    contentType: backEnd.contentType,
    body: {
      objectClassName: "domain",
      handle: `${domain.length}0042${backEnd.handleEnd}`,
      ldhName: name,
      links: [{ value: href, rel: "self", href, type: RDAP_JSON }],
      ...(statuses?.length ? { status: statuses } : {}),
      entities: [registrar(backEnd.registrar)],
      events: events(backEnd.dateEnd),
      secureDNS: { delegationSigned: false },
      nameservers: ["ns1.hosting.example", "ns2.hosting.example"].map((server) => ({
        objectClassName: "nameserver",
        ldhName: backEnd.letters === "upper" ? server.toUpperCase() : server,
      })),
      ...(backEnd.redacted ? { redacted: redactions() } : {}),
      rdapConformance: backEnd.conformance,
      notices: [backEnd.terms, ...backEnd.notices],
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

function events(dateEnd: BackEnd["dateEnd"]) {
  return [
    { eventAction: "registration", eventDate: `2011-03-04T05:06:07${dateEnd}` },
    { eventAction: "expiration", eventDate: `2031-03-04T05:06:07${dateEnd}` },
    { eventAction: "last update of RDAP database", eventDate: `2026-10-05T00:00:00${dateEnd}` },
  ];
}

function redactions() {
  return ["Registrant Name", "Registrant Email"].map((type) => ({
    name: { type },
    reason: { description: "Server policy" },
    method: "removal",
  }));
}
