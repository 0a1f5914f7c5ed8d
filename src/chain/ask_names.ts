/** One `eth_call` about any number of names. */
import type { Hex } from "viem";
import type { Registration } from "../rules/ens.ts";
import type { EnsContracts } from "../rules/ens_contracts.ts";
import type { CallChain, CallReply, Reading } from "../sources/rpc.ts";
import { type ContractCall, decodeAggregate, encodeAggregate, type Returned } from "./aggregate.ts";
import {
  blockQuestions,
  nameQuestions,
  readBlock,
  readRegistration,
  unsound,
} from "./registration.ts";

/** What the contracts told. */
export interface NamesAnswer {
  /** In the order of the labels. */
  registrations: Registration[];
  /** What the further question returned. */
  further?: Returned;
}

/** Asks for the registrations of labels, and one question more of a contract that may call foreign code. */
export type AskNames = (
  labels: readonly string[],
  further?: ContractCall,
) => Promise<CallReply<NamesAnswer>>;

/** Creates the call. */
export function createAskNames(
  { call, contracts, now }: { call: CallChain; contracts: EnsContracts; now: () => number },
): AskNames {
  const block = blockQuestions(contracts);

  return (labels, further) => {
    const names = labels.map((label) => nameQuestions(label, contracts));
    // The further question goes last: it may burn the gas of whatever comes after it.
    const data = encodeAggregate([...block, ...names.flat(), ...further ? [further] : []]);
    const to = contracts.multicall3 as Hex;
    const asked = block.length + names.flat().length + (further ? 1 : 0);
    return call(
      { to, data, runsForeignCode: further !== undefined },
      (returned) =>
        readAnswer(
          decodeAggregate(returned, asked),
          { block: block.length, names: names.map(({ length }) => length) },
          now(),
        ),
    );
  };
}

function readAnswer(
  returned: readonly Returned[] | undefined,
  lengths: { block: number; names: readonly number[] },
  now: number,
): Reading<NamesAnswer> {
  if (returned === undefined) return unsound("the node's answer is none of Multicall3");
  const rest = [...returned];
  const block = readBlock(rest.splice(0, lengths.block), now);
  if (block.kind === "unsound") return block;
  const registrations = lengths.names
    .map((length) => readRegistration(rest.splice(0, length), block.value))
    .filter((registration) => registration !== undefined);
  if (registrations.length < lengths.names.length) {
    return unsound("the node lacks the registrar of .eth");
  }
  const [further] = rest;
  return { kind: "read", value: { registrations, ...(further && { further }) } };
}
