import { blockTime, mine } from "./node_client.ts";
import { buildChain, setController } from "./build_chain.ts";
import type { ChainName } from "./chain_name.ts";
import { CHAIN_NAMES } from "./chain_names.ts";
import type { ChainContracts } from "./create_contracts.ts";
import { type RecordedLookup, startGateway } from "./gateway.ts";
import { type RecordedRpc, type RpcBehaviour, startRpcNode } from "./rpc_node.ts";
import type { ServerBehaviour } from "./faulty_server.ts";
import { startAnvil } from "./anvil.ts";
import { type RecordedVisit, startTrap } from "./trap.ts";

/** Options of a chain. */
export interface ChainOptions {
  /** The names on it; `CHAIN_NAMES` if absent. */
  names?: readonly ChainName[];
  /** Mainnet's if absent; another one simulates the wrong chain, with the same contract addresses. */
  chainId?: number;
}

/** Ethereum with ENS on loopback: a node, a gateway, and a trap for forbidden requests. */
export interface Chain extends AsyncDisposable {
  /** The node for the service: it records requests and can fail. */
  rpcUrl: string;
  /** The node behind it, for tests that read the chain directly. */
  anvilUrl: string;
  /** The trusted gateway of offchain names. */
  gatewayUrl: string;
  /** A server that must get no request. */
  trapUrl: string;
  /** The environment of a service on this chain. */
  env: Record<string, string>;
  contracts: ChainContracts;
  /** Requests to `rpcUrl`, to the gateway, and to the trap and its redirect. */
  requests: RecordedRpc[];
  gatewayRequests: RecordedLookup[];
  trapRequests: RecordedVisit[];
  setRpcBehaviour(behaviour: RpcBehaviour): Promise<void>;
  setGatewayBehaviour(behaviour: ServerBehaviour): Promise<void>;
  /** The time of the latest block, in Unix seconds. */
  time(): Promise<number>;
  /** Mines an empty block of that time (Unix seconds), later than the latest. */
  advanceTo(time: number): Promise<void>;
  /** Takes the controller's right to register names away, as when ENS moves to new contracts. */
  closeRegistration(): Promise<void>;
  openRegistration(): Promise<void>;
  /** Clears the recorded requests. */
  clear(): void;
}

/** The age of registrations: longer than the time since any of them expired. */
const AGE_SECONDS = 400 * 86_400;

/** Starts a chain. Its latest block has the current time; only `advanceTo` adds another. */
export async function startChain(
  { names = CHAIN_NAMES, chainId = 1 }: ChainOptions = {},
): Promise<Chain> {
  await using stack = new AsyncDisposableStack();
  const present = Math.floor(Date.now() / 1000);
  const genesis = present - AGE_SECONDS;
  const anvil = stack.use(await startAnvil({ timestamp: genesis, chainId }));
  const gateway = stack.use(await startGateway(names));
  const trap = stack.use(await startTrap());
  const places = {
    gateway: gateway.url,
    signer: gateway.signer,
    trap: trap.url,
    redirect: trap.redirectUrl,
  };
  const contracts = await buildChain(anvil.url, { names, genesis, present, places });
  const node = stack.use(await startRpcNode({ anvilUrl: anvil.url }));
  const running = stack.move();
  return {
    rpcUrl: node.url,
    anvilUrl: anvil.url,
    gatewayUrl: gateway.url,
    trapUrl: trap.url,
    env: chainEnv({ rpcUrl: node.url, gatewayUrl: gateway.url, contracts }),
    contracts,
    requests: node.requests,
    gatewayRequests: gateway.requests,
    trapRequests: trap.requests,
    setRpcBehaviour: node.setBehaviour,
    setGatewayBehaviour: gateway.setBehaviour,
    time: () => blockTime(anvil.url),
    advanceTo: (time) => mine(anvil.url, [], Math.floor(time)),
    closeRegistration: () => setController(anvil.url, contracts, "removeController"),
    openRegistration: () => setController(anvil.url, contracts, "addController"),
    clear() {
      for (const { requests } of [node, gateway, trap]) requests.length = 0;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The addresses of a chain's servers and contracts. */
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
