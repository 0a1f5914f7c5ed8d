import type { Lab } from "./lab.ts";

/** The environment that puts a service onto the lab. */
export function labEnv(
  lab: Pick<Lab, "dnsServer" | "bootstrapUrl" | "pricesUrl">,
): Record<string, string> {
  return {
    HOST: "127.0.0.1",
    PORT: "0",
    KV_PATH: ":memory:",
    DNS_SERVER: lab.dnsServer,
    RDAP_BOOTSTRAP_URL: lab.bootstrapUrl,
    PRICES_URL: lab.pricesUrl,
    ALLOW_INSECURE_UPSTREAMS: "1",
  };
}

/** What a process of its own needs besides, to reach registries by name: Deno's fetch reads it. */
export function proxyEnv(lab: Pick<Lab, "proxyUrl">): Record<string, string> {
  // Ethereum's nodes and the gateway are servers of their own, asked at their addresses.
  const direct = "127.0.0.1";
  return { HTTP_PROXY: lab.proxyUrl, http_proxy: lab.proxyUrl, NO_PROXY: direct, no_proxy: direct };
}
