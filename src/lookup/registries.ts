/** Sends questions to registries at their host's pace, and none during a host's cooldown. */
import type { Gate, WaitOptions } from "../flow/queue/gate.ts";
import {
  FAULT_WORDS,
  type Outcome,
  type SharedPauses,
  type UpstreamHosts,
} from "../flow/upstream_host.ts";
import type { RdapAnswer } from "../rules/answer.ts";

/** Asks the RDAP server at `base` for `domain`. */
export type AskRegistry = (base: string, domain: string, wait?: WaitOptions) => Promise<RdapAnswer>;

/** Pauses up to this length are waited out: an answer after 2 s is worth more to a person than `unknown`. */
const SHORT_PAUSE_MS = 2_000;

/** One `down` may be the network's. */
const BREAKER = { faultsToOpen: 5, firstPauseMs: 30_000, longestPauseMs: 5 * 60_000 };

/** The paced question, and the states of the hosts. */
export interface Registries {
  ask: AskRegistry;
  /** The remaining cooldown of a host in ms; 0 without one. */
  pauseMs(host: string): Promise<number>;
  /** Whether the last question failed; undefined before the first. */
  isFailing(): boolean | undefined;
}

/** Wraps the bare question with the gate and with cooldowns that all processes share. */
export function createRegistries(
  { question, gate, cooldowns, hosts }: {
    question: (base: string, domain: string) => Promise<RdapAnswer>;
    gate: Gate;
    cooldowns: SharedPauses;
    hosts: Pick<UpstreamHosts, "ofKind">;
  },
): Registries {
  const hostOf = hosts.ofKind("rdap", {
    gate,
    breaker: BREAKER,
    waitedPauseMs: SHORT_PAUSE_MS,
    shared: cooldowns,
  });
  let failing: boolean | undefined;

  function outcomeOf(answer: RdapAnswer): Outcome {
    failing = answer.kind === "failed";
    if (answer.kind !== "failed") return { kind: "ok" };
    const { fault: kind, why, retryAfterMs } = answer;
    if (kind === "unasked") return { kind };
    if (kind === "unclear") return { kind, why };
    // Of a 429, or of a server that says when it is back: 503 with Retry-After.
    return { kind, why, pauseMs: retryAfterMs };
  }

  async function ask(base: string, domain: string, wait: WaitOptions = {}): Promise<RdapAnswer> {
    const { host: name } = new URL(base);
    const host = hostOf(name);
    const asked = await host.ask(() => question(base, domain), { outcomeOf, wait });
    switch (asked.kind) {
      case "answered": {
        const { answer } = asked;
        const leftMs = host.pause()?.leftMs;
        const isPaused = answer.kind === "failed" && leftMs !== undefined;
        return isPaused ? { ...answer, retryAfterMs: gate.retryMs(name, wait, leftMs) } : answer;
      }
      case "paused": {
        const { fault, leftMs } = asked.pause;
        return unasked(`${name} ${FAULT_WORDS[fault]}`, gate.retryMs(name, wait, leftMs));
      }
      case "rejected": {
        // Whose clients have left must not delay what the same client asks next.
        const ms = wait.signal?.aborted ? 0 : gate.retryMs(name, wait);
        return unasked(`Too many look-ups are queued for ${name}`, ms);
      }
      default:
        return asked satisfies never;
    }
  }

  return {
    ask,
    pauseMs: async (host) => (await hostOf(host).sharedPause())?.leftMs ?? 0,
    isFailing: () => failing,
  };
}

function unasked(why: string, retryAfterMs: number): RdapAnswer {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return { kind: "failed", fault: "unasked", why: `${why}; retry in ${seconds} s`, retryAfterMs };
}
