/** Many questions in one `eth_call`: Multicall3's aggregate3, in which one that fails fails no other. */
import {
  type ContractFunctionName,
  decodeFunctionResult,
  encodeFunctionData,
  type EncodeFunctionDataParameters,
  type Hex,
} from "viem";
import { ABI } from "./abi.ts";

/** One question to one contract. */
export interface Question {
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
): Question {
  return { target: target as Hex, data: encode(call) };
}

/** The calldata of one function. */
export function encode(
  call: Omit<EncodeFunctionDataParameters<typeof ABI, Asked>, "abi">,
): Hex {
  return encodeFunctionData({ abi: ABI, ...call } as EncodeFunctionDataParameters);
}

/** The calldata of all questions together. */
export function encodeAggregate(questions: readonly Question[]): Hex {
  const calls = questions.map(({ target, data }) => ({
    target,
    allowFailure: true,
    callData: data,
  }));
  return encode({ functionName: "aggregate3", args: [calls] });
}

/** What each question was answered, in order, or undefined where this is no return of aggregate3. */
export function decodeAggregate(returned: Hex): Returned[] | undefined {
  const results = decode("aggregate3", returned);
  return results?.map(({ success, returnData: data }) => ({ success, data }));
}

/** The value that a function returned, or undefined where these bytes are none of it. */
export function decode<Name extends Asked>(functionName: Name, data: Hex) {
  try {
    return decodeFunctionResult<typeof ABI, Name>({ abi: ABI, functionName, data } as never);
  } catch {
    // A node or a contract can return any bytes; viem says so by throwing.
    return undefined;
  }
}

/** The same of an aggregated question; undefined where it reverted. */
export function decodeReturned<Name extends Asked>(
  functionName: Name,
  returned: Returned | undefined,
) {
  return returned?.success ? decode(functionName, returned.data) : undefined;
}
