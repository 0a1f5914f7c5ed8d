import {
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionData,
  decodeFunctionResult,
  encodeErrorResult,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  keccak256,
  labelhash,
  namehash,
  numberToHex,
  slice,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { aliasedArray, answerRecords, ENS_ABI, firstLabel } from "./ens_abi.ts";
import { CHAIN_NAMES, type ChainName, type ResolverKind } from "./chain_names.ts";

/** The addresses of the contracts. They are not mainnet's: the service must take them from its configuration. */
export const CONTRACTS = {
  registry: addressOf(1),
  registrar: addressOf(2),
  controller: addressOf(3),
  nameWrapper: addressOf(4),
  universalResolver: addressOf(5),
  multicall3: addressOf(6),
} as const;

/** A revert, with empty data for a call that ran out of gas. */
export class Reverted extends Error {
  constructor(readonly data: Hex = "0x") {
    super("execution reverted");
  }
}

/** The content of a chain. */
export interface ChainState {
  /** The time (Unix seconds) from which the names' `expiresIn` counts. */
  present: number;
  chainId: number;
  /** Whether the controller may register names. */
  isOpen: boolean;
  /** The trusted gateway, and a server that must get no request. */
  gatewayUrl: string;
  trapUrl: string;
}

/**
 * A resolver that answers one call, that answers all at once (or runs out of gas), or that refers to a URL: through a batch
 * gateway or directly.
 */
type Resolver =
  | { answer: (call: Hex, dnsName: Hex) => Hex }
  | { returns: Hex | undefined }
  | { url: string; isDirect: boolean };

type Name = ContractFunctionName<typeof ENS_ABI, "view">;
type Args<N extends Name> = Extract<
  ContractFunctionArgs<typeof ENS_ABI, "view", N>,
  readonly unknown[]
>;
type Functions = {
  [N in Name]?: (...args: Args<N>) => ContractFunctionReturnType<typeof ENS_ABI, "view", N>;
};

const DAY = 86_400n;
const GRACE = 90n * DAY;
/** attoUSD a second for names of three, four and more characters: 640, 160 and 5 USD a year. */
const RENTS = [20_294_266_869_609n, 5_073_566_717_402n, 158_548_959_919n];
const USD_OF_ETHER = 2_500n;
/** Of its whole time, which is that after ten days. */
const PREMIUM_WEI = 39n * 10n ** 18n;
const PREMIUM_TIME = 21n * DAY;

const byLabel = new Map(CHAIN_NAMES.map((name) => [name.label, name]));
const byId = new Map(CHAIN_NAMES.map((name) => [BigInt(labelhash(name.label)), name]));
const byNode = new Map(CHAIN_NAMES.map((name) => [namehash(`${name.label}.eth`), name]));

/** Creates the contracts. The result executes a call at a time (Unix seconds), and throws `Reverted`. */
export function createContracts(state: ChainState): (to: Address, data: Hex, time: bigint) => Hex {
  const { present } = state;
  const resolvers = createResolvers(state);

  function expiryOf(name: ChainName | undefined): bigint {
    return name?.expiresIn === undefined ? 0n : BigInt(present + name.expiresIn);
  }

  function resolverOf(dnsName: Hex) {
    const kind = byLabel.get(firstLabel(dnsName))?.resolver;
    if (kind === undefined) revert("ResolverNotFound", [dnsName]);
    return { address: resolverAddress(kind), resolver: resolvers[kind] };
  }

  function resolveWithGateways(dnsName: Hex, data: Hex, gateways: readonly string[]) {
    const { resolver, address } = resolverOf(dnsName);
    if (resolver === undefined) revert("ResolverNotContract", [dnsName, address]);
    if ("returns" in resolver) {
      if (resolver.returns === undefined) throw new Reverted();
      return [resolver.returns, address] as const;
    }
    if ("answer" in resolver) {
      return [answerAll(data, (call) => resolver.answer(call, dnsName)), address] as const;
    }
    const { url, isDirect } = resolver;
    const question = encodeCall("resolve", [dnsName, data]);
    const requests = callsIn(data).map((call) => (
      { sender: address, urls: [url], data: encodeCall("resolve", [dnsName, call]) }
    ));
    revert("OffchainLookup", [
      CONTRACTS.universalResolver,
      isDirect ? [url] : gateways,
      isDirect ? question : encodeCall("query", [requests]),
      toFunctionSelector("callback(bytes,bytes)"),
      question,
    ]);
  }

  /** Takes the gateway's response to `question`. */
  function callback(response: Hex, question: Hex) {
    const [dnsName, data] = decodeFunctionData({ abi: ENS_ABI, data: question }).args as [Hex, Hex];
    const { resolver, address } = resolverOf(dnsName);
    if (resolver !== undefined && "url" in resolver && resolver.isDirect) {
      return [resultIn(response), address] as const;
    }
    const query = { abi: ENS_ABI, functionName: "query", data: response } as const;
    const [failures, responses] = decodeFunctionResult(query);
    const records = answerAll(data, (_, place) => {
      const answer = responses[place]!;
      return failures[place] ? answer : resultIn(answer);
    });
    return [records, address] as const;
  }

  function contractsAt(time: bigint): Readonly<Record<Address, Functions>> {
    return {
      [CONTRACTS.registry]: {
        owner(node) {
          const { owner, manager = owner, wrapped } = byNode.get(node) ?? {};
          return (wrapped ? CONTRACTS.nameWrapper : manager) ?? zeroAddress;
        },
        resolver(node) {
          const kind = byNode.get(node)?.resolver;
          return kind === undefined ? zeroAddress : resolverAddress(kind);
        },
      },
      [CONTRACTS.registrar]: {
        nameExpires: (id) => expiryOf(byId.get(id)),
        ownerOf(id) {
          const { owner, wrapped } = byId.get(id) ?? {};
          if (expiryOf(byId.get(id)) <= time || owner === undefined) throw new Reverted();
          return wrapped ? CONTRACTS.nameWrapper : owner;
        },
        controllers: (address) => state.isOpen && address === CONTRACTS.controller,
      },
      [CONTRACTS.controller]: {
        rentPrice(label, duration) {
          const rent = RENTS[Math.min(label.length, 5) - 3]!;
          const afterGrace = time - expiryOf(byLabel.get(label)) - GRACE;
          const premium = afterGrace >= 0n && afterGrace < PREMIUM_TIME ? PREMIUM_WEI : 0n;
          return { base: rent * duration / USD_OF_ETHER, premium };
        },
      },
      [CONTRACTS.nameWrapper]: {
        ownerOf(id) {
          const name = byNode.get(numberToHex(id, { size: 32 }));
          return name?.wrapped && time <= expiryOf(name) + GRACE ? name.owner! : zeroAddress;
        },
      },
      [CONTRACTS.universalResolver]: { resolveWithGateways, callback },
      [CONTRACTS.multicall3]: {
        getChainId: () => BigInt(state.chainId),
        getCurrentBlockTimestamp: () => time,
        aggregate3: (calls) =>
          calls.map(({ target, callData }) => attempt(() => execute(target, callData, time))),
      },
    };
  }

  function execute(to: Address, data: Hex, time: bigint): Hex {
    const { functionName, args = [] } = decodeFunctionData({ abi: ENS_ABI, data });
    const run = contractsAt(time)[to.toLowerCase() as Address]?.[functionName] as
      | ((...args: readonly unknown[]) => unknown)
      | undefined;
    if (run === undefined) throw new Reverted();
    return encodeFunctionResult({ abi: ENS_ABI, functionName, result: run(...args) } as never);
  }

  return execute;
}

/** Every kind of resolver once; an account has no code. */
function createResolvers(
  { gatewayUrl, trapUrl }: ChainState,
): Readonly<Record<ResolverKind, Resolver | undefined>> {
  return {
    public: {
      answer: (call, dnsName) =>
        answerRecords(byLabel.get(firstLabel(dnsName))?.records ?? {}, call),
    },
    wildcard: {
      answer(call, dnsName) {
        const [, key = ""] = decodeFunctionData({ abi: ENS_ABI, data: call }).args ?? [];
        const texts = { [`${key}`]: `wildcard ${key}` };
        return answerRecords({ address: `0x${keccak256(dnsName).slice(-40)}`, texts }, call);
      },
    },
    offchain: { url: gatewayUrl, isDirect: false },
    "offchain-direct": { url: gatewayUrl, isDirect: true },
    trap: { url: `${trapUrl}{sender}/{data}.json`, isDirect: false },
    "trap-direct": { url: `${trapUrl}{sender}/{data}.json`, isDirect: true },
    file: { url: "file:///etc/hosts", isDirect: false },
    "no-contract": undefined,
    "burns-gas": { returns: undefined },
    "huge-text": {
      answer: (call) => answerRecords({ texts: { description: "a".repeat(1_000_000) } }, call),
    },
    // Bytes that are not UTF-8; `bytes` are encoded as `string` is.
    "broken-text": {
      answer() {
        const result = "0x68c3f0ff9f2e";
        return encodeFunctionResult({ abi: ENS_ABI, functionName: "contenthash", result });
      },
    },
    "refuses": { answer: () => revert("Error", ["refuses: no"]) },
    "babbles": { answer: () => `0x${"ff".repeat(96)}` },
    // 58 KB, and 26 MB once decoded; and as many items as are asked for, which have 256 KB.
    "abi-bomb": { returns: aliasedArray(900, 28_800) },
    "abi-alias": { returns: aliasedArray(8, 32_000) },
  };
}

/** The calls of a multicall answered one by one; a failed one is its revert data. */
function answerAll(data: Hex, answer: (call: Hex, place: number) => Hex): Hex {
  const result = callsIn(data).map((call, place) => {
    const { returnData } = attempt(() => answer(call, place));
    if (returnData !== "0x") return returnData;
    return errorOf("UnsupportedResolverProfile", [slice(call, 0, 4)]);
  });
  return encodeFunctionResult({ abi: ENS_ABI, functionName: "multicall", result });
}

function callsIn(multicall: Hex): readonly Hex[] {
  return decodeFunctionData({ abi: ENS_ABI, data: multicall }).args![0] as readonly Hex[];
}

/** The result in a gateway's response. */
function resultIn(response: Hex): Hex {
  return decodeFunctionResult({ abi: ENS_ABI, functionName: "resolve", data: response });
}

function attempt(call: () => Hex): { success: boolean; returnData: Hex } {
  try {
    return { success: true, returnData: call() };
  } catch (error) {
    return { success: false, returnData: error instanceof Reverted ? error.data : "0x" };
  }
}

function encodeCall<N extends Name>(functionName: N, args: Args<N>): Hex {
  return encodeFunctionData({ abi: ENS_ABI, functionName, args } as never);
}

function errorOf(errorName: string, args: readonly unknown[]): Hex {
  return encodeErrorResult({ abi: ENS_ABI, errorName, args } as never);
}

function revert(errorName: string, args: readonly unknown[]): never {
  throw new Reverted(errorOf(errorName, args));
}

function resolverAddress(kind: ResolverKind): Address {
  return `0x${keccak256(new TextEncoder().encode(kind)).slice(-40)}`;
}

function addressOf(number: number): Address {
  return numberToHex(number, { size: 20 });
}
