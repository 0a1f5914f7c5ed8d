import { encodeFunctionData, labelhash, zeroAddress } from "viem";
import type { ChainName } from "./chain_name.ts";
import type { ChainContracts } from "./create_contracts.ts";
import type { Deployer } from "./deployer.ts";
import { ENS_ABI } from "./ens_abi.ts";

/** Where a registration goes, and when it is made for whom: Unix seconds. */
export interface Registering {
  contracts: ChainContracts;
  deployer: Deployer;
  now: number;
  present: number;
}

/** Lets the deployer register a name until its row says; a name that nobody ever had stays as it is. */
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
