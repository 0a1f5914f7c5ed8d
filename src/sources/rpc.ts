/** Ethereum nodes: a hedged `eth_call`, which the first node with a valid result answers. */
import type { Clock } from "../flow/clock.ts";
import { hedged } from "./hedged.ts";
import type { Outcome, UpstreamHost, UpstreamHosts } from "../flow/upstream_host.ts";
import { parseJson } from "../rules/readers/parse_json.ts";
import { readRetryAfterMs } from "../rules/readers/retry_after.ts";
import type { GuardedPost, Reply } from "./http.ts";

/** Text in hexadecimal, as JSON-RPC carries bytes. */
export type Hex = `0x${string}`;

/** A read-only call. */
export interface EthCall {
  to: Hex;
  data: Hex;
  /** Whether it runs third-party contracts, whose failures are not the node's fault. */
  runsThirdPartyCode: boolean;
}

/** The error of a call that a node could not execute. */
export interface RpcError {
  code: number;
  /** The revert data; absent if the contract ran out of gas or returned too much instead. */
  data?: Hex;
}

/** The outcome of a call. */
export type CallReply<T> =
  | { kind: "read"; value: T }
  /** The third-party code failed, as it would on any node. */
  | { kind: "reverted"; error: RpcError }
  | {
    kind: "failed";
    fault: RpcFault;
    why: string;
  };

/** Who caused a failure. */
export type RpcFault =
  | "node"
  /** Third-party code ran out of time or gas, or the node is slow or out of sync: they look alike. */
  | "unclear";

/** The value of a result, or why no valid node of this chain can have returned it. */
export type Reading<T> = { kind: "read"; value: T } | { kind: "invalid"; why: string };

/** Makes a call. `read` must not quote the node in `why`: users and the log see it. */
export type CallChain = <T>(
  call: EthCall,
  read: (returned: Hex) => Reading<T>,
) => Promise<CallReply<T>>;

/** The nodes. */
export interface Nodes {
  call: CallChain;
  /** Whether the last call failed; undefined before the first. */
  isFailing(): boolean | undefined;
}

/** A call takes 50 ms; a node that takes thirty times as long counts as down. */
const DEADLINE_MS = 1_500;
/** After this time, longer than nearly every answer takes, the next node is asked too. */
const HEDGE_MS = 400;
/** Admits a text record of 1 MB, which is cut later; after a larger result the call is repeated without records. */
const MAX_BYTES = 4 * 1_024 * 1_024;
const PAUSE_MS = 30_000;
const BREAKER = { faultsToOpen: 1, firstPauseMs: PAUSE_MS, longestPauseMs: PAUSE_MS };
/** Of a Retry-After. */
const LONGEST_PAUSE_MS = 10 * 60_000;
/** Error codes of a revert: geth's, then that of Nethermind and Parity. */
const REVERT_CODES = [3, -32_015];
/** Geth's code for "out of gas" and "header not found"; Besu's for a revert, which has data. */
const SERVER_ERROR = -32_000;
const HEX = /^0x(?:[0-9a-f]{2})*$/i;

const TOO_LONG: CallReply<never> = { kind: "reverted", error: { code: 0 } };

interface Node {
  url: string;
  host: UpstreamHost;
}

/** Why a node's reply is unusable. */
interface Fault {
  kind: "fault";
  fault: RpcFault;
  why: string;
  /** What it says about the node. */
  outcome: Outcome;
}

type Read<T> = (returned: Hex) => Reading<T>;

