import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  labelhash,
  namehash,
  parseAbiParameters,
  zeroHash,
} from "viem";
import type { Transaction } from "./node_client.ts";
import { ENS_ABI } from "./abis.ts";
import { OUR_CONTRACTS, type RealContracts } from "./contract_code.ts";

/** Collects the transactions of one account, and computes the addresses of its contracts. */
export interface Deployer {
  address: Address;
  transactions: Transaction[];
  /** Creates a contract; `types` are its constructor's, as in Solidity. */
  create(code: Hex, types?: string, values?: readonly unknown[]): Address;
  send(to: Address, data: Hex): void;
}

/** Makes a deployer of an account that has sent nothing yet. */
export function createDeployer(address: Address): Deployer {
  const transactions: Transaction[] = [];
  return {
    address,
    transactions,
    create(code, types, values = []) {
      const nonce = BigInt(transactions.length);
      const args = types ? encodeAbiParameters(parseAbiParameters(types), values) : "0x";
      transactions.push({ from: address, data: concatHex([code, args]) });
      return getContractAddress({ from: address, nonce });
    },
    send(to, data) {
      transactions.push({ from: address, to, data });
    },
  };
}

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

/** The servers that are not on the chain. */
export interface OffchainPlaces {
  /** The trusted gateway. */
  gateway: string;
  /** The account that signs the gateway's answers. */
  signer: Address;
  /** A server that must get no request. */
  trap: string;
  /** A server that redirects to the trap. */
  redirect: string;
}

/** A resolver by what it does. */
export type ResolverKind = keyof ReturnType<typeof createResolvers>;

/** With it in a URL the client asks by GET, without it by POST. */
const IN_PATH = "{sender}/{data}.json";

/** Every kind of resolver once. */
export function createResolvers(
  { create }: Deployer,
  { registry, real, places }: { registry: Address; real: RealContracts; places: OffchainPlaces },
) {
  const pointer = (url: string) =>
    create(OUR_CONTRACTS.OffchainPointer, "string, bool", [url, false]);
  // Takes whole multicalls, so that its own URL reaches the client.
  const direct = (url: string) =>
    create(OUR_CONTRACTS.OffchainPointer, "string, bool", [url, true]);
  return {
    public: create(real.publicResolver, "address", [registry]),
    /** An account: it has no code that could answer. */
    account: "0x00000000000000000000000000000000000E0A00" as const,
    wildcard: create(OUR_CONTRACTS.WildcardResolver),
    offchain: create(real.offchainResolver, "string, address[]", [
      `${places.gateway}${IN_PATH}`,
      [places.signer],
    ]),
    offchainDirect: direct(places.gateway),
    trap: pointer(`${places.trap}${IN_PATH}`),
    trapDirect: direct(`${places.trap}${IN_PATH}`),
    redirect: pointer(`${places.redirect}${IN_PATH}`),
    redirectDirect: direct(`${places.redirect}${IN_PATH}`),
    postDirect: direct(places.trap),
    file: pointer("file:///etc/hosts"),
    fileDirect: direct("file:///etc/hosts"),
    gasBurner: create(OUR_CONTRACTS.GasBurner),
    memoryBomb: create(OUR_CONTRACTS.MemoryBomb),
    hugeText: create(OUR_CONTRACTS.HugeText, "string", ["description"]),
    hugeTexts: create(OUR_CONTRACTS.HugeText, "string", [""]),
    brokenText: create(OUR_CONTRACTS.BrokenText),
    refuser: create(OUR_CONTRACTS.Refuser),
    babbler: create(OUR_CONTRACTS.Babbler),
    // 0.66 MB, and 3.2 GB once decoded; and as many items as were asked for.
    abiBomb: create(OUR_CONTRACTS.AbiBomb, "uint256, uint256", [8_000n, 400_000n]),
    abiAlias: create(OUR_CONTRACTS.AbiBomb, "uint256, uint256", [8n, 400_000n]),
  };
}
