/** Asks for any number of names in one `eth_call`. */
import type { Hex } from "viem";
import type { Registration } from "../rules/ens.ts";
import type { EnsContracts } from "../rules/tables/ens_contracts.ts";
import type { CallChain, CallReply, Reading } from "../sources/rpc.ts";
import { type ContractCall, decodeAggregate, encodeAggregate, type Returned } from "./aggregate.ts";
import {
  blockQuestions,
  invalid,
  nameQuestions,
  readBlock,
  readRegistration,
} from "./registration.ts";

/** The registrations, and the result of the further call. */
export interface NamesAnswer {
  /** In the order of the labels. */
  registrations: Registration[];
  /** The result of the further call. */
  further?: Returned;
}

/** Asks for the registrations of labels, with one further call, which may run third-party code. */
export type AskNames = (
  labels: readonly string[],
  further?: ContractCall,
) => Promise<CallReply<NamesAnswer>>;

/** Creates the question. */
export function createAskNames(
  { call, contracts, now }: { call: CallChain; contracts: EnsContracts; now: () => number },
): AskNames {
  const block = blockQuestions(contracts);

  return (labels, further) => {
    const names = labels.map((label) => nameQuestions(label, contracts));
    // The further call is the last one: it may burn all gas, and then later calls would fail.
    const data = encodeAggregate([...block, ...names.flat(), ...further ? [further] : []]);
    const to = contracts.multicall3 as Hex;
    const asked = block.length + names.flat().length + (further ? 1 : 0);
    return call(
      { to, data, runsThirdPartyCode: further !== undefined },
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
  if (returned === undefined) return invalid("the node's answer is not a Multicall3 result");
  const rest = [...returned];
  const block = readBlock(rest.splice(0, lengths.block), now);
  if (block.kind === "invalid") return block;
  const registrations = lengths.names
    .map((length) => readRegistration(rest.splice(0, length), block.value))
    .filter((registration) => registration !== undefined);
  if (registrations.length < lengths.names.length) {
    return invalid("the node has no .eth registrar");
  }
  const [further] = rest;
  return { kind: "read", value: { registrations, ...(further && { further }) } };
}
