import type { DnsBehaviour } from "./dns_behaviour.ts";
import { type DnsServer, startDnsServer } from "./dns_server.ts";
import { useNoSystemDns } from "./lab_env.ts";
import { priceList } from "./price_list.ts";
import { type PublishedFile, publishFile } from "./published_file.ts";
import type { HttpBehaviour } from "./http_behaviour.ts";
import { type RegistryRequest, startRegistryServer } from "./registry_server.ts";

/** Decides each answer of a directed lab at the moment of the question. */
export interface Director {
  answerDns(server: number, name: string, type: string): DnsBehaviour;
  answerRegistry(request: RegistryRequest): HttpBehaviour;
}

/** A lab whose answers are not scripted by name: one director decides them all. */
export interface DirectedLab extends AsyncDisposable {
  /** `ip:port` of each name server, so that its users can be distinguished. */
  dnsServers: readonly string[];
  proxyUrl: string;
  bootstrapUrl: string;
  pricesUrl: string;
  /** Serves any bytes as IANA's table. */
  setTable: PublishedFile["set"];
  /** Clears the servers' own request logs, which would grow in a long run. */
  clear(): void;
}

/** Starts a lab with so many name servers; `table` is IANA's table at first. */
export async function startDirectedLab(
  director: Director,
  { nameServers, table: firstTable }: { nameServers: number; table: unknown },
): Promise<DirectedLab> {
  useNoSystemDns();
  const table = publishFile(firstTable);
  const prices = publishFile(priceList());
  const files = new Map([["iana.lab/rdap/dns.json", table], ["prices.lab/pricing", prices]]);
  const web = await startRegistryServer({
    answer(request) {
      const file = files.get(`${request.host}${request.path}`);
      return file?.answer() ?? director.answerRegistry(request);
    },
  });
  const dns: DnsServer[] = [];
  for (let server = 0; server < nameServers; server++) {
    const answer = (name: string, type: string) => director.answerDns(server, name, type);
    dns.push(await startDnsServer({ answer }));
  }
  return {
    dnsServers: dns.map(({ address }) => address),
    proxyUrl: web.url,
    bootstrapUrl: "http://iana.lab/rdap/dns.json",
    pricesUrl: "http://prices.lab/pricing",
    setTable: table.set,
    clear() {
      web.clear();
      for (const { queries } of dns) queries.length = 0;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([web.close(), ...dns.map((server) => server.close())]);
    },
  };
}
