/** Off-chain look-ups (EIP-3668) through the one trusted gateway, never through the URLs of a contract. */
import {
  ccipReadTunnel,
  type CcipRequestParameters,
  createClient,
  custom,
  decodeErrorResult,
  encodeErrorResult,
  type Hex,
  isHex,
  offchainLookup,
  offchainLookupAbiItem,
  size,
} from "viem";
import { readObject } from "../rules/readers/http_message.ts";
import type { GuardedPost } from "../sources/http.ts";
import { words } from "./ens_abi.ts";
import { Fault, MAX_BYTES, type NodesAnswer, type Question } from "./nodes.ts";

/** Requests to the gateway for one look-up, and questions or URLs in one of them: a profile has eight records. */
const MOST_QUESTIONS = 8;
/** For the question and the URLs together, which are text. */
const MAX_QUESTION_BYTES = MAX_BYTES / 2;
/** The URL that stands for a batch gateway of the client's choice (ENSIP-21). */
const ANY_BATCH_GATEWAY = "x-batch-gateway:true";
/** `query((address,string[],bytes)[])`, which asks several gateways (ENSIP-21), and its beginning with up to eight questions. */
const QUERY = "0xa780bab6";
// Linear: fixed digits at the beginning.
const SMALL_QUERY = new RegExp(`^${QUERY}${words(32).slice(2)}0{63}[1-${MOST_QUESTIONS}]`);
/** An answer to one question begins so: two offsets, one failure, which is false, and one response. */
const ONE_RESPONSE = words(64, 128, 1, 0, 1);

/** Creates the follower of look-ups of the contract at `to`, which returns the final result or throws. */
export function createFollowOffchain(
  { ask, post, gateway, to, deadlineMs }: {
    /** Asks the nodes. */
    ask: <T>(question: Question<T>) => Promise<NodesAnswer<T, unknown>>;
    post: GuardedPost;
    /** Must accept batches (ENSIP-21). */
    gateway: string;
    to: Hex;
    /** For one request to the gateway. */
    deadlineMs: number;
  },
): (revert: Hex) => Promise<Hex> {
  const transport = custom({
    async request(call) {
      const answer = await ask(async (request) => {
        // A revert with data is the contract's answer; a node without the contract returns `0x`.
        const result = await request(call).catch((fault: Fault) => fault);
        if (result === "0x") throw new Fault("resolver", "the callback returned nothing");
        if (result instanceof Fault && !result.data) throw result;
        return result;
      });
      const result = answer.kind === "value" ? answer.value : answer.fault;
      if (result instanceof Fault) throw result;
      return result;
    },
  }, { retryCount: 0 });
  // The gateway requests the URLs of a contract.
  const tunnel = ccipReadTunnel({
    batchGateways: [gateway],
    async ccipRequest(lookup) {
      const answer = await askGateway(lookup);
      if (answer.startsWith(ONE_RESPONSE)) return answer;
      throw new Fault("gateway", "its offchain gateway could not be queried");
    },
  });

  async function askGateway({ data, sender }: CcipRequestParameters): Promise<Hex> {
    const options = { json: { data, sender }, deadlineMs, maxBytes: MAX_BYTES };
    const reply = await post(gateway, options);
    const isOk = reply.kind === "reply" && reply.status === 200;
    const answer = isOk ? readObject(reply.body)?.data : undefined;
    if (isHex(answer)) return answer;
    const said = reply.kind === "failed" ? reply.fault : `HTTP ${reply.status}`;
    throw new Fault("gateway", `the offchain gateway returned no answer: ${said}`);
  }

  return async (revert) => {
    let left = MOST_QUESTIONS;
    function request(lookup: CcipRequestParameters) {
      if (left-- <= 0 || !isAskable(lookup)) throw new Error("The look-up is too large");
      if (lookup.urls.every((url) => url === gateway)) return askGateway(lookup);
      return tunnel.request(lookup);
    }
    const client = createClient({ transport, ccipRead: { request } });
    return await offchainLookup(client, { data: withGateway(revert, gateway), to });
  };
}

/** The gateway makes a request for each question: contracts must not cause thousands, or large ones. */
function isAskable({ urls, data }: CcipRequestParameters): boolean {
  const bytes = urls.join("").length + size(data);
  if (bytes > MAX_QUESTION_BYTES || urls.length === 0 || urls.length > MOST_QUESTIONS) return false;
  return !data.startsWith(QUERY) || SMALL_QUERY.test(data);
}

/** The look-up with the gateway in place of any batch gateway, which viem would take the part of. */
function withGateway(revert: Hex, gateway: string): Hex {
  const abi = [offchainLookupAbiItem] as const;
  const { args: [sender, urls, ...rest] } = decodeErrorResult({ abi, data: revert });
  if (!urls.includes(ANY_BATCH_GATEWAY)) return revert;
  return encodeErrorResult({ abi, args: [sender, [gateway], ...rest] });
}
