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
  at("rdap.verisign.com", VERISIGN, { com: "/com/v1/", net: "/net/v1/" }, 100),
  at("tld-rdap.verisign.com", VERISIGN, { cc: "/cc/v1/" }, 100),
  at("rdap.identitydigital.services", IDENTITY_DIGITAL, below("/rdap/", "ai info io me"), 600),
  at("rdap.publicinterestregistry.org", PIR, { org: "/rdap/" }, 570),
  at("pubapi.registry.google", NOMULUS, below("/rdap/", "app dev page"), 150),
  at("rdap.centralnic.com", CENTRAL_NIC, { xyz: "/xyz/" }, 195),
  at("rdap.radix.host", TUCOWS, below("/rdap/", "fun online press site store tech")),
  at("rdap.registry.cloud", TUCOWS, { cloud: "/rdap/" }),
  at("rdap.nominet.uk", NOMINET, { bot: "/bot/" }, 280),
  at("rdap.nic.biz", GODADDY, { biz: "/" }),
  at("rdap.nic.tv", GODADDY, { tv: "/" }),
];

function at(host: string, backEnd = GODADDY, bases: Registry["bases"] = {}, latencyMs = 250) {
  return { host, backEnd, bases, latencyMs };
}

/** The bases of TLDs that share one. */
function below(path: string, tlds: string): Registry["bases"] {
  return Object.fromEntries(tlds.split(" ").map((tld) => [tld, path]));
}

/** The registries of the service's built-in TLDs and of a few others. */
export const REGISTRIES = withEveryTld(KNOWN_REGISTRIES);

/** Adds the built-in TLDs that the registries lack, each at the host of its row. */
function withEveryTld(known: readonly Registry[]): readonly Registry[] {
  const byHost = new Map(known.map((registry) => [registry.host, registry]));
  for (const { tld, rdapBase } of BUILT_IN_TLDS) {
    if (known.some(({ bases }) => tld in bases)) continue;
    const { host, pathname } = new URL(rdapBase);
    const registry = byHost.get(host) ?? at(host);
    byHost.set(host, { ...registry, bases: { ...registry.bases, [tld]: pathname } });
  }
  return [...byHost.values()];
}

const NEW_BASES = { com: "/com/", net: "/net/", ...below("/rdap/", "online site") };

/** A host to which registries of the lab may move: it has the same names, and IANA's table does not list it yet. */
export const NEW_HOME = at("rdap.new-home.lab", GODADDY, NEW_BASES, 0);

/** The registry that serves a TLD in the lab. */
export function registryOf(tld: string): Registry | undefined {
  return REGISTRIES.find((registry) => tld in registry.bases);
}
