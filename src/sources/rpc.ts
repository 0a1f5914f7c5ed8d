/** Ethereum nodes: one `eth_call` to whichever of them answers soundly and soonest. */
import { hedged } from "../flow/hedged.ts";
import type { Report } from "../flow/report.ts";
import { readRetryAfterMs } from "../rules/retry_after.ts";
import type { GuardedPost, Reply } from "./http.ts";

/** Text in hexadecimal, as JSON-RPC carries bytes. */
export type Hex = `0x${string}`;

/** A call that changes nothing. */
export interface EthCall {
  to: Hex;
  data: Hex;
  /** Whether it runs contracts that anybody may have written: what goes wrong then is not the node's fault. */
  runsForeignCode: boolean;
}

/** What a node says of a call that it could not carry out. */
export interface RpcError {
  code: number;
  message: string;
  data?: Hex;
}

/** What came of a call. */
export type CallReply<T> =
  | { kind: "read"; value: T }
  /** The foreign code failed, as it would on any node. */
  | { kind: "reverted"; error: RpcError }
  | { kind: "failed"; why: string };

/** Makes a call; `read` gives undefined for a return that no sound node of this chain can have given. */
export type CallChain = <T>(
  call: EthCall,
  read: (returned: Hex) => T | undefined,
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
/** One text record of a megabyte is let through, to be cut later; what is larger is asked for again without it. */
const MAX_BYTES = 4 * 1_024 * 1_024;
const COOLDOWN_MS = 30_000;
const LONGEST_COOLDOWN_MS = 10 * 60_000;
/** Execution failed: geth's code for a revert, and the codes for all else that goes wrong in there. */
const EXECUTION_CODES = [3, -32_000, -32_015];
const HEX = /^0x(?:[0-9a-f]{2})*$/i;

const TOO_LONG: CallReply<never> = { kind: "reverted", error: { code: 0, message: "too long" } };

interface Node {
  url: string;
  coolUntil: number;
}

/** Why a node's reply is of no use, and for how long it is left alone for it. */
interface Fault {
  kind: "fault";
  why: string;
  coolMs: number;
}

type Read<T> = (returned: Hex) => T | undefined;

/** Creates the nodes at `urls`, the favourite first. */
export function createNodes(
  { post, urls, report, now }: {
    post: GuardedPost;
    urls: readonly string[];
    report: Report;
    now: () => number;
  },
): Nodes {
  const nodes: Node[] = urls.map((url) => ({ url, coolUntil: 0 }));
  let failing: boolean | undefined;

  /** Those that are not left alone; else the one that will be the soonest: no call is given up unasked. */
  function inTurn(): Node[] {
    const ready = nodes.filter(({ coolUntil }) => coolUntil <= now());
    if (ready.length > 0) return ready;
    return nodes.toSorted((a, b) => a.coolUntil - b.coolUntil).slice(0, 1);
  }

  async function ask<T>(
    node: Node,
    call: EthCall,
    read: Read<T>,
    outrun: AbortSignal,
  ): Promise<CallReply<T>> {
    const askedAt = now();
    const reply = await post(node.url, {
      json: toJsonRpc(call),
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
      signal: outrun,
    });
    const answer = readAnswer(reply, call, read, now());
    if (answer.kind !== "fault") return answer;
    // Foreign code may be heavy, and a node that was asked later and yet was quicker says nothing of this one.
    const isSlow = !call.runsForeignCode && outrun.aborted && now() - askedAt >= HEDGE_MS;
    if (isSlow) cool(node, fault("slower than another"));
    else if (!isExcused(reply, call)) cool(node, answer);
    return { kind: "failed", why: answer.why };
  }

  function cool(node: Node, { why, coolMs }: Fault): void {
    node.coolUntil = now() + coolMs;
    // Only the host: the path of a node's URL is often a key.
    report("rpc.cooldown", { host: new URL(node.url).host, why, ms: coolMs });
  }

  async function call<T>(call: EthCall, read: Read<T>): Promise<CallReply<T>> {
    const attempts = inTurn().map((node) => (outrun: AbortSignal) => ask(node, call, read, outrun));
    const reply = await hedged<CallReply<T>>(attempts, {
      afterMs: HEDGE_MS,
      isAnswer: ({ kind }) => kind !== "failed",
    });
    failing = reply.kind === "failed";
    return reply;
  }

  return { call, isFailing: () => failing };
}

function toJsonRpc({ to, data }: EthCall) {
  return { jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ to, data }, "latest"] };
}

/**
 * Whether a fault is nobody's (the service stops, another node was quicker), or that of the contracts that were run: too
 * much work looks like a slow node.
 */
function isExcused(reply: Reply, { runsForeignCode }: EthCall): boolean {
  if (reply.kind !== "failed") return false;
  if (reply.fault === "stopped") return true;
  return runsForeignCode && reply.fault === "timeout";
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
    return fault(reply.fault);
  }
  if (reply.status === 429) {
    const askedMs = readRetryAfterMs(reply.headers.get("retry-after"), now) ?? COOLDOWN_MS;
    return fault("HTTP 429", Math.min(Math.max(askedMs, 1_000), LONGEST_COOLDOWN_MS));
  }
  const { result, error } = readMessage(reply.body);
  if (error !== undefined) {
    const isExecution = runsForeignCode && EXECUTION_CODES.includes(error.code);
    return isExecution ? { kind: "reverted", error } : fault(`JSON-RPC error ${error.code}`);
  }
  if (result === undefined) return fault(`HTTP ${reply.status} without JSON-RPC`);
  const value = read(result);
  return value === undefined ? fault("an answer that cannot be") : { kind: "read", value };
}

function readMessage(body: string): { result?: Hex; error?: RpcError } {
  try {
    const { result, error } = JSON.parse(body);
    if (isHex(result)) return { result };
    if (typeof error?.code !== "number") return {};
    const data = isHex(error.data) ? error.data : undefined;
    return { error: { code: error.code, message: `${error.message}`, ...(data && { data }) } };
  } catch {
    return {};
  }
}

function isHex(value: unknown): value is Hex {
  return typeof value === "string" && HEX.test(value);
}

function fault(why: string, coolMs = COOLDOWN_MS): Fault {
  return { kind: "fault", why, coolMs };
}
