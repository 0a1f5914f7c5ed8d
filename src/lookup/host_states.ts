/** The last answers of registries' hosts, and their cooldowns. */
import type { RdapAnswer } from "../rules/answer.ts";

/** A host that is in a cooldown or whose last answer failed. */
export interface HostProblem {
  host: string;
  state: "cooling" | "failing";
  /** The remaining cooldown in ms; 0 without one. */
  leftMs: number;
}

/** The states of hosts. */
export interface HostStates {
  noteAnswer(host: string, answer: RdapAnswer): void;
  /** Records a cooldown of `ms` from now on, of any process. */
  notePause(host: string, ms: number): void;
  /** The hosts in a cooldown, and those whose last answer failed. */
  problems(): HostProblem[];
}

/** Creates the states; `monotonic` is a clock in ms that is never set back. */
export function createHostStates({ monotonic }: { monotonic: () => number }): HostStates {
  const hosts = new Map<string, { isFailing: boolean; coolUntil: number }>();

  function stateOf(host: string) {
    const state = hosts.get(host) ?? { isFailing: false, coolUntil: -Infinity };
    hosts.set(host, state);
    return state;
  }

  return {
    noteAnswer(host, answer) {
      // A question that was not sent says nothing about the host.
      if (answer.kind === "failed" && answer.fault === "unasked") return;
      stateOf(host).isFailing = answer.kind === "failed";
    },
    notePause(host, ms) {
      const state = stateOf(host);
      state.coolUntil = Math.max(state.coolUntil, monotonic() + ms);
    },
    problems: () =>
      [...hosts].flatMap(([host, { isFailing, coolUntil }]): HostProblem[] => {
        const leftMs = Math.max(0, coolUntil - monotonic());
        if (leftMs > 0) return [{ host, state: "cooling", leftMs }];
        return isFailing ? [{ host, state: "failing", leftMs }] : [];
      }),
  };
}
