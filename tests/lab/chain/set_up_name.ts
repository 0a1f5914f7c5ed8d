import { encodeFunctionData, type Hex, labelhash, namehash } from "viem";
import type { ChainName, NameRecords } from "./chain_name.ts";
import type { ChainContracts } from "./create_contracts.ts";
import { ENS_ABI } from "./ens_abi.ts";
import type { Transaction } from "./mine.ts";

/** What its manager sends for a name that was registered: its resolver, its records, and whose it becomes. */
export function setUpName(name: ChainName, contracts: ChainContracts): Transaction[] {
  const { label, owner, manager, wrapped, resolver, records } = name;
  const from = wrapped ? contracts.nameWrapper : manager ?? owner;
  if (!from || !owner) return [];
  const node = namehash(`${label}.eth`);
  const transactions: Transaction[] = [];
  if (resolver && !wrapped) {
    const data = encodeFunctionData({
      abi: ENS_ABI,
      functionName: "setResolver",
      args: [node, contracts.resolvers[resolver]],
    });
    transactions.push({ from, to: contracts.registry, data });
  }
  if (resolver === "public" && records) {
    const data = encodeFunctionData({
      abi: ENS_ABI,
      functionName: "multicall",
      args: [recordCalls(node, records)],
    });
    transactions.push({ from, to: contracts.resolvers.public, data });
  }
  if (manager) {
    const data = encodeFunctionData({
      abi: ENS_ABI,
      functionName: "transferFrom",
      args: [manager, owner, BigInt(labelhash(label))],
    });
    transactions.push({ from, to: contracts.registrar, data });
  }
  return transactions;
}

function recordCalls(node: Hex, { address, texts = {}, contenthash }: NameRecords): Hex[] {
  const calls = Object.entries(texts).map(([key, value]) =>
    encodeFunctionData({ abi: ENS_ABI, functionName: "setText", args: [node, key, value] })
  );
  if (address) {
    calls.push(
      encodeFunctionData({ abi: ENS_ABI, functionName: "setAddr", args: [node, address] }),
    );
  }
  if (contenthash) {
    calls.push(
      encodeFunctionData({
        abi: ENS_ABI,
        functionName: "setContenthash",
        args: [node, contenthash],
      }),
    );
  }
  return calls;
}
