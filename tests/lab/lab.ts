import { type DnsQuery, startDnsServer } from "./dns_server.ts";
import { createLabScript, type LabScript } from "./lab_script.ts";
import { startLabWeb } from "./lab_web.ts";
import { later } from "./delays.ts";
import { useNoSystemDns } from "./lab_env.ts";
import type { PublishedFile } from "./published_file.ts";
import { registryOf } from "./registries.ts";
import type { RecordedRequest } from "./registry_server.ts";
import { startWhoisServer, type WhoisQuery } from "./whois_server.ts";

/** Options of a lab. */
export interface LabOptions {
  /** Added to every DNS answer. */
  dnsDelayMs?: number;
  /** Whether registries take as long as the real ones. */
  latency?: "none" | "real";
}

/** Every outside system of the service but Ethereum, on loopback. */
export interface Lab extends LabScript, AsyncDisposable {
  /** `ip:port` of the name server. */
  dnsServer: string;
  /** The HTTP server that simulates every host: a forward proxy. */
  proxyUrl: string;
  /** `ip:port` of the WHOIS server, which simulates those of all TLDs. */
  whoisServer: string;
  dnsQueries: DnsQuery[];
  whoisQueries: WhoisQuery[];
  requests: RecordedRequest[];
  /** Serves any bytes as IANA's table. */
  setTable: PublishedFile["set"];
  /** Serves any bytes as IANA's list of TLDs. */
  setRootZone: PublishedFile["set"];
  /** Serves any bytes as the price list. */
  setPrices: PublishedFile["set"];
  /** Clears the recorded queries and requests, not the script. */
  clear(): void;
  close(): Promise<void>;
}

/** Starts the lab. */
export async function startLab(
  { dnsDelayMs = 0, latency = "none" }: LabOptions = {},
): Promise<Lab> {
  useNoSystemDns();
  const script = createLabScript();
  const web = await startLabWeb(script, latency);
  const dns = await startDnsServer((name, type) =>
    later(script.dnsBehaviour(name, type), dnsDelayMs)
  );
  const whois = await startWhoisServer({
    answer: script.whoisBehaviour,
    delayMs: (tld) => latency === "none" ? 0 : registryOf(tld)?.latencyMs ?? 0,
  });
  const servers = [dns, web.server, whois];
  const close = async () => void await Promise.all(servers.map((server) => server.close()));
  return {
    ...script,
    dnsServer: dns.address,
    proxyUrl: web.server.url,
    whoisServer: whois.address,
    dnsQueries: dns.queries,
    whoisQueries: whois.queries,
    requests: web.server.requests,
    setTable: web.table.set,
    setRootZone: web.zone.set,
    setPrices: web.prices.set,
    clear() {
      for (const seen of [dns.queries, whois.queries, web.server.requests]) seen.length = 0;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
