/** Names that are kept off chain (EIP-3668): asked of the one trusted gateway, whatever URL a contract names. */
import {
  ccipReadTunnel,
  type CcipRequestParameters,
  createClient,
  custom,
  type Hex,
  isHex,
  offchainLookup,
  offchainLookupSignature,
  RpcRequestError,
} from "viem";
import type { GuardedPost } from "../sources/http.ts";
import type { CallChain, EthCall } from "../sources/rpc.ts";

/** Follows an OffchainLookup revert of the contract at `to`; undefined where it comes to nothing. */
export type FollowOffchain = (revert: Hex, to: Hex) => Promise<Hex | undefined>;

const DEADLINE_MS = 3_000;
/** A profile through the batch gateway has 5 KB. */
const MAX_BYTES = 1_024 * 1_024;
/** Requests to the gateway for one name: a contract may ask for hundreds at once. */
const MAX_QUERIES = 4;

/** Whether a contract reverted in order to be answered from off chain. */
export function isOffchainLookup(revert: Hex): boolean {
  return revert.startsWith(offchainLookupSignature);
}

/** Creates the follower over one gateway, which must speak ENSIP-21. */
export function createFollowOffchain(
  { call, post, gateway }: { call: CallChain; post: GuardedPost; gateway: string },
): FollowOffchain {
  const tunnel = ccipReadTunnel({ batchGateways: [gateway], ccipRequest: askGateway });
  const client = createClient({
    transport: custom({ request }, { retryCount: 0 }),
    ccipRead: {
      request: (asked) =>
        asked.urls.every((url) => url === gateway) ? askGateway(asked) : tunnel.request(asked),
    },
  });

  async function askGateway({ data, sender }: CcipRequestParameters): Promise<Hex> {
    const reply = await post(gateway, {
      json: { data, sender },
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    });
    if (reply.kind === "failed") throw new Error(`Cannot ask the gateway: ${reply.fault}`);
    if (reply.status !== 200) throw new Error(`Cannot ask the gateway: HTTP ${reply.status}`);
    const answer = JSON.parse(reply.body).data;
    if (!isHex(answer)) throw new Error("Cannot read the gateway's answer");
    return answer;
  }

  /** The chain as viem asks it: only for the callback, with an OffchainLookup of its own as an error with data. */
  async function request({ params }: { params: [Omit<EthCall, "runsForeignCode">] }): Promise<Hex> {
    const [{ to, data }] = params;
    const reply = await call({ to, data, runsForeignCode: true }, (returned) => returned);
    if (reply.kind === "read") return reply.value;
    const error = reply.kind === "reverted" ? reply.error : { code: -32_603, message: reply.why };
    throw new RpcRequestError({ body: {}, error, url: "" });
  }

  return async (revert, to) => {
    const budget = {
      bytes: MAX_BYTES,
      queries: MAX_QUERIES,
      run: <T>(ask: () => Promise<T>) => ask(),
    };
    try {
      return await offchainLookup(client, { data: revert, to, budget });
    } catch {
      // What the owner, the gateway and the callback do wrong are one to whoever asks: no records.
      return undefined;
    }
  };
}
