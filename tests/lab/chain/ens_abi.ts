import { parseAbi } from "viem";

/** What the chain is built with; readers have their own. */
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
