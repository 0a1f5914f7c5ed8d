import { CHAIN_NAMES, type ChainName } from "./chain_names.ts";
import { type ChainState, CONTRACTS, createContracts, Reverted, type Sale } from "./contracts.ts";
import { type ServerBehaviour, startFaultyServer } from "./faulty_server.ts";
import { startGateway } from "./gateway.ts";

/** Options of a chain. */
export interface ChainOptions {
  /** The names on it; `CHAIN_NAMES` if absent. */
  names?: readonly ChainName[];
  /** Mainnet's if absent; another one simulates the wrong chain, with the same contract addresses. */
  chainId?: number;
  /** The time of the latest block, in ms since 1970; if absent, that of the start for ever. */
  now?: () => number;
}

/** Ethereum with ENS on loopback: a node, a gateway, and a trap for forbidden requests. */
export interface Chain extends AsyncDisposable {
  /** The node, which can fail. */
  rpcUrl: string;
  /** The environment of a service on this chain. */
  env: Record<string, string>;
  /** The methods of the requests to the node, the number of questions in those to the gateway, and the trap's paths. */
  requests: string[];
  gatewayRequests: number[];
  trapRequests: string[];
  setRpcBehaviour(behaviour: ServerBehaviour): Promise<void>;
  setGatewayBehaviour(behaviour: ServerBehaviour): Promise<void>;
  /** Closes the sale of names, as when ENS moves to new contracts, or opens it again. */
  setSale(sale: Sale): void;
  /** Clears the recorded requests. */
  clear(): void;
}

/** Starts a chain. */
export async function startChain(
  { names = CHAIN_NAMES, chainId = 1, now }: ChainOptions = {},
): Promise<Chain> {
  await using stack = new AsyncDisposableStack();
  const startedAt = Date.now();
  const time = now ?? (() => startedAt);
  const requests: string[] = [];
  const trapRequests: string[] = [];
  const gateway = stack.use(await startGateway(names));
  const trap = stack.use(
    await startFaultyServer(({ path }) => {
      trapRequests.push(path);
      return JSON.stringify({ data: "0x" });
    }),
  );
  const state: ChainState = {
    names,
    present: Math.floor(time() / 1_000),
    chainId,
    sale: "open",
    gatewayUrl: gateway.url,
    trapUrl: `${trap.url}/`,
  };
  const ethCall = createContracts(state);
  const node = stack.use(
    await startFaultyServer(({ body }) => {
      const { id, method, params } = JSON.parse(body);
      requests.push(method);
      const answer = method === "eth_call"
        ? callAnswer(() =>
          ethCall(params[0].to, params[0].data, BigInt(Math.floor(time() / 1_000)))
        )
        : { error: { code: -32_601, message: "method not found" } };
      return JSON.stringify({ jsonrpc: "2.0", id, ...answer });
    }),
  );
  const running = stack.move();
  return {
    rpcUrl: node.url,
    env: {
      ETH_RPC_URLS: node.url,
      ENS_REGISTRY: CONTRACTS.registry,
      ENS_REGISTRAR: CONTRACTS.registrar,
      ENS_CONTROLLER: CONTRACTS.controller,
      ENS_NAME_WRAPPER: CONTRACTS.nameWrapper,
      ENS_UNIVERSAL_RESOLVER: CONTRACTS.universalResolver,
      ENS_MULTICALL3: CONTRACTS.multicall3,
      ENS_CCIP_GATEWAY: gateway.url,
    },
    requests,
    gatewayRequests: gateway.requests,
    trapRequests,
    setRpcBehaviour: node.setBehaviour,
    setGatewayBehaviour: gateway.setBehaviour,
    setSale: (sale) => void (state.sale = sale),
    clear() {
      for (const list of [requests, gateway.requests, trapRequests]) list.length = 0;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A node that answers every call with this JSON-RPC result. */
export function rpcResult(result: unknown): ServerBehaviour {
  return rpcReply({ result });
}

/** A node that answers every call with this JSON-RPC error. */
export function rpcError(code: number, message: string): ServerBehaviour {
  return rpcReply({ error: { code, message } });
}

function rpcReply(answer: { result: unknown } | { error: unknown }): ServerBehaviour {
  return { kind: "reply", status: 200, body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer }) };
}

/** The answer to a call, with geth's error where it reverts. */
function callAnswer(call: () => string) {
  try {
    return { result: call() };
  } catch (error) {
    const data = error instanceof Reverted ? error.data : "0x";
    return { error: { code: 3, message: "execution reverted", data } };
  }
}
