/** What is asked of the contracts to know whether a name is free, and how they answer. */
import { type Hex, labelhash, namehash, zeroAddress } from "viem";
import { type Registration, YEAR_SECONDS } from "../rules/ens.ts";
import { type EnsContracts, MAINNET_ID } from "../rules/ens_contracts.ts";
import type { Reading } from "../sources/rpc.ts";
import { type ContractCall, decodeReturned, question, type Returned } from "./aggregate.ts";

/** What is the same for all names that are asked for together. */
export interface Block {
  now: bigint;
  isOpen: boolean;
}

/** What is asked once for all names: when and where this is, and whether the controller still sells. */
export function blockQuestions(
  { multicall3, registrar, controller }: EnsContracts,
): ContractCall[] {
  return [
    question(multicall3, { functionName: "getChainId" }),
    question(multicall3, { functionName: "getCurrentBlockTimestamp" }),
    question(registrar, { functionName: "controllers", args: [controller as Hex] }),
  ];
}

/** What is asked for each name. */
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
 * A block comes every 12 s, so a node whose latest one is 10 minutes old has missed 50: to it, a name that was registered
 * since is free. Our own clock may be wrong by less.
 */
const LONGEST_LAG_MS = 10 * MINUTE_MS;
/** Nodes refuse blocks of the future, so one that is ahead is not Ethereum's, or our clock is slow. */
const LONGEST_LEAD_MS = 2 * MINUTE_MS;

/** What a node says of its block at `now`, by our clock (ms since 1970), or why it cannot be used. */
export function readBlock(
  [chainId, timestamp, open]: readonly Returned[],
  now: number,
): Reading<Block> {
  const id = decodeReturned("getChainId", chainId);
  const time = decodeReturned("getCurrentBlockTimestamp", timestamp);
  const isOpen = decodeReturned("controllers", open);
  if (id === undefined || time === undefined || isOpen === undefined) {
    return unsound("the node lacks the contracts of ENS");
  }
  if (id !== MAINNET_ID) return unsound("the node is not of mainnet");
  const lagMs = now - Number(time) * 1_000;
  if (lagMs > LONGEST_LAG_MS) {
    return unsound(`the node's latest block is ${minutes(lagMs)} behind our clock`);
  }
  if (-lagMs > LONGEST_LEAD_MS) {
    return unsound(`the node's latest block is ${minutes(-lagMs)} ahead of our clock`);
  }
  return { kind: "read", value: { now: time, isOpen } };
}

function minutes(ms: number): string {
  return `${Math.floor(ms / MINUTE_MS)} minutes`;
}

/** A return that no sound node gives, and why. */
export function unsound(why: string): Reading<never> {
  return { kind: "unsound", why };
}

/** The registration as the contracts told it; undefined where the registrar does not even know expiries. */
export function readRegistration(
  [expiry, registrar, owner, resolverOf, wrapper, rent]: readonly Returned[],
  block: Block,
): Registration | undefined {
  const expires = decodeReturned("nameExpires", expiry);
  if (expires === undefined) return undefined;
  const registrant = address(decodeReturned("ownerOf", registrar));
  const manager = address(decodeReturned("owner", owner));
  const wrapped = address(decodeReturned("ownerOf", wrapper));
  const resolver = address(decodeReturned("resolver", resolverOf));
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

/** An address that is somebody's; contracts say "nobody" with zero. */
export function address(found: string | undefined): string | undefined {
  return found === zeroAddress ? undefined : found;
}
