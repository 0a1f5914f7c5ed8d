/** Batches calls in one `eth_call` by Multicall3's aggregate3, in which a failing call fails no other. */
import {
  type ContractFunctionName,
  type ContractFunctionReturnType,
  encodeFunctionData,
  type EncodeFunctionDataParameters,
  getAbiItem,
  type Hex,
} from "viem";
import { ABI } from "./abi.ts";
import { readAbi } from "./read_abi.ts";

/** A call of a contract. */
export interface ContractCall {
  target: Hex;
  data: Hex;
}

/** The data that a contract returned or reverted with. */
export interface Returned {
  success: boolean;
  data: Hex;
}

/** The names of the functions that can be called. */
export type Asked = ContractFunctionName<typeof ABI, "view" | "payable">;

/** A call of the contract at `target`. */
export function question(
  target: string,
  call: Omit<EncodeFunctionDataParameters<typeof ABI, Asked>, "abi">,
): ContractCall {
  return { target: target as Hex, data: encode(call) };
}

/** The calldata of one call. */
export function encode(
  call: Omit<EncodeFunctionDataParameters<typeof ABI, Asked>, "abi">,
): Hex {
  return encodeFunctionData({ abi: ABI, ...call } as EncodeFunctionDataParameters);
}

/** The calldata of all calls together. */
export function encodeAggregate(questions: readonly ContractCall[]): Hex {
  const calls = questions.map(({ target, data }) => ({
    target,
    allowFailure: true,
    callData: data,
  }));
  return encode({ functionName: "aggregate3", args: [calls] });
}

/** The results of `count` calls, in order; undefined if this is not a result of aggregate3 for them. */
export function decodeAggregate(returned: Hex, count: number): Returned[] | undefined {
  const results = decode("aggregate3", returned, { mostItems: count });
  if (results?.length !== count) return undefined;
  return results.map(({ success, returnData: data }) => ({ success, data }));
}

/** The value that a function returned; undefined if the bytes are invalid or an array has more than `mostItems` items. */
export function decode<Name extends Asked>(
  functionName: Name,
  data: Hex,
  { mostItems }: { mostItems: number } = { mostItems: 0 },
): ContractFunctionReturnType<typeof ABI, "view" | "payable", Name> | undefined {
  const { outputs } = getAbiItem({ abi: ABI, name: functionName as Asked });
  const values: readonly unknown[] | undefined = readAbi(outputs, data, { mostItems });
  const value = values?.length === 1 ? values[0] : values;
  return value as ContractFunctionReturnType<typeof ABI, "view" | "payable", Name> | undefined;
}

/** The value that an aggregated call returned; undefined if it reverted. */
export function decodeReturned<Name extends Asked>(
  functionName: Name,
  returned: Returned | undefined,
) {
  return returned?.success ? decode(functionName, returned.data) : undefined;
}
