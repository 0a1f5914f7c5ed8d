import { askNode } from "./ask_node.ts";

/** The time of the latest block, in Unix seconds. */
export async function blockTime(url: string): Promise<number> {
  const [block] = await askNode(url, [
    { method: "eth_getBlockByNumber", params: ["latest", false] },
  ]);
  return Number((block as { timestamp: string }).timestamp);
}
