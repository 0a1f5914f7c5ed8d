import type { Address } from "viem";
import { askNode } from "./ask_node.ts";
import type { ChainName } from "./chain_name.ts";
import { type ChainContracts, createContracts } from "./create_contracts.ts";
import type { OffchainPlaces } from "./create_resolvers.ts";
import { createDeployer } from "./deployer.ts";
import { mine } from "./mine.ts";
import { loadRealContracts } from "./real_contracts.ts";
import { registerName } from "./register_name.ts";
import { setUpName } from "./set_up_name.ts";

/** What the world is made of. */
export interface WorldOptions {
  names: readonly ChainName[];
  places: OffchainPlaces;
  /** When everything was made, and the chain's present: every name that has ended did so in between. */
  genesis: number;
  present: number;
}

/** Who created everything, and owns what has an owner. */
export const DEPLOYER: Address = "0x0000000000000000000000000000000000de910e";

/** What a node grants a call, as most public ones do: a resolver that spends all of it must come to an end. */
const CALL_GAS = 50_000_000;

/** Builds contracts and names on an empty chain, and lets it come into the present. */
export async function buildWorld(
  url: string,
  { names, places, genesis, present }: WorldOptions,
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
