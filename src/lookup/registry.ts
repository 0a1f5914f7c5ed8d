/** Asking a registry politely: at its host's pace, and not at all while the host cools down. */
import type { Gate, Turn } from "../flow/gate.ts";
import type { Report } from "../flow/report.ts";
import type { RdapAnswer } from "../rules/answer.ts";
import { afterAnswer, HEALTHY, type HostHealth } from "../rules/cooldown.ts";

/** Asks the RDAP server at `base` for `domain`. */
export type AskRegistry = (base: string, domain: string, turn?: Turn) => Promise<RdapAnswer>;

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

/** Wraps the bare question with the gate and with cooldowns that all processes share. */
export function createRegistries(
  { question, gate, cooldowns, report, now }: {
    question: (base: string, domain: string) => Promise<RdapAnswer>;
    gate: Gate;
    cooldowns: {
      get(host: string): Promise<number>;
      set(host: string, coolUntil: number): Promise<void>;
    };
    report: Report;
    now: () => number;
  },
): Registries {
  const hosts = new Map<string, HostHealth>();
  let failing: boolean | undefined;
  const healthOf = (host: string) => hosts.get(host) ?? HEALTHY;
  const ownPauseMs = (host: string) => Math.max(0, healthOf(host).coolUntil - now());

  async function coolUntil(host: string): Promise<number> {
    if (ownPauseMs(host) > 0) return healthOf(host).coolUntil;
    const shared = await cooldowns.get(host);
    // The host may have asked us for a pause meanwhile.
    return Math.max(shared, healthOf(host).coolUntil);
  }

  async function learn(host: string, answer: RdapAnswer): Promise<void> {
    failing = answer.kind === "failed";
    const before = healthOf(host);
    const health = afterAnswer(before, answer, now());
    hosts.set(host, health);
    if (health.coolUntil <= Math.max(before.coolUntil, now())) return;
    report("rdap.cooldown", { host, until: new Date(health.coolUntil).toISOString() });
    gate.clear(host);
    await cooldowns.set(host, health.coolUntil);
  }

  async function ask(base: string, domain: string, turn?: Turn): Promise<RdapAnswer> {
    const { host } = new URL(base);
    const until = await coolUntil(host);
    if (until > now()) return cooling(host, until - now());
    const passage = await gate.run(host, async () => {
      // Whoever came to the gate while the host was asking for its pause has not been turned away.
      const pauseMs = ownPauseMs(host);
      if (pauseMs > 0) return cooling(host, pauseMs);
      const answer = await question(base, domain);
      await learn(host, answer);
      return answer;
    }, turn);
    if (passage.kind === "ran") return passage.value;
    const leftMs = ownPauseMs(host);
    return leftMs > 0 ? cooling(host, leftMs) : busy(host);
  }

  return {
    ask,
    pauseMs: async (host) => Math.max(0, await coolUntil(host) - now()),
    coolingHosts: () =>
      [...hosts].filter(([, { coolUntil }]) => coolUntil > now()).map(([host]) => host),
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
