import { blockTime, mine } from "./node_client.ts";
import { buildWorld, tellRegistrar } from "./build_chain.ts";
import type { ChainName } from "./chain_name.ts";
import { CHAIN_NAMES } from "./chain_names.ts";
import type { ChainContracts } from "./create_contracts.ts";
import { type RecordedLookup, startGateway } from "./gateway.ts";
import { type RecordedRpc, type RpcBehaviour, startRpcNode } from "./rpc_node.ts";
import type { ServerBehaviour } from "./faulty_server.ts";
import { startAnvil } from "./anvil.ts";
import { type RecordedVisit, startTrap } from "./trap.ts";

/** What a chain can be told at its start. */
export interface ChainOptions {
  /** The names that are on it; all of `CHAIN_NAMES`, unless told otherwise. */
  names?: readonly ChainName[];
  /** Mainnet's, unless it plays the wrong chain: contracts have the same addresses on every chain. */
  chainId?: number;
}

/** Ethereum with ENS on loopback, and all that is asked on behalf of a name. */
export interface Chain extends AsyncDisposable {
  /** What the service is to use: a node that counts and can go wrong. */
  rpcUrl: string;
  /** The node behind it, for tests that look round by themselves. */
  anvilUrl: string;
  /** The trusted gateway of offchain names. */
  gatewayUrl: string;
  /** Where nobody may go. */
  trapUrl: string;
  /** Puts a service onto the chain. */
  env: Record<string, string>;
  contracts: ChainContracts;
  /** What `rpcUrl`, the gateway, and the trap with its redirect were asked. */
  requests: RecordedRpc[];
  gatewayRequests: RecordedLookup[];
  trapRequests: RecordedVisit[];
  setRpcBehaviour(behaviour: RpcBehaviour): Promise<void>;
  setGatewayBehaviour(behaviour: ServerBehaviour): Promise<void>;
  /** The time of the latest block, in Unix seconds. */
  time(): Promise<number>;
  /** Mines an empty block of that time (Unix seconds), later than the latest. */
  advanceTo(time: number): Promise<void>;
  /** Lets the controller register nothing any more, as when ENS moves to new contracts. */
  closeRegistration(): Promise<void>;
  openRegistration(): Promise<void>;
  /** Forgets what was asked. */
  clear(): void;
}

/** Names are registered so long ago: longer than any of them has been over. */
const AGE_SECONDS = 400 * 86_400;

/** Starts a chain. Its latest block is of now, and no further one comes but by `advanceTo`. */
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
  const contracts = await buildWorld(anvil.url, { names, genesis, present, places });
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
    closeRegistration: () => tellRegistrar(anvil.url, contracts, "removeController"),
    openRegistration: () => tellRegistrar(anvil.url, contracts, "addController"),
    clear() {
      for (const { requests } of [node, gateway, trap]) requests.length = 0;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

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
