/** How registries' hosts fared when they were last asked, and which of them are left alone. */
import type { RdapAnswer } from "../rules/answer.ts";

/** A host that cools down, or whose last answer was of no use. */
export interface HostProblem {
  host: string;
  state: "cooling" | "failing";
  /** For how much longer it is left alone, in ms; 0 where it is asked. */
  leftMs: number;
}

/** What is seen of hosts from outside. */
export interface HostStates {
  noteAnswer(host: string, answer: RdapAnswer): void;
  /** The host is left alone for so many ms from now on, by whichever process. */
  notePause(host: string, ms: number): void;
  /** The hosts with which all is not well. */
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
      // A question that was not asked says nothing of the host.
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
