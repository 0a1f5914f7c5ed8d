import { type Address, type Hex, toHex } from "viem";
import { askNode } from "./ask_node.ts";

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