/** Creates the nodes at `urls`, the preferred one first. */
export function createNodes(
  { post, urls, hosts, now, monotonic, deadlineMs = DEADLINE_MS }: {
    post: GuardedPost;
    urls: readonly string[];
    hosts: Pick<UpstreamHosts, "ofKind">;
    /** For one call to one node, in ms. */
    deadlineMs?: number | undefined;
  } & Clock,
): Nodes {
  const nodes = urls.map((url): Node => {
    // Each URL has its own breaker, as two may be accounts at one provider. Only the host is shown: a path often holds a key.
    const hostOf = hosts.ofKind("rpc", { breaker: BREAKER });
    return { url, host: hostOf(new URL(url).host) };
  });
  let failing: boolean | undefined;

  /** The nodes without a pause; if all have one, the node whose pause ends first. */
  function readyNodes(): Node[] {
    const leftMs = ({ host }: Node) => host.pause()?.leftMs ?? 0;
    const ready = nodes.filter((node) => leftMs(node) === 0);
    return ready.length > 0 ? ready : nodes.toSorted((a, b) => leftMs(a) - leftMs(b)).slice(0, 1);
  }

  async function ask<T>(
    node: Node,
    call: EthCall,
    read: Read<T>,
    superseded: AbortSignal,
  ): Promise<CallReply<T>> {
    const askedAt = monotonic();
    const reply = await post(node.url, {
      json: toJsonRpc(call),
      deadlineMs,
      maxBytes: MAX_BYTES,
      signal: superseded,
    });
    const answer = readAnswer(reply, call, read, now());
    if (answer.kind !== "fault") {
      node.host.note({ kind: "ok" });
      return answer;
    }
    // Third-party code may be slow, and a faster node that was asked earlier says nothing about this one.
    const isSlow = !call.runsThirdPartyCode && superseded.aborted &&
      monotonic() - askedAt >= HEDGE_MS;
    if (isSlow) node.host.note({ kind: "down", why: "slower than another node" });
    else if (!isStopped(reply)) node.host.note(answer.outcome);
    return { kind: "failed", fault: answer.fault, why: answer.why };
  }

  async function call<T>(call: EthCall, read: Read<T>): Promise<CallReply<T>> {
    const attempts = readyNodes().map((node) => (superseded: AbortSignal) =>
      ask(node, call, read, superseded)
    );
    const reply = await hedged<CallReply<T>>(attempts, {
      afterMs: HEDGE_MS,
      isAnswer: ({ kind }) => kind !== "failed",
    });
    const isUnclear = reply.kind === "failed" && reply.fault === "unclear";
    if (!isUnclear) failing = reply.kind === "failed";
    return reply;
  }

  return { call, isFailing: () => failing };
}

function toJsonRpc({ to, data }: EthCall) {
  return { jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ to, data }, "latest"] };
}

/** Whether the request was cancelled, which says nothing about the node. */
function isStopped(reply: Reply): boolean {
  return reply.kind === "failed" && reply.fault === "stopped";
}

function readAnswer<T>(
  reply: Reply,
  { runsThirdPartyCode }: EthCall,
  read: Read<T>,
  now: number,
): CallReply<T> | Fault {
  if (reply.kind === "failed") {
    // Every other node would return as much.
    if (reply.fault === "oversized" && runsThirdPartyCode) return TOO_LONG;
    return reply.fault === "timeout" && runsThirdPartyCode
      ? unclear("timeout")
      : faulty(reply.fault);
  }
  if (reply.status === 429) {
    const askedMs = readRetryAfterMs(reply.headers.get("retry-after"), now) ?? PAUSE_MS;
    const pauseMs = Math.min(Math.max(askedMs, 1_000), LONGEST_PAUSE_MS);
    return faulty("HTTP 429", { kind: "limited", why: "HTTP 429", pauseMs });
  }
  const { result, error } = readMessage(reply.body);
  if (error !== undefined) return readError(error, runsThirdPartyCode);
  if (result === undefined) return faulty(`HTTP ${reply.status} without JSON-RPC`);
  const reading = read(result);
  return reading.kind === "read" ? reading : faulty(reading.why);
}

function readError(error: RpcError, runsThirdPartyCode: boolean): CallReply<never> | Fault {
  const { code, data } = error;
  const why = `JSON-RPC error ${code}`;
  if (!runsThirdPartyCode) return faulty(why);
  if (REVERT_CODES.includes(code)) return { kind: "reverted", error };
  if (code !== SERVER_ERROR) return faulty(why);
  return data === undefined ? unclear(why) : { kind: "reverted", error };
}

function readMessage(body: string): { result?: Hex; error?: RpcError } {
  const { result, error } = asFields(parseJson(body));
  if (isHex(result)) return { result };
  const { code, data } = asFields(error);
  if (typeof code !== "number") return {};
  return { error: { code, ...(isHex(data) && { data }) } };
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function isHex(value: unknown): value is Hex {
  return typeof value === "string" && HEX.test(value);
}

function faulty(why: string, outcome: Outcome = { kind: "down", why }): Fault {
  return { kind: "fault", fault: "node", why, outcome };
}

/** A fault that says nothing about the node, after which the next one is asked. */
function unclear(why: string): Fault {
  return { kind: "fault", fault: "unclear", why, outcome: { kind: "unasked" } };
}
