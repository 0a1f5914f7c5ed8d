/** Ethereum nodes: a hedged `eth_call`, which the first node with a valid result answers. */
import { hedged } from "../flow/hedged.ts";
import type { Report } from "../flow/report.ts";
import { parseJson } from "../rules/parse_json.ts";
import { readRetryAfterMs } from "../rules/retry_after.ts";
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
const COOLDOWN_MS = 30_000;
const LONGEST_COOLDOWN_MS = 10 * 60_000;
/** Error codes of a revert: geth's, then that of Nethermind and Parity. */
const REVERT_CODES = [3, -32_015];
/** Geth's code for "out of gas" and "header not found"; Besu's for a revert, which has data. */
const SERVER_ERROR = -32_000;
const HEX = /^0x(?:[0-9a-f]{2})*$/i;

const TOO_LONG: CallReply<never> = { kind: "reverted", error: { code: 0 } };

interface Node {
  url: string;
  /** Monotonic ms: a wall clock that is set back by a day would lengthen the cooldown by a day. */
  coolUntil: number;
}

/** Why a node's reply is unusable, and the cooldown that follows. */
interface Fault {
  kind: "fault";
  fault: RpcFault;
  why: string;
  coolMs: number;
}

type Read<T> = (returned: Hex) => Reading<T>;

/** Creates the nodes at `urls`, the preferred one first. */
export function createNodes(
  { post, urls, report, now, monotonic, deadlineMs = DEADLINE_MS }: {
    post: GuardedPost;
    urls: readonly string[];
    report: Report;
    /** Wall clock, in ms since 1970: for the date in a Retry-After. */
    now: () => number;
    /** A clock in ms that is never set back, for durations. */
    monotonic: () => number;
    /** For one call to one node, in ms. */
    deadlineMs?: number | undefined;
  },
): Nodes {
  const nodes: Node[] = urls.map((url) => ({ url, coolUntil: -Infinity }));
  let failing: boolean | undefined;

  /** The nodes without a cooldown; if all have one, the node whose cooldown ends first. */
  function readyNodes(): Node[] {
    const ready = nodes.filter(({ coolUntil }) => coolUntil <= monotonic());
    if (ready.length > 0) return ready;
    return nodes.toSorted((a, b) => a.coolUntil - b.coolUntil).slice(0, 1);
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
    if (answer.kind !== "fault") return answer;
    // Third-party code may be slow, and a faster node that was asked earlier says nothing about this one.
    const isSlow = !call.runsThirdPartyCode && superseded.aborted &&
      monotonic() - askedAt >= HEDGE_MS;
    if (isSlow) cool(node, faulty("slower than another node"));
    else if (answer.fault === "node" && !isStopped(reply)) cool(node, answer);
    return { kind: "failed", fault: answer.fault, why: answer.why };
  }

  function cool(node: Node, { why, coolMs }: Fault): void {
    node.coolUntil = monotonic() + coolMs;
    // Only the host: the path of a node's URL often holds an API key.
    report("rpc.cooldown", { host: new URL(node.url).host, reason: why, ms: coolMs });
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
    const askedMs = readRetryAfterMs(reply.headers.get("retry-after"), now) ?? COOLDOWN_MS;
    return faulty("HTTP 429", Math.min(Math.max(askedMs, 1_000), LONGEST_COOLDOWN_MS));
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

function faulty(why: string, coolMs = COOLDOWN_MS): Fault {
  return { kind: "fault", fault: "node", why, coolMs };
}

/** A fault without a cooldown, after which the next node is asked. */
function unclear(why: string): Fault {
  return { kind: "fault", fault: "unclear", why, coolMs: 0 };
}
