/** The records of a name, asked of the Universal Resolver in one call. */
import { type Hex, namehash, size, toHex } from "viem";
import { packetToBytes } from "viem/ens";
import type { EnsRecords } from "../rules/answer.ts";
import type { RecordsProblem } from "../rules/ens.ts";
import { harmlessText } from "../rules/ens_text.ts";
import { type Asked, type ContractCall, decode, encode, question } from "./aggregate.ts";
import { contenthashText } from "./contenthash.ts";
import { address } from "./registration.ts";

/** Where a record goes in the answer, and its key on chain (ENSIP-5, ENSIP-18). */
const TEXTS = {
  avatar: "avatar",
  url: "url",
  description: "description",
  twitter: "com.twitter",
  github: "com.github",
  email: "email",
} as const;

/** All texts, the address and the contenthash. */
const RECORDS = Object.keys(TEXTS).length + 2;

/** What a name without a resolver has, or one whose resolver cannot be used. */
export const NO_RECORDS: EnsRecords = {
  avatar: "",
  url: "",
  description: "",
  twitter: "",
  github: "",
  email: "",
  contenthash: "",
};

/** What the Universal Resolver found: the resolver in charge, also of a wildcard, and its records. */
export interface Resolved {
  resolver?: string;
  address?: string;
  records: EnsRecords;
  /** Why some of them could not be had. */
  problem?: RecordsProblem;
}

/** How the batch gateway says that it could not ask on: `HttpError(uint16,string)` (ENSIP-21). */
const HTTP_ERROR = "0x01800152";

const GATEWAY_FAILED: RecordsProblem = {
  kind: "gateway",
  why: "its offchain gateway could not be asked",
};

/** The question for all records; offchain names are looked up by `gateway` alone. */
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

/** The records in what the Universal Resolver returned; undefined if it is nothing of the kind. */
export function readRecords(returned: Hex): Resolved | undefined {
  const [result, resolverFound] = decode("resolveWithGateways", returned) ?? [];
  const items = result && decode("multicall", result, { mostItems: RECORDS });
  if (items?.length !== RECORDS) return undefined;
  const [addr, contenthash, ...texts] = items;
  const found = address(readItem("addr", addr));
  const resolver = address(resolverFound);
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
    ...(items.some(isHttpError) && { problem: GATEWAY_FAILED }),
  };
}

function isHttpError(item: Hex): boolean {
  return item.startsWith(HTTP_ERROR);
}

/** An item that failed is empty, or the data of a revert: a selector of 4 bytes before its words. */
function readItem<Name extends Asked>(functionName: Name, item: Hex | undefined) {
  if (item === undefined || item === "0x" || size(item) % 32 !== 0) return undefined;
  return decode(functionName, item);
}
