import { parseAbi } from "viem";

/** Functions that build the chain; readers have their own ABI. */
export const ENS_ABI = parseAbi([
  "function setSubnodeOwner(bytes32 node, bytes32 label, address owner)",
  "function setResolver(bytes32 node, address resolver)",
  "function setResolver(address resolver)",
  "function addController(address controller)",
  "function removeController(address controller)",
  "function register(uint256 id, address owner, uint256 duration)",
  "function registerAndWrapETH2LD(string label, address owner, uint256 duration, address resolver, uint16 fuses)",
  "function transferFrom(address from, address to, uint256 id)",
  "function setAddr(bytes32 node, address addr)",
  "function setText(bytes32 node, string key, string value)",
  "function setContenthash(bytes32 node, bytes hash)",
  "function multicall(bytes[] calls)",
]);

/** Functions that read single records of a name. */
export const RECORD_ABI = parseAbi([
  "function addr(bytes32 node) view returns (address)",
  "function text(bytes32 node, string key) view returns (string)",
  "function contenthash(bytes32 node) view returns (bytes)",
  "function multicall(bytes[] calls) returns (bytes[] results)",
]);

/** Calls to a gateway: the batches of ENSIP-21, and single names as ENSIP-10 resolves them. */
export const CCIP_ABI = parseAbi([
  "struct Request { address sender; string[] urls; bytes data; }",
  "function query(Request[] requests) view returns (bool[] failures, bytes[] responses)",
  "function resolve(bytes name, bytes data) view returns (bytes result, uint64 expires, bytes signature)",
  "error HttpError(uint16 status, string message)",
  "error Error(string message)",
]);
