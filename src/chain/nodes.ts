/** Ethereum nodes: JSON-RPC over the guarded POST. A question is hedged over the nodes; the first usable answer counts. */
import { BaseError, type Hex, isHex } from "viem";
import type { Clock } from "../flow/process.ts";
import { hedged } from "../flow/hedged.ts";
import type { Outcome } from "../flow/host_state.ts";
import type { HostOptions, UpstreamHosts, WaitOptions } from "../flow/upstream_host.ts";
import type { RecordsProblem } from "../rules/ens.ts";
import { readObject, readRetryAfterMs } from "../rules/readers/http_message.ts";
import type { GuardedPost, Reply } from "../sources/http.ts";

/** Why there is no answer. `why` quotes no server: users and the log see it. viem passes it on as the cause of its errors. */
export class Fault extends BaseError {
  constructor(
    /** Who caused it: a resolver may have, if the call runs third-party contracts. */
    readonly kind: RecordsProblem["kind"],
    readonly why: string,
    /** The data of a revert; viem reads it under this name. */
    readonly data?: Hex,
    /** What it says about the node. */
    readonly outcome: Outcome = { kind: "down", why },
  ) {
    super(why);
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

/** The value, or why there is none. `partial`: the value of the question without the third-party code that failed. */
export type NodesAnswer<T, W = never> =
  | { kind: "value"; value: T }
  | { kind: "partial"; value: W; fault: Fault }
  | { kind: "failed"; fault: Fault };

/** The nodes. */
export type Nodes = ReturnType<typeof createNodes>;

/** A call takes 50 ms; a node that takes thirty times as long counts as down. */
const DEADLINE_MS = 1_500;
/** After this time, longer than nearly every answer takes, the next node is asked too. */
const HEDGE_MS = 400;
/** Of a reply: twice as large as one whose texts are all shown in full. viem decodes up to 32 times its input. */
export const MAX_BYTES = 128 * 1_024;
const PAUSE_MS = 30_000;
/** At 50 ms a call, three hundred a second. */
const PACE = { concurrency: 16, burst: 16, everyMs: 0 };
const NODE: HostOptions = {
  breaker: { faultsToOpen: 1, firstPauseMs: PAUSE_MS, longestPauseMs: PAUSE_MS },
  paceOf: () => PACE,
  isAskedInPause: true,
};
/** Of a Retry-After. */
const LONGEST_PAUSE_MS = 10 * 60_000;
/**
 * Codes of calls that failed. 3 is geth's of a revert, -32015 that of Nethermind and Parity, and -32000 geth's for "out of
 * gas" and "header not found" and Besu's for a revert.
 */
const CALL_FAILED = [3, -32_015, -32_000];

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
    const host = hosts.ofKind("rpc", NODE)(new URL(url).host);
    return { url, host, leftMs: () => host.pause()?.leftMs ?? 0 };
  });
  let failing: boolean | undefined;

  /**
   * Asks one node after another until one answers, and those in a pause only if no other did. `without`: the question without
   * its third-party code, for a node that does not answer the whole; `wait`: in whose turn.
   */
  async function ask<T, W = never>(
    question: Question<T>,
    without?: Question<W>,
    wait: WaitOptions = {},
  ): Promise<NodesAnswer<T, W>> {
    type Answer = NodesAnswer<T, W>;
    async function askAmong(some: typeof nodes): Promise<Answer> {
      let partial: Answer | undefined;
      let answeredBy = -1;
      const attempts = some.map(({ url, host }, place) => async (signal: AbortSignal) => {
        let askedAt = Infinity;
        function outcomeOf(answer: Answer): Outcome {
          const isSlow = signal.aborted && answeredBy > place && monotonic() - askedAt >= HEDGE_MS;
          if (isSlow) return { kind: "down", why: "slower than another node" };
          return answer.kind === "failed" ? answer.fault.outcome : { kind: "ok" };
        }
        const request: Request = async (call) => {
          const json = { jsonrpc: "2.0", id: 1, ...call };
          const reply = await post(url, { json, deadlineMs, maxBytes: MAX_BYTES, signal });
          return readReply(reply, now());
        };
        const asked = await host.ask(async () => {
          askedAt = monotonic();
          const answer = await askOne(question, without, request);
          if (answer.kind === "value") answeredBy = place;
          if (answer.kind === "partial") partial ??= answer;
          return answer;
        }, {
          outcomeOf,
          wait: { ...wait, signal: AbortSignal.any([signal, wait.signal ?? signal]) },
        });
        return asked.kind === "answered" ? asked.answer : notAsked();
      });
      const isAnswer = ({ kind }: Answer) => kind === "value";
      const last = await hedged(attempts, { afterMs: HEDGE_MS, isAnswer });
      return isAnswer(last) ? last : partial ?? last;
    }

    const groupOf = ({ leftMs }: typeof nodes[number]) => leftMs() > 0 ? "paused" : "ready";
    const { ready, paused } = Object.groupBy(nodes, groupOf);
    paused?.sort((a, b) => a.leftMs() - b.leftMs());
    let answer = await askAmong(ready ?? paused!);
    if (answer.kind === "failed" && ready && paused) answer = await askAmong(paused);
    failing = answer.kind === "failed";
    return answer;
  }

  return {
    ask,
    /** Whether the last question failed; undefined before the first. */
    isFailing: () => failing,
  };
}

/** Other questions wait for the node, or the service ends. */
function notAsked() {
  const fault = new Fault("node", "too many look-ups are queued", undefined, { kind: "unasked" });
  return { kind: "failed", fault } as const;
}

/**
 * The answer of one node. Third-party code may burn all gas or return megabytes, and a faulty node's reply looks the same: it
 * is the code's fault only where the node answers without it.
 */
async function askOne<T, W>(
  question: Question<T>,
  without: Question<W> | undefined,
  request: Request,
): Promise<NodesAnswer<T, W>> {
  try {
    return { kind: "value", value: await question(request) };
  } catch (error) {
    const fault = faultIn(error) ?? new Fault("node", "the node's answer is invalid");
    if (fault.kind !== "resolver" || without === undefined) return { kind: "failed", fault };
    const answer = await askOne<W, never>(without, undefined, request);
    return answer.kind === "value" ? { kind: "partial", value: answer.value, fault } : answer;
  }
}

/** The result in a node's reply; throws a `Fault` without one. */
function readReply(reply: Reply, now: number): Hex {
  if (reply.kind === "failed") {
    const { fault } = reply;
    if (fault === "stopped") throw new Fault("node", fault, undefined, { kind: "unasked" });
    throw new Fault(fault === "oversized" || fault === "timeout" ? "resolver" : "node", fault);
  }
  if (reply.status === 429) {
    const askedMs = readRetryAfterMs(reply.headers.get("retry-after"), now) ?? PAUSE_MS;
    const pauseMs = Math.min(Math.max(askedMs, 1_000), LONGEST_PAUSE_MS);
    const why = "HTTP 429";
    throw new Fault("node", why, undefined, { kind: "limited", why, pauseMs });
  }
  const { result, error } = readObject(reply.body) ?? {};
  // Some nodes send `error: null` beside a result.
  if (isHex(result) && (error ?? null) === null) return result;
  const { code, data } = Object(error);
  if (typeof code !== "number") throw new Fault("node", `HTTP ${reply.status} without JSON-RPC`);
  const kind = CALL_FAILED.includes(code) ? "resolver" : "node";
  throw new Fault(kind, `JSON-RPC error ${code}`, isHex(data) ? data : undefined);
}
