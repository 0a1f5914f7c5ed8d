/** Asking a registry politely: at its host's pace, and not at all while the host cools down. */
import type { Gate, WaitOptions } from "../flow/gate.ts";
import type { Report } from "../flow/report.ts";
import type { RdapAnswer } from "../rules/answer.ts";
import { afterAnswer, HEALTHY, type HostHealth } from "../rules/cooldown.ts";

/** Asks the RDAP server at `base` for `domain`. */
export type AskRegistry = (base: string, domain: string, wait?: WaitOptions) => Promise<RdapAnswer>;

/** The polite question, and what it has learnt of the hosts. */
export interface Registries {
  ask: AskRegistry;
  /** How long a host is left alone from now on, in ms; 0 where it may be asked. */
  pauseMs(host: string): Promise<number>;
  /** Hosts that are left alone at this moment. */
  coolingHosts(): string[];
  /** Whether the last question came to nothing; undefined before the first. */
  isFailing(): boolean | undefined;
}

/**
 * Wraps the bare question with the gate and with cooldowns that all processes share. A pause of this process is timed by
 * `monotonic` (ms), which no change of the wall clock lengthens; `now` (ms since 1970) only dates what is reported.
 */
export function createRegistries(
  { question, gate, cooldowns, report, monotonic, now }: {
    question: (base: string, domain: string) => Promise<RdapAnswer>;
    gate: Gate;
    cooldowns: {
      /** How long any process has the host left alone, in ms; 0 where none does. */
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
    // The host may have asked this process for a pause meanwhile.
    return Math.max(sharedMs, ownPauseMs(host));
  }

  async function learn(host: string, answer: RdapAnswer): Promise<void> {
    failing = answer.kind === "failed";
    const before = healthOf(host);
    const time = monotonic();
    const health = afterAnswer(before, answer, time);
    hosts.set(host, health);
    if (health.coolUntil <= Math.max(before.coolUntil, time)) return;
    const pauseMs = health.coolUntil - time;
    report("rdap.cooldown", { host, until: new Date(now() + pauseMs).toISOString() });
    gate.clear(host);
    await cooldowns.set(host, pauseMs);
  }

  async function ask(base: string, domain: string, wait?: WaitOptions): Promise<RdapAnswer> {
    const { host } = new URL(base);
    const leftMs = await pauseMs(host);
    if (leftMs > 0) return cooling(host, leftMs);
    const passage = await gate.run(host, async () => {
      // The host may have asked this process or another one for a pause while the question waited.
      const leftMs = await pauseMs(host);
      if (leftMs > 0) return cooling(host, leftMs);
      const answer = await question(base, domain);
      await learn(host, answer);
      return answer;
    }, wait);
    if (passage.kind === "ran") return passage.value;
    const ownMs = ownPauseMs(host);
    return ownMs > 0 ? cooling(host, ownMs) : busy(host);
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
  return unasked(`${host} is left alone for a while; try again in ${seconds} s`);
}

function busy(host: string): RdapAnswer {
  return unasked(`Too many look-ups are waiting for ${host}; try again in a few seconds`);
}

function unasked(why: string): RdapAnswer {
  return { kind: "failed", fault: "unasked", why };
}
