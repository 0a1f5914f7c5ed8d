import { startDnsServer } from "./dns_server.ts";
import { createLabScript } from "./lab_script.ts";
import { startLabWeb } from "./lab_web.ts";
import { later } from "./delays.ts";
import { useNoSystemDns } from "./lab_env.ts";
import { startWhoisServer } from "./whois_server.ts";

/** Every outside system of the service but Ethereum, on loopback. */
export type Lab = Awaited<ReturnType<typeof startLab>>;

/** Starts the lab; `dnsDelayMs` is added to every DNS answer, and registries may take as long over RDAP as the `real` ones. */
export async function startLab(
  { dnsDelayMs = 0, latency = "none" }: { dnsDelayMs?: number; latency?: "none" | "real" } = {},
) {
  useNoSystemDns();
  const script = createLabScript();
  const web = await startLabWeb(script, latency);
  const dns = await startDnsServer((name, type) =>
    later(script.dnsBehaviour(name, type), dnsDelayMs)
  );
  const whois = await startWhoisServer({ answer: script.whoisBehaviour });
  const servers = [dns, web, whois];
  const close = async () => void await Promise.all(servers.map((server) => server.close()));
  return {
    ...script,
    ...web,
    /** `ip:port` of the name server. */
    dnsServer: dns.address,
    /** `ip:port` of the WHOIS server, which simulates those of all TLDs. */
    whoisServer: whois.address,
    dnsQueries: dns.queries,
    whoisQueries: whois.queries,
    /** Clears the recorded queries and requests, not the script. */
    clear() {
      for (const seen of [dns.queries, whois.queries, web.requests]) seen.length = 0;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
