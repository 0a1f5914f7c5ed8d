/** Requests from different networks, which together make a name popular. */
import type { RunningService } from "./service.ts";

/** One address of each network. */
export const NETWORKS = ["192.0.2.1", "198.51.100.1", "203.0.113.1"] as const;

/** Sends a request from each network; the service must run with `TRUSTED_PROXIES=1`. */
export async function askFromNetworks({ get }: Pick<RunningService, "get">, path: string) {
  for (const address of NETWORKS) await get(path, { headers: { "x-forwarded-for": address } });
}
