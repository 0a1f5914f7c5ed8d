import { type Address, encodeFunctionData, type Hex, labelhash, namehash, zeroAddress } from "viem";
import { askNode, blockTime, mine, type Transaction } from "./node_client.ts";
import type { ChainName, NameRecords } from "./chain_name.ts";
import {
  type ChainContracts,
  createContracts,
  createDeployer,
  type Deployer,
  type OffchainPlaces,
} from "./create_contracts.ts";
import { loadRealContracts } from "./contract_code.ts";
import { ENS_ABI } from "./abis.ts";

/** The names and times of a chain. */
export interface BuildOptions {
  names: readonly ChainName[];
  places: OffchainPlaces;
  /** The time of the first block and the chain's present: every expired name expired in between. */
  genesis: number;
  present: number;
}

/** The account that creates and owns all contracts. */
export const DEPLOYER: Address = "0x0000000000000000000000000000000000de910e";

/** The gas limit of a call, as at most public nodes: it ends a resolver that would never end. */
const CALL_GAS = 50_000_000;

/** Creates contracts and names on an empty chain, and advances it to the present. */
export async function buildChain(
  url: string,
  { names, places, genesis, present }: BuildOptions,
): Promise<ChainContracts> {
  const deployer = createDeployer(DEPLOYER);
  const contracts = createContracts(deployer, await loadRealContracts(), places);
  const now = genesis + 1;
  for (const name of names) registerName(name, { contracts, deployer, now, present });
  await mine(url, deployer.transactions, now);
  await mine(url, names.flatMap((name) => setUpName(name, contracts)), now + 1);
  await askNode(url, [{ method: "evm_setBlockGasLimit", params: [`0x${CALL_GAS.toString(16)}`] }]);
  await mine(url, [], present);
  return contracts;
}

/** The contracts and the sender of a registration, its time and the chain's present (Unix seconds). */
export interface Registering {
  contracts: ChainContracts;
  deployer: Deployer;
  now: number;
  present: number;
}

/** Registers a name until the end that its row gives; a name that was never registered is skipped. */
export function registerName(name: ChainName, { contracts, deployer, now, present }: Registering) {
  const { label, expiresIn, owner, manager = owner, wrapped, resolver } = name;
  if (expiresIn === undefined || !owner || !manager) return;
  const duration = BigInt(present + expiresIn - now);
  if (!wrapped) {
    return deployer.send(
      contracts.registrar,
      encodeFunctionData({
        abi: ENS_ABI,
        functionName: "register",
        args: [BigInt(labelhash(label)), manager, duration],
      }),
    );
  }
  const at = resolver ? contracts.resolvers[resolver] : zeroAddress;
  deployer.send(
    contracts.nameWrapper,
    encodeFunctionData({
      abi: ENS_ABI,
      functionName: "registerAndWrapETH2LD",
      args: [label, owner, duration, at, 0],
    }),
  );
}

/** The transactions of a registered name's manager: set the resolver, set the records, transfer the name. */
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

/** Adds or removes the controller's right to register names, in a block of the same second. */
export async function setController(
  url: string,
  { registrar, controller }: ChainContracts,
  functionName: "addController" | "removeController",
): Promise<void> {
  const data = encodeFunctionData({ abi: ENS_ABI, functionName, args: [controller] });
  await mine(url, [{ from: DEPLOYER, to: registrar, data }], await blockTime(url));
}
