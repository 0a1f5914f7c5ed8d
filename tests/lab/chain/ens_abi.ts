import {
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  hexToString,
  numberToHex,
  parseAbi,
  slice,
  zeroAddress,
} from "viem";
import type { NameRecords } from "./chain_names.ts";

/** Functions and errors of the chain's contracts, of resolvers, and of gateways (EIP-3668, ENSIP-21). */
export const ENS_ABI = parseAbi([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "struct Price { uint256 base; uint256 premium; }",
  "struct Request { address sender; string[] urls; bytes data; }",
  "function aggregate3(Call[] calls) view returns (Result[] returnData)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
  "function getChainId() view returns (uint256)",
  "function nameExpires(uint256 id) view returns (uint256)",
  "function ownerOf(uint256 id) view returns (address)",
  "function controllers(address controller) view returns (bool)",
  "function rentPrice(string label, uint256 duration) view returns (Price price)",
  "function owner(bytes32 node) view returns (address)",
  "function resolver(bytes32 node) view returns (address)",
  "function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes result, address resolver)",
  "function callback(bytes response, bytes extraData) view returns (bytes result, address resolver)",
  "function addr(bytes32 node) view returns (address)",
  "function text(bytes32 node, string key) view returns (string)",
  "function contenthash(bytes32 node) view returns (bytes)",
  "function multicall(bytes[] calls) view returns (bytes[] results)",
  "function query(Request[] requests) view returns (bool[] failures, bytes[] responses)",
  "function resolve(bytes name, bytes data) view returns (bytes result)",
  "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
  "error ResolverNotFound(bytes name)",
  "error ResolverNotContract(bytes name, address resolver)",
  "error UnsupportedResolverProfile(bytes4 selector)",
  "error HttpError(uint16 status, string message)",
  "error Error(string message)",
]);

/** The first label of a name in DNS wire format. */
export function firstLabel(dnsName: Hex): string {
  return hexToString(slice(dnsName, 1, 1 + Number(slice(dnsName, 0, 1))));
}

/** The return data of a resolver with these records; throws for an unknown call. */
export function answerRecords(records: NameRecords, data: Hex): Hex {
  const { functionName, args } = decodeFunctionData({ abi: ENS_ABI, data });
  const encode = (result: unknown) =>
    encodeFunctionResult({ abi: ENS_ABI, functionName, result } as never);
  switch (functionName) {
    case "addr":
      return encode(records.address ?? zeroAddress);
    case "text":
      return encode(records.texts?.[args[1]] ?? "");
    case "contenthash":
      return encode(records.contenthash ?? "0x");
    case "multicall":
      return encode(args[0].map((call) => answerRecords(records, call)));
    default:
      throw new Error(`Cannot answer ${functionName}: it is no record`);
  }
}

/** One word, without `0x`. */
export function wordOf(value: number): string {
  return numberToHex(value, { size: 32 }).slice(2);
}

/** A `bytes[]`, `string[]` or `(bool, bytes)[]` whose offsets all point at one element, or `step` bytes further each. */
export function aliasedArray(items: number, itemSize: number, step = 0): Hex {
  const words = [32, items, ...Array.from({ length: items }, (_, n) => 32 * items + step * n)];
  const element = wordOf(itemSize) + "00".repeat(itemSize + 32);
  return `0x${words.map(wordOf).join("")}${element}`;
}
