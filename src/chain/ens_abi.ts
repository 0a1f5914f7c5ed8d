/** The functions of the contracts that are called, with the encoding of calls and the decoding of results. */
import {
  type Abi,
  concat,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  size,
  toHex,
} from "viem";

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
