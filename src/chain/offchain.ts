/** Resolves off-chain names (EIP-3668) through the one trusted gateway, never through the URLs of a contract. */
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  isHex,
  parseAbiParameters,
  size,
  toFunctionSelector,
} from "viem";
import type { RecordsProblem } from "../rules/ens.ts";
import { parseJson } from "../rules/readers/parse_json.ts";
import type { GuardedPost } from "../sources/http.ts";
import type { CallChain } from "../sources/rpc.ts";
import { BATCH_GATEWAY, OFFCHAIN_LOOKUP } from "./abi.ts";
import { readAbi } from "./read_abi.ts";

/** The final result of the contract, or the problem. */
export type Followed =
  | { kind: "returned"; data: Hex }
  | { kind: "failed"; problem: RecordsProblem };

/** Follows an OffchainLookup revert of the contract at `to`. */
export type FollowOffchain = (revert: Hex, to: Hex) => Promise<Followed>;

/** The off-chain question of a contract. */
interface OffchainLookup {
  sender: Hex;
  urls: readonly string[];
  question: Hex;
  /** The function that takes the answer, together with `extraData`. */
  callback: Hex;
  extraData: Hex;
}

/** A profile through the batch gateway has 5 KB. */
const MAX_BYTES = 1_024 * 1_024;
/** For the question and the URLs together. */
const MAX_QUESTION_BYTES = 64 * 1_024;
/** A profile has eight records; URLs of one look-up are two or three. */
const MOST_ITEMS = 8;
/** Requests to the gateway for one name: a callback may revert with another look-up (EIP-3668, "recursive calls"). */
const MAX_ROUNDS = 4;
/** The URL that stands for a batch gateway of the client's choice (ENSIP-21). */
const ANY_BATCH_GATEWAY = "x-batch-gateway:true";

const LOOKUP_SELECTOR = toFunctionSelector(
  `OffchainLookup(${OFFCHAIN_LOOKUP.inputs.map(({ type }) => type)})`,
);
const [QUERY] = BATCH_GATEWAY;
const QUERY_SELECTOR = toFunctionSelector(QUERY);
const CALLBACK_PARAMETERS = parseAbiParameters("bytes response, bytes extraData");

/** Whether a contract reverted to ask for an off-chain answer. */
export function isOffchainLookup(revert: Hex): boolean {
  return revert.startsWith(LOOKUP_SELECTOR);
}

/** Creates the follower over one gateway, which must speak ENSIP-21. */
export function createFollowOffchain(
  { call, post, gateway, deadlineMs }: {
    call: CallChain;
    post: GuardedPost;
    gateway: string;
    /** For one request to the gateway. */
    deadlineMs: number;
  },
): FollowOffchain {
  async function follow(revert: Hex, to: Hex, rounds: number): Promise<Followed> {
    const lookup = rounds > 0 ? readLookup(revert, to) : undefined;
    if (lookup === undefined) {
      return failed("resolver", "its resolver asked for an invalid off-chain look-up");
    }
    const answer = await askFor(lookup);
    if (answer.kind === "failed") return answer;
    const data = concat([
      lookup.callback,
      encodeAbiParameters(CALLBACK_PARAMETERS, [answer.data, lookup.extraData]),
    ]);
    const reply = await call(
      { to, data, runsThirdPartyCode: true },
      (value) => ({ kind: "read", value }),
    );
    switch (reply.kind) {
      case "read":
        return { kind: "returned", data: reply.value };
      case "failed":
        return failed("node", `no Ethereum node took its gateway's answer: ${reply.why}`);
      case "reverted":
        // A revert has data, even if empty; a result that is too large has none.
        if (reply.error.data === undefined) {
          return failed("resolver", "its resolver exceeded the gas or size limit");
        }
        if (isOffchainLookup(reply.error.data)) return follow(reply.error.data, to, rounds - 1);
        return failed("gateway", "its resolver refused the offchain gateway's answer");
    }
  }

  /** Asks the gateway for the answer; the gateway fetches the URLs of the contract. */
  async function askFor({ sender, urls, question }: OffchainLookup): Promise<Followed> {
    const isForGateway = urls.every((url) => url === gateway) || urls.includes(ANY_BATCH_GATEWAY);
    if (isForGateway) return await askGateway(question, sender);
    const answer = await askGateway(
      encodeFunctionData({ abi: BATCH_GATEWAY, args: [[{ sender, urls, data: question }]] }),
      sender,
    );
    if (answer.kind === "failed") return answer;
    const [[failure], [response]] = readAbi(QUERY.outputs, answer.data, { mostItems: 1 }) ??
      [[], []];
    if (response === undefined) {
      return failed("gateway", "the offchain gateway returned an invalid batch");
    }
    return failure === false
      ? { kind: "returned", data: response }
      : failed("gateway", "its offchain gateway could not be queried");
  }

  async function askGateway(data: Hex, sender: Hex): Promise<Followed> {
    const reply = await post(gateway, {
      json: { data, sender },
      deadlineMs,
      maxBytes: MAX_BYTES,
    });
    if (reply.kind === "failed") {
      return failed("gateway", `the offchain gateway did not answer: ${reply.fault}`);
    }
    const answer = reply.status === 200 ? readAnswer(reply.body) : undefined;
    return answer === undefined
      ? failed("gateway", `the offchain gateway returned no answer: HTTP ${reply.status}`)
      : { kind: "returned", data: answer };
  }

  return (revert, to) => follow(revert, to, MAX_ROUNDS);
}

/** The look-up of the contract at `to`; undefined if it is invalid, another contract's or too large. */
function readLookup(revert: Hex, to: Hex): OffchainLookup | undefined {
  const fields = readAbi(OFFCHAIN_LOOKUP.inputs, afterSelector(revert), { mostItems: MOST_ITEMS });
  if (fields === undefined) return undefined;
  const [sender, urls, question, callback, extraData] = fields;
  const isOwn = sender.toLowerCase() === to.toLowerCase();
  if (!isOwn || !isAskable({ urls, question })) return undefined;
  return { sender, urls, question, callback, extraData };
}

/** The gateway makes a request for each item of a batch: contracts must not cause thousands, or large ones. */
function isAskable({ urls, question }: Pick<OffchainLookup, "urls" | "question">): boolean {
  if (urls.length === 0) return false;
  if (urls.join("").length + size(question) > MAX_QUESTION_BYTES) return false;
  if (!question.startsWith(QUERY_SELECTOR)) return true;
  return readAbi(QUERY.inputs, afterSelector(question), { mostItems: MOST_ITEMS }) !== undefined;
}

/** The data after the four bytes of the selector. */
function afterSelector(data: Hex): Hex {
  return `0x${data.slice(10)}`;
}

function readAnswer(body: string): Hex | undefined {
  const answer = parseJson(body);
  if (typeof answer !== "object" || answer === null || !("data" in answer)) return undefined;
  const { data } = answer;
  return isHex(data) && data.length % 2 === 0 ? data : undefined;
}

function failed(kind: RecordsProblem["kind"], why: string): Followed & { kind: "failed" } {
  return { kind: "failed", problem: { kind, why } };
}
