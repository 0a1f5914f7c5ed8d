import {
  type BackEnd,
  CENTRAL_NIC,
  GODADDY,
  IDENTITY_DIGITAL,
  NOMINET,
  NOMULUS,
  PIR,
  TUCOWS,
  VERISIGN,
} from "./back_ends.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import type { HttpBehaviour } from "./http_behaviour.ts";

/** A registry's RDAP host and its properties. */
export interface Registry {
  host: string;
  backEnd: BackEnd;
  /** TLD to base path, with its last slash; one host may serve several TLDs from one base. */
  bases: Readonly<Record<string, string>>;
  /** The time of an answer, in milliseconds. */
  latencyMs: number;
}

/** How a registry answers for a domain. */
export type RdapReply = (registry: Registry, domain: string) => HttpBehaviour;

/** The URL of a domain at its registry, as the lab's table of registries has it. */
export function domainUrl({ host, bases }: Registry, domain: string, under = ""): string {
  const tld = domain.slice(domain.lastIndexOf(".") + 1);
  return `http://${host}${bases[tld] ?? "/"}${under}domain/${domain}`;
}

/**
 * Registries of built-in TLDs that answer in their own ways, and of `page`, `fun` and `press`, which are not built in.
 * Latencies were measured from Europe by others; those of Tucows, GoDaddy and Google are guesses.
 */
const KNOWN_REGISTRIES: readonly Registry[] = [
  {
    host: "rdap.verisign.com",
    backEnd: VERISIGN,
    bases: { com: "/com/v1/", net: "/net/v1/" },
    latencyMs: 100,
  },
  { host: "tld-rdap.verisign.com", backEnd: VERISIGN, bases: { cc: "/cc/v1/" }, latencyMs: 100 },
  {
    host: "rdap.identitydigital.services",
    backEnd: IDENTITY_DIGITAL,
    bases: { ai: "/rdap/", info: "/rdap/", io: "/rdap/", me: "/rdap/" },
    latencyMs: 600,
  },
  {
    host: "rdap.publicinterestregistry.org",
    backEnd: PIR,
    bases: { org: "/rdap/" },
    latencyMs: 570,
  },
  {
    host: "pubapi.registry.google",
    backEnd: NOMULUS,
    bases: { app: "/rdap/", dev: "/rdap/", page: "/rdap/" },
    latencyMs: 150,
  },
  { host: "rdap.centralnic.com", backEnd: CENTRAL_NIC, bases: { xyz: "/xyz/" }, latencyMs: 195 },
  {
    host: "rdap.radix.host",
    backEnd: TUCOWS,
    bases: {
      fun: "/rdap/",
      online: "/rdap/",
      press: "/rdap/",
      site: "/rdap/",
      store: "/rdap/",
      tech: "/rdap/",
    },
    latencyMs: 250,
  },
  { host: "rdap.registry.cloud", backEnd: TUCOWS, bases: { cloud: "/rdap/" }, latencyMs: 250 },
  { host: "rdap.nominet.uk", backEnd: NOMINET, bases: { bot: "/bot/" }, latencyMs: 280 },
  { host: "rdap.nic.biz", backEnd: GODADDY, bases: { biz: "/" }, latencyMs: 250 },
  { host: "rdap.nic.tv", backEnd: GODADDY, bases: { tv: "/" }, latencyMs: 250 },
];

/** The registries of the service's built-in TLDs and of a few others. */
export const REGISTRIES = withEveryTld(KNOWN_REGISTRIES);

/** Adds the built-in TLDs that the registries lack, each at the host of its row. */
function withEveryTld(known: readonly Registry[]): readonly Registry[] {
  const byHost = new Map(known.map((registry) => [registry.host, registry]));
  for (const { tld, rdapBase } of BUILT_IN_TLDS) {
    if (known.some(({ bases }) => tld in bases)) continue;
    const { host, pathname } = new URL(rdapBase);
    const registry = byHost.get(host) ?? { host, backEnd: GODADDY, bases: {}, latencyMs: 250 };
    byHost.set(host, { ...registry, bases: { ...registry.bases, [tld]: pathname } });
  }
  return [...byHost.values()];
}

/** A host to which registries of the lab may move: it has the same names, and IANA's table does not list it yet. */
export const NEW_HOME: Registry = {
  host: "rdap.new-home.lab",
  backEnd: GODADDY,
  bases: { com: "/com/", net: "/net/", online: "/rdap/", site: "/rdap/" },
  latencyMs: 0,
};

/** The registry that serves a TLD in the lab. */
export function registryOf(tld: string): Registry | undefined {
  return REGISTRIES.find((registry) => tld in registry.bases);
}
