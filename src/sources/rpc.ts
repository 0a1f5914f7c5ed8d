/** Ethereum nodes: one `eth_call`, answered by the first node that gives a sound return. */
import { hedged } from "../flow/hedged.ts";
import type { Report } from "../flow/report.ts";
import { parseJson } from "../rules/parse_json.ts";
import { readRetryAfterMs } from "../rules/retry_after.ts";
import type { GuardedPost, Reply } from "./http.ts";

/** Text in hexadecimal, as JSON-RPC carries bytes. */
export type Hex = `0x${string}`;

/** A call that changes nothing. */
export interface EthCall {
  to: Hex;
  data: Hex;
  /** Whether it runs contracts that strangers wrote: what goes wrong then is not the node's fault. */
  runsForeignCode: boolean;
}

/** What a node says of a call that it could not carry out. */
export interface RpcError {
  code: number;
  /** What the contract reverted with; absent if it did not revert, but ran out of gas or returned too much. */
  data?: Hex;
}

/** What came of a call. */
export type CallReply<T> =
  | { kind: "read"; value: T }
  /** The foreign code failed, as it would on any node. */
  | { kind: "reverted"; error: RpcError }
  | {
    kind: "failed";
    fault: RpcFault;
    why: string;
  };

/** What failed. */
export type RpcFault =
  | "node"
  /** Foreign code ran out of time or of gas, unless the node is slow or out of sync: they look alike. */
  | "unclear";

/** What a return means, or why no sound node of this chain can have given it. */
export type Reading<T> = { kind: "read"; value: T } | { kind: "unsound"; why: string };

/** Makes a call. `read` must not quote in `why` what the node wrote: users and the log see it. */
export type CallChain = <T>(
  call: EthCall,
  read: (returned: Hex) => Reading<T>,
) => Promise<CallReply<T>>;

/** The nodes. */
export interface Nodes {
  call: CallChain;
  /** Whether the last call came to nothing; undefined before. */
  isFailing(): boolean | undefined;
}

/** A call takes 50 ms; a node that needs thirty times that is down. */
const DEADLINE_MS = 1_500;
/** When a node is slower than nearly always, the next one is asked as well. */
const HEDGE_MS = 400;
/** One text record of a megabyte passes, to be cut later; a larger return is asked for again without the records. */
const MAX_BYTES = 4 * 1_024 * 1_024;
const COOLDOWN_MS = 30_000;
const LONGEST_COOLDOWN_MS = 10 * 60_000;
/** Codes of a revert: geth's, and that of Nethermind and Parity. */
const REVERT_CODES = [3, -32_015];
/** Geth's code for "out of gas" and for "header not found" too; Besu's for a revert, which comes with data. */
const SERVER_ERROR = -32_000;
const HEX = /^0x(?:[0-9a-f]{2})*$/i;

const TOO_LONG: CallReply<never> = { kind: "reverted", error: { code: 0 } };

interface Node {
  url: string;
  /** On the monotonic clock: set back by a day, the wall clock would keep nodes cooling for a day. */
  coolUntil: number;
}

/** Why a node's reply is of no use, and for how long it is left alone for it. */
interface Fault {
  kind: "fault";
  fault: RpcFault;
  why: string;
  coolMs: number;
}

type Read<T> = (returned: Hex) => Reading<T>;

/** Creates the nodes at `urls`, the favourite first. */
export function createNodes(
  { post, urls, report, now, monotonic, deadlineMs = DEADLINE_MS }: {
    post: GuardedPost;
    urls: readonly string[];
    report: Report;
    /** Wall clock, in ms since 1970: for the date in a Retry-After. */
    now: () => number;
    /** In ms, from any start: for all that is waited for. */
    monotonic: () => number;
    /** For one call to one node, in ms. */
    deadlineMs?: number | undefined;
  },
): Nodes {
  const nodes: Node[] = urls.map((url) => ({ url, coolUntil: -Infinity }));
  let failing: boolean | undefined;

  /** The nodes that do not cool down; else the one that is done with it first, for no call is given up unasked. */
  function inTurn(): Node[] {
    const ready = nodes.filter(({ coolUntil }) => coolUntil <= monotonic());
    if (ready.length > 0) return ready;
    return nodes.toSorted((a, b) => a.coolUntil - b.coolUntil).slice(0, 1);
  }

  async function ask<T>(
    node: Node,
    call: EthCall,
    read: Read<T>,
    outrun: AbortSignal,
  ): Promise<CallReply<T>> {
    const askedAt = monotonic();
    const reply = await post(node.url, {
      json: toJsonRpc(call),
      deadlineMs,
      maxBytes: MAX_BYTES,
      signal: outrun,
    });
    const answer = readAnswer(reply, call, read, now());
    if (answer.kind !== "fault") return answer;
    // Foreign code may be heavy, and a node that was asked later and yet was quicker says nothing of this one.
    const isSlow = !call.runsForeignCode && outrun.aborted && monotonic() - askedAt >= HEDGE_MS;
    if (isSlow) cool(node, faulty("slower than another"));
    else if (answer.fault === "node" && !isStopped(reply)) cool(node, answer);
    return { kind: "failed", fault: answer.fault, why: answer.why };
  }

  function cool(node: Node, { why, coolMs }: Fault): void {
    node.coolUntil = monotonic() + coolMs;
    // Only the host: the path of a node's URL is often a key.
    report("rpc.cooldown", { host: new URL(node.url).host, why, ms: coolMs });
  }

  async function call<T>(call: EthCall, read: Read<T>): Promise<CallReply<T>> {
    const attempts = inTurn().map((node) => (outrun: AbortSignal) => ask(node, call, read, outrun));
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

/** Whether the service stops, or another node was quicker: that says nothing of this one. */
function isStopped(reply: Reply): boolean {
  return reply.kind === "failed" && reply.fault === "stopped";
}

function readAnswer<T>(
  reply: Reply,
  { runsForeignCode }: EthCall,
  read: Read<T>,
  now: number,
): CallReply<T> | Fault {
  if (reply.kind === "failed") {
    // Every other node would send as much.
    if (reply.fault === "oversized" && runsForeignCode) return TOO_LONG;
    return reply.fault === "timeout" && runsForeignCode ? unclear("timeout") : faulty(reply.fault);
  }
  if (reply.status === 429) {
    const askedMs = readRetryAfterMs(reply.headers.get("retry-after"), now) ?? COOLDOWN_MS;
    return faulty("HTTP 429", Math.min(Math.max(askedMs, 1_000), LONGEST_COOLDOWN_MS));
  }
  const { result, error } = readMessage(reply.body);
  if (error !== undefined) return readError(error, runsForeignCode);
  if (result === undefined) return faulty(`HTTP ${reply.status} without JSON-RPC`);
  const reading = read(result);
  return reading.kind === "read" ? reading : faulty(reading.why);
}

function readError(error: RpcError, runsForeignCode: boolean): CallReply<never> | Fault {
  const { code, data } = error;
  const why = `JSON-RPC error ${code}`;
  if (!runsForeignCode) return faulty(why);
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

/** A fault for which the node is not left alone, and after which the next one is asked. */
function unclear(why: string): Fault {
  return { kind: "fault", fault: "unclear", why, coolMs: 0 };
}
