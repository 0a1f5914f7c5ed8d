import { buildWorld } from "./build_world.ts";
import type { ChainName } from "./chain_name.ts";
import { CHAIN_NAMES } from "./chain_names.ts";
import type { ChainContracts } from "./create_contracts.ts";
import type { RpcManner } from "./rpc_manner.ts";
import { type RecordedRpc, startRpcNode } from "./rpc_node.ts";
import { startAnvil } from "./start_anvil.ts";

/** What a chain can be told at its start. */
export interface ChainOptions {
  /** The names that are on it; all of `CHAIN_NAMES`, unless told otherwise. */
  names?: readonly ChainName[];
  /** Mainnet's, unless it plays the wrong chain. */
  chainId?: number;
}

/** Ethereum with ENS on loopback, and everything that is asked on its behalf. */
export interface Chain extends AsyncDisposable {
  /** What the service is to use: a node that counts and can go wrong. */
  rpcUrl: string;
  /** The node behind it, for tests that look around by themselves. */
  anvilUrl: string;
  /** Puts a service onto the chain. */
  env: Record<string, string>;
  contracts: ChainContracts;
  /** What `rpcUrl` was asked. */
  requests: RecordedRpc[];
  setRpcManner(manner: RpcManner): Promise<void>;
  /** Forgets what was asked. */
  clear(): void;
}

/** Longer ago than any name of the chain ended. */
const AGE_SECONDS = 400 * 86_400;

/** Starts the chain. Its time is the real one, and stands still. */
export async function startChain(
  { names = CHAIN_NAMES, chainId = 1 }: ChainOptions = {},
): Promise<Chain> {
  await using stack = new AsyncDisposableStack();
  const present = Math.floor(Date.now() / 1000);
  const genesis = present - AGE_SECONDS;
  const anvil = stack.use(await startAnvil({ timestamp: genesis, chainId }));
  const contracts = await buildWorld(anvil.url, {
    names,
    genesis,
    present,
    places: {
      gateway: "http://127.0.0.1:1/",
      signer: "0x0000000000000000000000000000000000000B0b",
      trap: "http://127.0.0.1:1/",
      redirect: "http://127.0.0.1:1/",
    },
  });
  const node = stack.use(await startRpcNode({ anvilUrl: anvil.url }));
  const running = stack.move();
  return {
    rpcUrl: node.url,
    anvilUrl: anvil.url,
    env: chainEnv(node.url, contracts),
    contracts,
    requests: node.requests,
    setRpcManner: node.setManner,
    clear() {
      node.requests.length = 0;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function chainEnv(rpcUrl: string, contracts: ChainContracts) {
  return {
    ETH_RPC_URLS: rpcUrl,
    ENS_REGISTRY: contracts.registry,
    ENS_REGISTRAR: contracts.registrar,
    ENS_CONTROLLER: contracts.controller,
    ENS_NAME_WRAPPER: contracts.nameWrapper,
    ENS_UNIVERSAL_RESOLVER: contracts.universalResolver,
    ENS_MULTICALL3: contracts.multicall3,
  };
}
