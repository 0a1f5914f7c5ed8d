import manifest from "../../deno.json" with { type: "json" };
import type { Lab } from "./lab.ts";

/** The environment that puts a service onto the lab. */
export function labEnv(lab: Pick<Lab, "dnsServer">): Record<string, string> {
  return {
    HOST: "127.0.0.1",
    PORT: "0",
    KV_PATH: ":memory:",
    DNS_SERVER: lab.dnsServer,
    RDAP_BOOTSTRAP_URL: "http://iana.lab/rdap/dns.json",
    PRICES_URL: "http://prices.lab/pricing",
    // Tests of WHOIS switch it on (`whoisEnv`).
    WHOIS: "off",
    ALLOW_INSECURE_UPSTREAMS: "1",
  };
}

/** Further variables that put a service onto the lab's WHOIS server. */
export function whoisEnv({ whoisServer }: Pick<Lab, "whoisServer">): Record<string, string> {
  return { WHOIS: "on", WHOIS_SERVER: whoisServer };
}

/** Further variables for a separate process, with which Deno's fetch reaches registries through the lab. */
export function proxyEnv(lab: Pick<Lab, "proxyUrl">): Record<string, string> {
  // Ethereum's nodes and the gateway are servers of their own, asked at their addresses.
  const direct = "127.0.0.1";
  return { HTTP_PROXY: lab.proxyUrl, http_proxy: lab.proxyUrl, NO_PROXY: direct, no_proxy: direct };
}

/** What follows `deno` in `deno task start`: tests and the demo start the service as its users do. */
export const START_ARGS: readonly string[] = manifest.tasks.start.command.split(" ").slice(1);

/**
 * Disables the system's DNS. Deno's fetch looks up each host there, on few threads, although a proxy gets the request:
 * if DNS is dead, the threads are blocked for seconds and every other request waits. With no attempts the C library
 * gives up at once. It reads this variable once, so it must be set before the first look-up of a process; children
 * inherit it. Packages must be installed by then, which is why the tasks that start a lab install them first.
 */
export function useNoSystemDns(): void {
  Deno.env.set("RES_OPTIONS", "attempts:0");
}
