import { GODADDY } from "./back_ends.ts";
import { startDnsServer } from "./dns_server.ts";
import type { HttpBehaviour } from "./http_behaviour.ts";
import type { Services } from "./iana_table.ts";
import { useNoSystemDns } from "./lab_env.ts";
import { priceList } from "./price_list.ts";
import { publishFile } from "./published_file.ts";
import type { Registry } from "./registries.ts";
import { startRegistryServer } from "./registry_server.ts";

/** Decides each answer of a directed lab at the moment of the question. */
export interface Director {
  /** Whether DNS has name servers for a name. */
  isDelegated(name: string): boolean;
  /** What the registry at a host answers about a domain. */
  answer(registry: Registry, domain: string): HttpBehaviour;
}

/** Starts a lab whose answers are not scripted by name: one director decides them all. IANA's table lists the services. */
export async function startDirectedLab(
  { isDelegated, answer }: Director,
  services: Services,
) {
  useNoSystemDns();
  const publication = "2026-09-30T23:00:03Z";
  const table = publishFile({ version: "1.0", publication, services });
  const prices = publishFile(priceList());
  const files = new Map([["iana.lab/rdap/dns.json", table], ["prices.lab/pricing", prices]]);
  const web = await startRegistryServer(({ host, path }) => {
    const domain = path.slice(path.lastIndexOf("/") + 1);
    const registry = { host, backEnd: GODADDY, bases: {}, latencyMs: 0 };
    return files.get(`${host}${path}`)?.answer() ?? answer(registry, domain);
  });
  const dns = await startDnsServer((name) => (
    { kind: isDelegated(name) ? "delegated" : "nxdomain" }
  ));
  return {
    dnsServer: dns.address,
    proxyUrl: web.url,
    async [Symbol.asyncDispose]() {
      await Promise.all([web.close(), dns.close()]);
    },
  };
}
