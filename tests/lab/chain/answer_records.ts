import { decodeFunctionData, encodeFunctionResult, type Hex, zeroAddress } from "viem";
import type { NameRecords } from "./chain_name.ts";
import { RECORD_ABI } from "./record_abi.ts";

/** What a resolver with these records returns; throws for a question that it does not know. */
export function answerRecords(records: NameRecords, data: Hex): Hex {
  const { functionName, args } = decodeFunctionData({ abi: RECORD_ABI, data });
  switch (functionName) {
    case "addr":
      return encodeFunctionResult({
        abi: RECORD_ABI,
        functionName,
        result: records.address ?? zeroAddress,
      });
    case "text":
      return encodeFunctionResult({
        abi: RECORD_ABI,
        functionName,
        result: records.texts?.[args[1]] ?? "",
      });
    case "contenthash":
      return encodeFunctionResult({
        abi: RECORD_ABI,
        functionName,
        result: records.contenthash ?? "0x",
      });
    case "multicall":
      return encodeFunctionResult({
        abi: RECORD_ABI,
        functionName,
        result: args[0].map((call) => answerRecords(records, call)),
      });
  }
}
