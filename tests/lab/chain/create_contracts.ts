import { type Address, encodeFunctionData, labelhash, namehash, zeroHash } from "viem";
import { createResolvers, type OffchainPlaces } from "./create_resolvers.ts";
import type { Deployer } from "./deployer.ts";
import { ENS_ABI } from "./ens_abi.ts";
import { OUR_CONTRACTS } from "./our_contracts.ts";
import type { RealContracts } from "./real_contracts.ts";

/** The addresses of a chain. */
export type ChainContracts = ReturnType<typeof createContracts>;

/** attoUSD a second for names of one, two, three, four and more characters: 640, 160 and 5 USD a year. */
const RENTS = [0n, 0n, 20_294_266_869_609n, 5_073_566_717_402n, 158_548_959_919n];

const START_PREMIUM = 100_000_000n * 10n ** 18n;
const PREMIUM_DAYS = 21n;

/** 2,500 USD, with eight decimals. */
const ETHER_PRICE = 2_500n * 10n ** 8n;

/** Creates all contracts, and lets the deployer, the controller and the wrapper register names. */
export function createContracts(deployer: Deployer, real: RealContracts, places: OffchainPlaces) {
  const { create, send } = deployer;
  const registry = create(real.registry);
  const registrar = create(real.registrar, "address, bytes32", [registry, namehash("eth")]);
  const feed = create(OUR_CONTRACTS.PriceFeed, "int256", [ETHER_PRICE]);
  const oracle = create(OUR_CONTRACTS.PriceOracle, "address, uint256[], uint256, uint256", [
    feed,
    RENTS,
    START_PREMIUM,
    PREMIUM_DAYS,
  ]);
  const controller = create(OUR_CONTRACTS.EthRegistrarController, "address, address", [
    registrar,
    oracle,
  ]);
  const nameWrapper = create(OUR_CONTRACTS.NameWrapper, "address, address", [registry, registrar]);
  const universalResolver = create(OUR_CONTRACTS.UniversalResolver, "address", [registry]);
  const multicall3 = create(OUR_CONTRACTS.Multicall3);
  const resolvers = createResolvers(deployer, { registry, real, places });

  openTld(deployer, { registry, registrar, resolver: resolvers.public });
  for (const registering of [deployer.address, controller, nameWrapper]) {
    send(
      registrar,
      encodeFunctionData({ abi: ENS_ABI, functionName: "addController", args: [registering] }),
    );
  }
  return { registry, registrar, controller, nameWrapper, universalResolver, multicall3, resolvers };
}

/** The registrar gets `.eth`, and `.eth` a resolver which, as on mainnet, is not for the names below it. */
function openTld(
  { send }: Deployer,
  { registry, registrar, resolver }: Record<"registry" | "registrar" | "resolver", Address>,
) {
  send(
    registry,
    encodeFunctionData({
      abi: ENS_ABI,
      functionName: "setSubnodeOwner",
      args: [zeroHash, labelhash("eth"), registrar],
    }),
  );
  send(
    registrar,
    encodeFunctionData({ abi: ENS_ABI, functionName: "setResolver", args: [resolver] }),
  );
}
