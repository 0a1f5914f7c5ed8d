import type { BackEnd } from "./back_end.ts";
import type { RegistryManner } from "./registry_manner.ts";

/** A registry's RDAP host and what is known of it. */
export interface Registry {
  host: string;
  backEnd: BackEnd;
  /** TLD to base path, with its last slash; one host may serve several TLDs from one base. */
  bases: Readonly<Record<string, string>>;
  /** What an answer takes, in milliseconds. */
  latencyMs: number;
}

/** How a registry answers for a domain. */
export type RdapReply = (registry: Registry, domain: string) => RegistryManner;

/** The URL of a domain at its registry, as the lab's table of registries has it. */
export function domainUrl({ host, bases }: Registry, domain: string, under = ""): string {
  const tld = domain.slice(domain.lastIndexOf(".") + 1);
  return `http://${host}${bases[tld] ?? "/"}${under}domain/${domain}`;
}
