import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { type Address, type Hex, toHex } from "viem";

/** Posts JSON to a server on loopback and returns the answer's text; a proxy of the environment is not asked. */
export async function postJson(url: string, body: string): Promise<string> {
  const outgoing = request(url, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json" },
  });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, "response");
  return text(incoming!);
}

/** One JSON-RPC call. */
export interface RpcCall {
  method: string;
  params?: readonly unknown[];
}

interface RpcAnswer {
  id: number;
  result?: unknown;
  error?: { message: string };
}

/** Makes the calls in one request; throws if any of them fails. */
export async function askNode(url: string, calls: readonly RpcCall[]): Promise<unknown[]> {
  if (calls.length === 0) return [];
  const body = calls.map(({ method, params = [] }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const answers: RpcAnswer[] = JSON.parse(await postJson(url, JSON.stringify(body)));
  const results: unknown[] = [];
  for (const { id, result, error } of answers) {
    if (error) throw new Error(`Cannot do ${calls[id]?.method} (call ${id}): ${error.message}`);
    results[id] = result;
  }
  return results;
}

/** The time of the latest block, in Unix seconds. */
export async function blockTime(url: string): Promise<number> {
  const [block] = await askNode(url, [
    { method: "eth_getBlockByNumber", params: ["latest", false] },
  ]);
  return Number((block as { timestamp: string }).timestamp);
}

/** A transaction; without `to` it creates a contract. */
export interface Transaction {
  from: Address;
  to?: Address;
  data: Hex;
}

/** Enough for any of ours, and below the most that a transaction may have. */
const GAS = toHex(15_000_000);

/** Puts the transactions into one block of `timestamp`, in order for each sender; throws unless all succeed. */
export async function mine(
  url: string,
  transactions: readonly Transaction[],
  timestamp: number,
): Promise<void> {
  const sent = transactions.map((transaction) => ({
    method: "eth_sendTransaction",
    params: [{ ...transaction, gas: GAS, gasPrice: "0x0" }],
  }));
  await askNode(url, sent);
  await askNode(url, [{ method: "evm_mine", params: [{ timestamp: toHex(timestamp) }] }]);
  const [receipts] = await askNode(url, [{ method: "eth_getBlockReceipts", params: ["latest"] }]);
  const done = (receipts as { status: Hex }[]).filter(({ status }) => status === "0x1").length;
  if (done !== transactions.length) {
    throw new Error(
      `Cannot build the chain: ${done} of ${transactions.length} transactions succeeded`,
    );
  }
}
