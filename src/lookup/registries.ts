/** Sends questions to registries at their host's pace, and none during a host's cooldown. */
import type { Gate, WaitOptions } from "../flow/gate.ts";
import { pause } from "../flow/pause.ts";
import type { Report } from "../flow/report.ts";
import type { RdapAnswer } from "../rules/answer.ts";
import { afterAnswer, HEALTHY, type HostHealth } from "../rules/cooldown.ts";

/** Asks the RDAP server at `base` for `domain`. */
export type AskRegistry = (base: string, domain: string, wait?: WaitOptions) => Promise<RdapAnswer>;

/** Pauses up to this length are waited out: an answer after 2 s is worth more to a person than `unknown`. */
const SHORT_PAUSE_MS = 2_000;

/** The paced question, and the states of the hosts. */
export interface Registries {
  ask: AskRegistry;
  /** The remaining cooldown of a host in ms; 0 without one. */
  pauseMs(host: string): Promise<number>;
  /** Hosts that are in a cooldown of this process. */
  coolingHosts(): string[];
  /** Whether the last question failed; undefined before the first. */
  isFailing(): boolean | undefined;
}

/**
 * Wraps the bare question with the gate and with cooldowns that all processes share. `monotonic` (ms) times the cooldowns
 * of this process, so that setting the wall clock does not lengthen them; `now` (ms since 1970) only dates log entries.
 */
export function createRegistries(
  { question, gate, cooldowns, report, monotonic, now }: {
    question: (base: string, domain: string) => Promise<RdapAnswer>;
    gate: Gate;
    cooldowns: {
      /** The remaining cooldown of the host in any process, in ms; 0 without one. */
      leftMs(host: string): Promise<number>;
      set(host: string, pauseMs: number): Promise<void>;
    };
    report: Report;
    monotonic: () => number;
    now: () => number;
  },
): Registries {
  const hosts = new Map<string, HostHealth>();
  let failing: boolean | undefined;
  const healthOf = (host: string) => hosts.get(host) ?? HEALTHY;
  const ownPauseMs = (host: string) => Math.max(0, healthOf(host).coolUntil - monotonic());

  async function pauseMs(host: string): Promise<number> {
    const ownMs = ownPauseMs(host);
    if (ownMs > 0) return ownMs;
    const sharedMs = await cooldowns.leftMs(host);
    // A response with Retry-After may have arrived meanwhile.
    return Math.max(sharedMs, ownPauseMs(host));
  }

  async function learn(host: string, answer: RdapAnswer): Promise<void> {
    failing = answer.kind === "failed";
    if (answer.kind !== "failed") gate.note(host, "clean");
    else if (answer.fault === "limited") gate.note(host, "limited");
    const before = healthOf(host);
    const time = monotonic();
    const health = afterAnswer(before, answer, time);
    hosts.set(host, health);
    if (health.coolUntil <= Math.max(before.coolUntil, time)) return;
    const pauseMs = health.coolUntil - time;
    report("rdap.cooldown", { host, until: new Date(now() + pauseMs).toISOString() });
    if (pauseMs <= SHORT_PAUSE_MS) return;
    gate.clear(host);
    await cooldowns.set(host, pauseMs);
  }

  /** Asks after the host's short pause if there is one, and once more if the answer asks for a short pause. */
  async function askInTurn(
    { base, host, domain }: { base: string; host: string; domain: string },
    signal: AbortSignal | undefined,
  ): Promise<RdapAnswer> {
    for (let isRepeated = false;; isRepeated = true) {
      // The host may have asked this process or another one for a pause while the question waited.
      const leftMs = await pauseMs(host);
      if (leftMs > SHORT_PAUSE_MS) return cooling(host, leftMs);
      if (leftMs > 0) await pause(leftMs, signal ?? new AbortController().signal);
      if (signal?.aborted) return busy(host, 0);
      const answer = await question(base, domain);
      await learn(host, answer);
      // Of a 429, or of a server that says when it is back: 503 with Retry-After.
      const asksForPause = answer.kind === "failed" && (answer.retryAfterMs ?? 0) > 0;
      const isShort = asksForPause && ownPauseMs(host) <= SHORT_PAUSE_MS;
      if (isShort && !isRepeated) continue;
      const pausedMs = ownPauseMs(host);
      const isPaused = answer.kind === "failed" && pausedMs > 0;
      return isPaused ? { ...answer, retryAfterMs: pausedMs } : answer;
    }
  }

  async function ask(base: string, domain: string, wait?: WaitOptions): Promise<RdapAnswer> {
    const { host } = new URL(base);
    const leftMs = await pauseMs(host);
    if (leftMs > SHORT_PAUSE_MS) return cooling(host, leftMs);
    const result = await gate.run(
      host,
      () => askInTurn({ base, host, domain }, wait?.signal),
      wait,
    );
    if (result.kind === "ran") return result.value;
    const ownMs = ownPauseMs(host);
    return ownMs > SHORT_PAUSE_MS ? cooling(host, ownMs) : busy(host, result.retryAfterMs);
  }

  return {
    ask,
    pauseMs,
    coolingHosts: () => [...hosts.keys()].filter((host) => ownPauseMs(host) > 0),
    isFailing: () => failing,
  };
}

function cooling(host: string, leftMs: number): RdapAnswer {
  const seconds = Math.ceil(leftMs / 1_000);
  return unasked(`${host} is rate-limiting us; retry in ${seconds} s`, leftMs);
}

function busy(host: string, retryAfterMs: number): RdapAnswer {
  return unasked(
    `Too many look-ups are queued for ${host}; try again in a few seconds`,
    retryAfterMs,
  );
}

function unasked(why: string, retryAfterMs: number): RdapAnswer {
  return { kind: "failed", fault: "unasked", why, retryAfterMs };
}
