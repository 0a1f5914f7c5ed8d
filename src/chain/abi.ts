/** The functions of the contracts that are asked. */
import { parseAbi } from "viem";

/** Their human-readable signatures, parsed. */
export const ABI = parseAbi([
  "struct Price { uint256 base; uint256 premium; }",
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  // Multicall3
  "function aggregate3(Call[] calls) payable returns (Result[] returnData)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
  "function getChainId() view returns (uint256)",
  // BaseRegistrar and NameWrapper
  "function nameExpires(uint256 id) view returns (uint256)",
  "function ownerOf(uint256 id) view returns (address)",
  "function controllers(address controller) view returns (bool)",
  // ETHRegistrarController
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
