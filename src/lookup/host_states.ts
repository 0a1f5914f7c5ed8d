/** The state of registries' hosts: the result of the last request, and cooldowns. */
import type { RdapAnswer } from "../rules/answer.ts";

/** A host in a cooldown, or whose last request failed. */
export interface HostTrouble {
  host: string;
  state: "cooling" | "failing";
  /** How much of the cooldown is left, in ms; 0 without a cooldown. */
  leftMs: number;
}

/** The states of all hosts. */
export interface HostStates {
  noteAnswer(host: string, answer: RdapAnswer): void;
  /** A cooldown of so many ms begins, set by this process or another one. */
  notePause(host: string, ms: number): void;
  /** The hosts in a cooldown, and those that fail. */
  troubled(): HostTrouble[];
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
      // A request that was not sent is no evidence of the host's state.
      if (answer.kind === "failed" && answer.fault === "unasked") return;
      stateOf(host).isFailing = answer.kind === "failed";
    },
    notePause(host, ms) {
      const state = stateOf(host);
      state.coolUntil = Math.max(state.coolUntil, monotonic() + ms);
    },
    troubled: () =>
      [...hosts].flatMap(([host, { isFailing, coolUntil }]): HostTrouble[] => {
        const leftMs = Math.max(0, coolUntil - monotonic());
        if (leftMs > 0) return [{ host, state: "cooling", leftMs }];
        return isFailing ? [{ host, state: "failing", leftMs }] : [];
      }),
  };
}
