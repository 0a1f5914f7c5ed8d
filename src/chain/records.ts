/** Reads the records of a name from the Universal Resolver in one call. */
import { type Hex, namehash, size, toHex } from "viem";
import { packetToBytes } from "viem/ens";
import type { EnsRecords } from "../rules/answer.ts";
import type { RecordsProblem } from "../rules/ens.ts";
import { harmlessText } from "../rules/ens_text.ts";
import { type Asked, type ContractCall, decode, encode, question } from "./aggregate.ts";
import { contenthashText } from "./contenthash.ts";
import { nonZeroAddress } from "./registration.ts";

/** The text records by their names in the answer, with their keys on chain (ENSIP-5, ENSIP-18). */
const TEXTS = {
  avatar: "avatar",
  url: "url",
  description: "description",
  twitter: "com.twitter",
  github: "com.github",
  email: "email",
} as const;

/** The texts, the address and the contenthash. */
const RECORDS = Object.keys(TEXTS).length + 2;

/** The records of a name without a usable resolver. */
export const NO_RECORDS: EnsRecords = {
  avatar: "",
  url: "",
  description: "",
  twitter: "",
  github: "",
  email: "",
  contenthash: "",
};

/** The result of the Universal Resolver: the resolver of the name or of its wildcard, and the records. */
export interface Resolved {
  resolver?: string;
  address?: string;
  records: EnsRecords;
  /** Why some of the records are missing. */
  problem?: RecordsProblem;
}

/**
 * What the batch gateway returns for a gateway behind it that failed: `HttpError(uint16,string)`, or `Error(string)` where
 * it got no HTTP status (ENSIP-21).
 */
const GATEWAY_ERRORS = ["0x01800152", "0x08c379a0"];

const GATEWAY_FAILED: RecordsProblem = {
  kind: "gateway",
  why: "its offchain gateway could not be queried",
};

/** The call for all records; off-chain names are resolved only through `gateway`. */
export function recordsQuestion(
  label: string,
  universalResolver: string,
  gateway: string,
): ContractCall {
  const node = namehash(`${label}.eth`);
  const calls = [
    encode({ functionName: "addr", args: [node] }),
    encode({ functionName: "contenthash", args: [node] }),
    ...Object.values(TEXTS).map((key) => encode({ functionName: "text", args: [node, key] })),
  ];
  return question(universalResolver, {
    functionName: "resolveWithGateways",
    args: [
      toHex(packetToBytes(`${label}.eth`)),
      encode({ functionName: "multicall", args: [calls] }),
      [gateway],
    ],
  });
}

/**
 * The records in the result of the Universal Resolver; undefined if it is invalid. A resolver on chain that reverts with
 * `Error(string)` has no such record; after an off-chain look-up the same bytes are a failed gateway.
 */
export function readRecords(
  returned: Hex,
  { isOffchain }: { isOffchain: boolean },
): Resolved | undefined {
  const [result, resolverFound] = decode("resolveWithGateways", returned) ?? [];
  const items = result && decode("multicall", result, { mostItems: RECORDS });
  if (items?.length !== RECORDS) return undefined;
  const [addr, contenthash, ...texts] = items;
  const found = nonZeroAddress(readItem("addr", addr));
  const resolver = nonZeroAddress(resolverFound);
  const entries = Object.keys(TEXTS).map((name, place) => [
    name,
    harmlessText(readItem("text", texts[place]) ?? ""),
  ]);
  return {
    ...(resolver && { resolver }),
    ...(found && { address: found }),
    records: {
      ...NO_RECORDS,
      ...Object.fromEntries(entries),
      contenthash: contenthashText(readItem("contenthash", contenthash) ?? "0x"),
    },
    ...(isOffchain && items.some(isGatewayError) && { problem: GATEWAY_FAILED }),
  };
}

function isGatewayError(item: Hex): boolean {
  return GATEWAY_ERRORS.includes(item.slice(0, 10));
}

/** The value of an item; undefined for a failed one, which is empty or has a selector of 4 bytes before its words. */
function readItem<Name extends Asked>(functionName: Name, item: Hex | undefined) {
  if (item === undefined || item === "0x" || size(item) % 32 !== 0) return undefined;
  return decode(functionName, item);
}
