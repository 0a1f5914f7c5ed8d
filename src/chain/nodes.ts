/** Ethereum nodes: JSON-RPC over the guarded POST. A question is hedged over the nodes; the first usable answer counts. */
import { BaseError, type Hex, isHex } from "viem";
import type { Clock } from "../flow/process.ts";
import { hedged } from "../flow/hedged.ts";
import type { Outcome } from "../flow/host_state.ts";
import type { UpstreamHosts } from "../flow/upstream_host.ts";
import type { RecordsProblem } from "../rules/ens.ts";
import { readObject, readRetryAfterMs } from "../rules/readers/http_message.ts";
import type { GuardedPost, Reply } from "../sources/http.ts";

/** Why there is no answer. `why` quotes no server: users and the log see it. viem passes it on as the cause of its errors. */
export class Fault extends BaseError {
  constructor(
    /** Who caused it: a resolver only where the call runs third-party contracts. */
    readonly kind: RecordsProblem["kind"],
    readonly why: string,
    readonly about: {
      /** The data of a revert. */
      data?: Hex | undefined;
      /** Whether another node could answer: a resolver is at fault, or a node that is slow or out of sync. */
      isUnclear?: boolean;
      /** What it says about the node; absent: it is down. */
      outcome?: Outcome;
    } = {},
  ) {
    super(why);
  }

  /** Of a revert; viem reads it under this name. */
  get data(): Hex | undefined {
    return this.about.data;
  }
}

/** The fault among the causes of an error. */
export function faultIn(error: unknown): Fault | undefined {
  const cause = error instanceof BaseError ? error.walk((cause) => cause instanceof Fault) : null;
  return cause instanceof Fault ? cause : undefined;
}

/** Sends a JSON-RPC request to one node; throws a `Fault` without a result. */
export type Request = (call: { method: string; params?: unknown }) => Promise<Hex>;

/** A question in one or more requests; throws a `Fault` for an unusable answer. */
export type Question<T> = (request: Request) => Promise<T>;

/** Whether a question runs third-party contracts, whose failures are not the node's fault. */
export type AskOptions = { runsThirdPartyCode: boolean };

/** The value, or why there is none. */
export type NodesAnswer<T> = { value: T } | { fault: Fault };

/** The nodes. */
export type Nodes = ReturnType<typeof createNodes>;

/** A call takes 50 ms; a node that takes thirty times as long counts as down. */
const DEADLINE_MS = 1_500;
/** After this time, longer than nearly every answer takes, the next node is asked too. */
const HEDGE_MS = 400;
/** Of a reply: twice as large as one whose texts are all shown in full. viem decodes up to 32 times its input. */
export const MAX_BYTES = 128 * 1_024;
const PAUSE_MS = 30_000;
const BREAKER = { faultsToOpen: 1, firstPauseMs: PAUSE_MS, longestPauseMs: PAUSE_MS };
/** Of a Retry-After. */
const LONGEST_PAUSE_MS = 10 * 60_000;
/** Geth's code for "out of gas" and "header not found"; Besu's for a revert, which has data. */
const SERVER_ERROR = -32_000;
/** Codes of calls that failed; 3 is geth's of a revert, -32015 that of Nethermind and Parity. */
const CALL_FAILED = [3, -32_015, SERVER_ERROR];

/** Creates the nodes at `urls`, the preferred one first. */
export function createNodes(
  { post, urls, hosts, now, monotonic, deadlineMs = DEADLINE_MS }: {
    post: GuardedPost;
    urls: readonly string[];
    hosts: Pick<UpstreamHosts, "ofKind">;
    /** For one request to one node, in ms. */
    deadlineMs?: number | undefined;
  } & Clock,
) {
  const nodes = urls.map((url) => {
    // Each URL has its own breaker, as two may be accounts at one provider. Only the host is shown: a path often holds a key.
    const host = hosts.ofKind("rpc", { breaker: BREAKER })(new URL(url).host);
    return { url, host, leftMs: () => host.pause()?.leftMs ?? 0 };
  });
  let failing: boolean | undefined;

  /** The nodes without a pause; if all have one, the node whose pause ends first. */
  function readyNodes() {
    const byPause = nodes.toSorted((a, b) => a.leftMs() - b.leftMs());
    return byPause.filter(({ leftMs }, place) => place === 0 || leftMs() === 0);
  }

  /** Asks one node after another until one answers. */
  async function ask<T>(
    question: Question<T>,
    { runsThirdPartyCode }: AskOptions,
  ): Promise<NodesAnswer<T>> {
    const isResolvers = ({ kind }: Fault) => runsThirdPartyCode && kind === "resolver";
    const attempts = readyNodes().map(({ url, host }) => async (signal: AbortSignal) => {
      const askedAt = monotonic();
      try {
        const value = await question(async (call) => {
          const json = { jsonrpc: "2.0", id: 1, ...call };
          const reply = await post(url, { json, deadlineMs, maxBytes: MAX_BYTES, signal });
          return readReply(reply, now());
        });
        host.note({ kind: "ok" });
        return { value };
      } catch (error) {
        const fault = faultIn(error) ?? new Fault("node", "the node's answer is invalid");
        const { why, about: { outcome = { kind: "down", why } } } = fault;
        // Third-party code may be slow, and a faster node that was asked earlier says nothing about this one.
        const isSlow = !runsThirdPartyCode && signal.aborted && monotonic() - askedAt >= HEDGE_MS;
        if (isSlow) host.note({ kind: "down", why: "slower than another node" });
        else if (!isResolvers(fault)) host.note(outcome);
        return { fault };
      }
    });
    const answer = await hedged<NodesAnswer<T>>(attempts, {
      afterMs: HEDGE_MS,
      isAnswer: (answer) =>
        "value" in answer || (isResolvers(answer.fault) && !answer.fault.about.isUnclear),
    });
    if ("value" in answer || !isResolvers(answer.fault)) failing = "fault" in answer;
    return answer;
  }

  return {
    ask,
    /** Whether the last question failed; undefined before the first. */
    isFailing: () => failing,
  };
}

/** The result in a node's reply; throws a `Fault` without one. */
function readReply(reply: Reply, now: number): Hex {
  if (reply.kind === "failed") {
    const { fault } = reply;
    if (fault === "stopped") throw new Fault("node", fault, { outcome: { kind: "unasked" } });
    const kind = fault === "oversized" || fault === "timeout" ? "resolver" : "node";
    throw new Fault(kind, fault, { isUnclear: fault === "timeout" });
  }
  if (reply.status === 429) {
    const askedMs = readRetryAfterMs(reply.headers.get("retry-after"), now) ?? PAUSE_MS;
    const pauseMs = Math.min(Math.max(askedMs, 1_000), LONGEST_PAUSE_MS);
    const why = "HTTP 429";
    throw new Fault("node", why, { outcome: { kind: "limited", why, pauseMs } });
  }
  const { result, error } = readObject(reply.body) ?? {};
  if (isHex(result)) return result;
  const { code, data } = Object(error);
  if (typeof code !== "number") throw new Fault("node", `HTTP ${reply.status} without JSON-RPC`);
  const kind = CALL_FAILED.includes(code) ? "resolver" : "node";
  const about = isHex(data) ? { data } : { isUnclear: code === SERVER_ERROR };
  throw new Fault(kind, `JSON-RPC error ${code}`, about);
}
