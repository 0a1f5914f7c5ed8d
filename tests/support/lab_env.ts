import type { Lab } from "../lab/lab.ts";

/** The environment that puts a service onto the lab; a process of its own also needs `HTTP_PROXY`. */
export function labEnv(lab: Lab): Record<string, string> {
  return {
    HOST: "127.0.0.1",
    PORT: "0",
    KV_PATH: ":memory:",
    DNS_SERVER: lab.dnsServer,
    RDAP_BOOTSTRAP_URL: lab.bootstrapUrl,
    ALLOW_INSECURE_UPSTREAMS: "1",
    LOG_LEVEL: "info",
  };
}
