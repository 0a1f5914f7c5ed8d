/** Many questions in one `eth_call`: Multicall3's aggregate3, in which one that fails fails no other. */
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

/** One question to one contract. */
export interface ContractCall {
  target: Hex;
  data: Hex;
}

/** What the contract returned; where it reverted, with what. */
export interface Returned {
  success: boolean;
  data: Hex;
}

/** The names of the functions that can be asked. */
export type Asked = ContractFunctionName<typeof ABI, "view" | "payable">;

/** A question to the contract at `target`. */
export function question(
  target: string,
  call: Omit<EncodeFunctionDataParameters<typeof ABI, Asked>, "abi">,
): ContractCall {
  return { target: target as Hex, data: encode(call) };
}

/** The calldata of one function. */
export function encode(
  call: Omit<EncodeFunctionDataParameters<typeof ABI, Asked>, "abi">,
): Hex {
  return encodeFunctionData({ abi: ABI, ...call } as EncodeFunctionDataParameters);
}

/** The calldata of all questions together. */
export function encodeAggregate(questions: readonly ContractCall[]): Hex {
  const calls = questions.map(({ target, data }) => ({
    target,
    allowFailure: true,
    callData: data,
  }));
  return encode({ functionName: "aggregate3", args: [calls] });
}

/** What each of `count` questions was answered, in order; undefined if this is no return of aggregate3 to them. */
export function decodeAggregate(returned: Hex, count: number): Returned[] | undefined {
  const results = decode("aggregate3", returned, { mostItems: count });
  if (results?.length !== count) return undefined;
  return results.map(({ success, returnData: data }) => ({ success, data }));
}

/** The value that a function returned; undefined if these bytes are none, or an array has more than `mostItems`. */
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

/** The same of an aggregated question; undefined where it reverted. */
export function decodeReturned<Name extends Asked>(
  functionName: Name,
  returned: Returned | undefined,
) {
  return returned?.success ? decode(functionName, returned.data) : undefined;
}
