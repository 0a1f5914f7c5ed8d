import { encodeFunctionData } from "viem";
import { DEPLOYER } from "./build_world.ts";
import { blockTime } from "./block_time.ts";
import type { ChainContracts } from "./create_contracts.ts";
import { ENS_ABI } from "./ens_abi.ts";
import { mine } from "./mine.ts";

/** Lets the registrar take registrations from the controller, or take none any more, in a block of the same second. */
export async function tellRegistrar(
  url: string,
  { registrar, controller }: ChainContracts,
  functionName: "addController" | "removeController",
): Promise<void> {
  const data = encodeFunctionData({ abi: ENS_ABI, functionName, args: [controller] });
  await mine(url, [{ from: DEPLOYER, to: registrar, data }], await blockTime(url));
}
