/** The calls that show whether a .eth name is available, and the reading of their results. */
import { type Hex, labelhash, namehash, zeroAddress } from "viem";
import { type Registration, YEAR_SECONDS } from "../rules/ens.ts";
import { type EnsContracts, MAINNET_ID } from "../rules/tables/ens_contracts.ts";
import type { Reading } from "../sources/rpc.ts";
import { type ContractCall, decodeReturned, question, type Returned } from "./aggregate.ts";

/** The state of the chain, for all names of one call. */
export interface Block {
  now: bigint;
  isOpen: boolean;
}

/** The calls for all names: chain ID, time of the block, and whether the controller still registers names. */
export function blockQuestions(
  { multicall3, registrar, controller }: EnsContracts,
): ContractCall[] {
  return [
    question(multicall3, { functionName: "getChainId" }),
    question(multicall3, { functionName: "getCurrentBlockTimestamp" }),
    question(registrar, { functionName: "controllers", args: [controller as Hex] }),
  ];
}

/** The calls for each name. */
export function nameQuestions(label: string, contracts: EnsContracts): ContractCall[] {
  const { registry, registrar, controller, nameWrapper } = contracts;
  const node = namehash(`${label}.eth`);
  const id = BigInt(labelhash(label));
  return [
    question(registrar, { functionName: "nameExpires", args: [id] }),
    question(registrar, { functionName: "ownerOf", args: [id] }),
    question(registry, { functionName: "owner", args: [node] }),
    question(registry, { functionName: "resolver", args: [node] }),
    question(nameWrapper, { functionName: "ownerOf", args: [BigInt(node)] }),
    question(controller, { functionName: "rentPrice", args: [label, YEAR_SECONDS] }),
  ];
}

const MINUTE_MS = 60_000;
/**
 * A block comes every 12 s, so a node whose latest one is 10 minutes old has missed 50: it reports a name that was
 * registered since as available. Our own clock may be wrong by less.
 */
const LONGEST_LAG_MS = 10 * MINUTE_MS;
/** Nodes reject future blocks, so one that is ahead is not Ethereum's, or our clock is slow. */
const LONGEST_LEAD_MS = 2 * MINUTE_MS;

/** The block of a node at `now`, by our clock (ms since 1970), or why it cannot be used. */
export function readBlock(
  [chainId, timestamp, open]: readonly Returned[],
  now: number,
): Reading<Block> {
  const id = decodeReturned("getChainId", chainId);
  const time = decodeReturned("getCurrentBlockTimestamp", timestamp);
  const isOpen = decodeReturned("controllers", open);
  if (id === undefined || time === undefined || isOpen === undefined) {
    return invalid("the node has no ENS contracts");
  }
  if (id !== MAINNET_ID) return invalid("the node is not on mainnet");
  const lagMs = now - Number(time) * 1_000;
  if (lagMs > LONGEST_LAG_MS) {
    return invalid(`the node's latest block is ${minutes(lagMs)} behind our clock`);
  }
  if (-lagMs > LONGEST_LEAD_MS) {
    return invalid(`the node's latest block is ${minutes(-lagMs)} ahead of our clock`);
  }
  return { kind: "read", value: { now: time, isOpen } };
}

function minutes(ms: number): string {
  return `${Math.floor(ms / MINUTE_MS)} minutes`;
}

/** A result that no valid node returns, and why. */
export function invalid(why: string): Reading<never> {
  return { kind: "invalid", why };
}

/** The registration in the results; undefined if the registrar returned no expiry. */
export function readRegistration(
  [expiry, registrar, owner, resolverOf, wrapper, rent]: readonly Returned[],
  block: Block,
): Registration | undefined {
  const expires = decodeReturned("nameExpires", expiry);
  if (expires === undefined) return undefined;
  const registrant = nonZeroAddress(decodeReturned("ownerOf", registrar));
  const manager = nonZeroAddress(decodeReturned("owner", owner));
  const wrapped = nonZeroAddress(decodeReturned("ownerOf", wrapper));
  const resolver = nonZeroAddress(decodeReturned("resolver", resolverOf));
  const price = decodeReturned("rentPrice", rent);
  return {
    ...block,
    expires,
    holders: {
      ...(registrant && { registrant }),
      ...(manager && { manager }),
      ...(wrapped && { wrapped }),
    },
    ...(resolver && { resolver }),
    ...(price && { price }),
  };
}

/** An address; undefined for the zero address, which contracts return for "none". */
export function nonZeroAddress(found: string | undefined): string | undefined {
  return found === zeroAddress ? undefined : found;
}
