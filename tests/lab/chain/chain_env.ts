import type { ChainContracts } from "./create_contracts.ts";

/** Where a chain can be reached. */
export interface ChainPlaces {
  rpcUrl: string;
  gatewayUrl: string;
  contracts: ChainContracts;
}

/** The environment that puts a service onto the chain. */
export function chainEnv({ rpcUrl, gatewayUrl, contracts }: ChainPlaces): Record<string, string> {
  return {
    ETH_RPC_URLS: rpcUrl,
    ENS_REGISTRY: contracts.registry,
    ENS_REGISTRAR: contracts.registrar,
    ENS_CONTROLLER: contracts.controller,
    ENS_NAME_WRAPPER: contracts.nameWrapper,
    ENS_UNIVERSAL_RESOLVER: contracts.universalResolver,
    ENS_MULTICALL3: contracts.multicall3,
    ENS_CCIP_GATEWAY: gatewayUrl,
  };
}
