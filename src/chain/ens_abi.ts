/** The functions of the contracts that are called: encodes calls, decodes results, and the contenthash (ENSIP-7) to a URI. */
import { decode as decodeContenthash, getCodec } from "@ensdomains/content-hash";
import {
  type Abi,
  concat,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToString,
  parseAbi,
  size,
  toHex,
} from "viem";
import { harmlessText } from "../rules/ens.ts";

const ABI = parseAbi([
  // Multicall3
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call[] calls) view returns (Result[] returnData)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
  "function getChainId() view returns (uint256)",
  // BaseRegistrar and NameWrapper
  "function nameExpires(uint256 id) view returns (uint256)",
  "function ownerOf(uint256 id) view returns (address)",
  "function controllers(address controller) view returns (bool)",
  // ETHRegistrarController
  "struct Price { uint256 base; uint256 premium; }",
  "function rentPrice(string label, uint256 duration) view returns (Price price)",
  // ENSRegistry
  "function owner(bytes32 node) view returns (address)",
  "function resolver(bytes32 node) view returns (address)",
  // UniversalResolver, and resolvers behind it
  "function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes result, address resolver)",
  "function multicall(bytes[] data) view returns (bytes[])",
  "function addr(bytes32 node) view returns (address)",
  "function text(bytes32 node, string key) view returns (string)",
  "function contenthash(bytes32 node) view returns (bytes)",
]);

type Name = ContractFunctionName<typeof ABI, "view">;

/** A call in an aggregate; a failing one fails no other. */
export type Call = { target: Hex; allowFailure: true; callData: Hex };

/** The data that a call in an aggregate returned or reverted with. */
export type Result = { success: boolean; returnData: Hex };

/** The data that calls a function. */
export function encode(functionName: Name, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: ABI as Abi, functionName, args });
}

/** A call of the contract at `target`. */
export function call(target: string, functionName: Name, args?: readonly unknown[]): Call {
  return { target: target as Hex, allowFailure: true, callData: encode(functionName, args) };
}

/**
 * The value that a function returned; undefined if the bytes are invalid, or belong to a failed record, which is empty or
 * has a selector before its words. `items`: how many a returned array must have. They are read before the array is
 * decoded, as thousands of items may be the same bytes.
 */
export function decode<N extends Name>(
  functionName: N,
  data: Hex = "0x",
  items?: number,
): ContractFunctionReturnType<typeof ABI, "view", N> | undefined {
  if (data === "0x" || size(data) % 32 !== 0) return undefined;
  if (items !== undefined && !data.startsWith(words(32, items))) return undefined;
  try {
    const name: string = functionName;
    return decodeFunctionResult({ abi: ABI as Abi, functionName: name, data }) as never;
  } catch {
    return undefined;
  }
}

/** Numbers as the ABI encodes them; `words(32, n)` begins an encoded array of `n` items. */
export function words(...numbers: readonly number[]): Hex {
  return concat(numbers.map((number) => toHex(number, { size: 32 })));
}

/** The supported codecs, and URI schemes of another name. The library returns nonsense for codecs that it does not know. */
const CODECS = ["ipfs", "ipns", "swarm", "arweave", "onion", "onion3", "skynet"];
const SCHEMES: Readonly<Record<string, string>> = { swarm: "bzz", arweave: "ar", skynet: "sia" };
const VARINT = "(?:[89a-f].)*[0-7].";
/** Varints may have leading zero groups. */
const [ZERO, ONE] = ["(?:80)*00", "(?:01|81(?:80)*00)"];
/**
 * IPNS whose CID (version 0 or 1) uses the identity hash: it holds the bytes themselves. Linear: anchored, and a varint
 * ends at its first byte below 80.
 */
const IPNS_IDENTITY = new RegExp(
  `^0xe5${ONE}(?:${ZERO}|${ONE})(?<codec>${VARINT})${ZERO}${VARINT}(?<held>(?:..)*)$`,
  "i",
);
/** The codec of DNS names (dag-pb), which may be long. */
const NAMES = "70";
/** Fewer bytes are a name and not a public key: the library reads it too, but warns on stderr. */
const SHORTEST_KEY_BYTES = 36;
/** The longest real one has under 100 bytes. */
const MAX_BYTES = 1_024;

/** The URI; the raw bytes if the codec is unknown; "" without a contenthash. */
export function contenthashText(contenthash: Hex): string {
  if (contenthash === "0x" || size(contenthash) > MAX_BYTES) return "";
  // Names and onion addresses are bytes that the owner chose.
  return harmlessText(decodeUri(contenthash) ?? contenthash);
}

function decodeUri(contenthash: Hex): string | undefined {
  const name = readIpnsName(contenthash);
  if (name !== undefined) return `ipns://${name}`;
  try {
    const codec = getCodec(contenthash) ?? "";
    if (!CODECS.includes(codec)) return undefined;
    return `${SCHEMES[codec] ?? codec}://${decodeContenthash(contenthash)}`;
  } catch {
    // The library throws on invalid bytes, and the owner may have stored any.
    return undefined;
  }
}

function readIpnsName(contenthash: Hex): string | undefined {
  const { codec, held } = IPNS_IDENTITY.exec(contenthash)?.groups ?? {};
  if (held === undefined) return undefined;
  const isName = codec === NAMES || held.length < 2 * SHORTEST_KEY_BYTES;
  return isName ? hexToString(`0x${held}`) : undefined;
}
