import { parseAbi } from "viem";

/** How single records of a name are asked for. */
export const RECORD_ABI = parseAbi([
  "function addr(bytes32 node) view returns (address)",
  "function text(bytes32 node, string key) view returns (string)",
  "function contenthash(bytes32 node) view returns (bytes)",
  "function multicall(bytes[] calls) returns (bytes[] results)",
]);
