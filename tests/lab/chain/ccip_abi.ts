import { parseAbi } from "viem";

/** What a gateway is asked for: the batches of ENSIP-21, and single names as ENSIP-10 resolves them. */
export const CCIP_ABI = parseAbi([
  "struct Request { address sender; string[] urls; bytes data; }",
  "function query(Request[] requests) view returns (bool[] failures, bytes[] responses)",
  "function resolve(bytes name, bytes data) view returns (bytes result, uint64 expires, bytes signature)",
  "error HttpError(uint16 status, string message)",
]);
