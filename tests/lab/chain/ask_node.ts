import { postJson } from "./post_json.ts";

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
