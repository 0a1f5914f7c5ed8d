import { createPublicClient, defineChain, http, type PublicClient } from "viem";
import type { Chain } from "./chain.ts";

/** A client of the chain for tests that read it directly; its requests are not recorded. */
export function chainClient({ anvilUrl, contracts }: Chain): PublicClient {
  return createPublicClient({
    transport: http(anvilUrl, { retryCount: 0 }),
    chain: defineChain({
      id: 1,
      name: "The test chain",
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [anvilUrl] } },
      contracts: { multicall3: { address: contracts.multicall3 } },
    }),
  });
}
