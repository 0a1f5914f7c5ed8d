/** Sends questions to registries at their host's pace, and none during a host's cooldown. */
import type { Gate, WaitOptions } from "../flow/gate.ts";
import type { Report } from "../flow/report.ts";
import type { RdapAnswer } from "../rules/answer.ts";
import { afterAnswer, HEALTHY, type HostHealth } from "../rules/cooldown.ts";

/** Asks the RDAP server at `base` for `domain`. */
export type AskRegistry = (base: string, domain: string, wait?: WaitOptions) => Promise<RdapAnswer>;

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
    const passed = await gate.run(host, async () => {
      // The gate does not reject a question that entered its queue while a response started the cooldown.
      const ownMs = ownPauseMs(host);
      if (ownMs > 0) return cooling(host, ownMs);
      const answer = await question(base, domain);
      await learn(host, answer);
      return answer;
    }, wait);
    if (passed.kind === "ran") return passed.value;
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
  return unasked(`${host} is rate-limiting us; retry in ${seconds} s`);
}

function busy(host: string): RdapAnswer {
  return unasked(`Too many look-ups are queued for ${host}; try again in a few seconds`);
}

function unasked(why: string): RdapAnswer {
  return { kind: "failed", fault: "unasked", why };
}
