import { type ChainState, CONTRACTS, createContracts, Reverted } from "./contracts.ts";
import { startFaultyServer } from "./faulty_server.ts";
import { startGateway } from "./gateway.ts";

/** Ethereum with ENS on loopback: a node, a gateway, and a trap for forbidden requests. */
export type Chain = Awaited<ReturnType<typeof startChain>>;

/**
 * Starts a chain with the names of `CHAIN_NAMES`. `now` is the time of the latest block, in ms since 1970: that of the start
 * for ever, unless it is given. Another `chainId` than mainnet's simulates the wrong chain, with the same addresses.
 */
export async function startChain(
  { chainId = 1, now }: { chainId?: number; now?: () => number } = {},
) {
  await using stack = new AsyncDisposableStack();
  const startedAt = Date.now();
  const seconds = () => Math.floor((now?.() ?? startedAt) / 1_000);
  const requests: string[] = [];
  const trapRequests: string[] = [];
  const gateway = stack.use(await startGateway());
  const trap = stack.use(
    await startFaultyServer((_, path) => {
      trapRequests.push(path);
      return JSON.stringify({ data: "0x" });
    }),
  );
  const urls = { gatewayUrl: gateway.url, trapUrl: `${trap.url}/` };
  const state: ChainState = { present: seconds(), chainId, isOpen: true, ...urls };
  const ethCall = createContracts(state);
  const node = stack.use(
    await startFaultyServer((body) => {
      const { method, params } = JSON.parse(body);
      requests.push(method);
      const answer = method === "eth_call"
        ? callAnswer(() => ethCall(params[0].to, params[0].data, BigInt(seconds())))
        : { error: { code: -32_601, message: "method not found" } };
      return rpcReply(answer).body;
    }),
  );
  const running = stack.move();
  return {
    /** The node, which can fail. */
    rpcUrl: node.url,
    /** The environment of a service on this chain. */
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
    /** The methods of the requests to the node, the number of questions in those to the gateway, and the trap's paths. */
    requests,
    gatewayRequests: gateway.requests,
    trapRequests,
    setRpcBehaviour: node.setBehaviour,
    setGatewayBehaviour: gateway.setBehaviour,
    /** Closes the sale of names, as when ENS moves to new contracts, or opens it again. */
    setOpen: (isOpen: boolean) => void (state.isOpen = isOpen),
    /** Clears the recorded requests. */
    clear() {
      for (const list of [requests, gateway.requests, trapRequests]) list.length = 0;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A node that answers every call so in JSON-RPC. */
export function rpcReply(answer: { result?: unknown; error?: unknown }) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer });
  return { kind: "text", status: 200, body } as const;
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
