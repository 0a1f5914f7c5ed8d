import { type Address, encodeFunctionData, type Hex, labelhash, namehash, zeroHash } from "viem";
import compiled from "./contracts/compiled.json" with { type: "json" };
import type { Deployer } from "./deployer.ts";
import { ENS_ABI } from "./ens_abi.ts";
import type { loadRealContracts } from "./real_contracts.ts";

/** Where what is not on the chain can be reached. */
export interface OffchainPlaces {
  /** The trusted gateway. */
  gateway: string;
  /** Who signs what the gateway answers. */
  signer: Address;
  /** Where nobody may go. */
  trap: string;
  /** What sends its visitors to the trap. */
  redirect: string;
}

/** The addresses of a chain. */
export type ChainContracts = ReturnType<typeof createContracts>;

/** A resolver by what it does. */
export type ResolverKind = keyof ReturnType<typeof createResolvers>;

type RealContracts = Awaited<ReturnType<typeof loadRealContracts>>;

const OURS = compiled as Record<keyof typeof compiled, Hex>;

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
  const feed = create(OURS.PriceFeed, "int256", [ETHER_PRICE]);
  const oracle = create(OURS.PriceOracle, "address, uint256[], uint256, uint256", [
    feed,
    RENTS,
    START_PREMIUM,
    PREMIUM_DAYS,
  ]);
  const controller = create(OURS.EthRegistrarController, "address, address", [registrar, oracle]);
  const nameWrapper = create(OURS.NameWrapper, "address, address", [registry, registrar]);
  const universalResolver = create(OURS.UniversalResolver, "address", [registry]);
  const multicall3 = create(OURS.Multicall3);
  const resolvers = createResolvers(deployer, { registry, real, places });

  send(
    registry,
    encodeFunctionData({
      abi: ENS_ABI,
      functionName: "setSubnodeOwner",
      args: [zeroHash, labelhash("eth"), registrar],
    }),
  );
  // As on mainnet, the TLD has a resolver of its own, which is not for the names below it.
  send(
    registrar,
    encodeFunctionData({
      abi: ENS_ABI,
      functionName: "setResolver",
      args: [resolvers.public],
    }),
  );
  for (const registering of [deployer.address, controller, nameWrapper]) {
    send(
      registrar,
      encodeFunctionData({ abi: ENS_ABI, functionName: "addController", args: [registering] }),
    );
  }
  return { registry, registrar, controller, nameWrapper, universalResolver, multicall3, resolvers };
}

/** Every kind of resolver once. */
function createResolvers(
  { create }: Deployer,
  { registry, real, places }: { registry: Address; real: RealContracts; places: OffchainPlaces },
) {
  const offchain = (url: string) =>
    create(real.offchainResolver, "string, address[]", [url, [places.signer]]);
  const pointer = (url: string, takesMulticalls: boolean) =>
    create(OURS.OffchainPointer, "string, bool", [url, takesMulticalls]);
  return {
    public: create(real.publicResolver, "address", [registry]),
    /** An account: it has no code that could answer. */
    account: "0x00000000000000000000000000000000000E0A00" as const,
    wildcard: create(OURS.WildcardResolver),
    offchain: offchain(`${places.gateway}{sender}/{data}.json`),
    /** Takes a whole multicall, so that its own URL reaches the client: here the trusted one. */
    offchainDirect: pointer(places.gateway, true),
    trap: pointer(places.trap, false),
    trapDirect: pointer(places.trap, true),
    redirect: pointer(places.redirect, false),
    redirectDirect: pointer(places.redirect, true),
    fileDirect: pointer("file:///etc/hosts", true),
    gasBurner: create(OURS.GasBurner),
    memoryBomb: create(OURS.MemoryBomb),
    hugeText: create(OURS.HugeText),
    refuser: create(OURS.Refuser),
    babbler: create(OURS.Babbler),
  };
}
