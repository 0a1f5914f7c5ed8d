/** The functions and errors of the contracts and the gateway that the service calls. */
import { parseAbi, parseAbiItem } from "viem";

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

/** The revert by which a contract asks for an off-chain answer (EIP-3668). */
export const OFFCHAIN_LOOKUP = parseAbiItem(
  "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
);

/** The query of a batch gateway (ENSIP-21). */
export const BATCH_GATEWAY = parseAbi([
  "struct Request { address sender; string[] urls; bytes data; }",
  "function query(Request[] requests) view returns (bool[] failures, bytes[] responses)",
]);
