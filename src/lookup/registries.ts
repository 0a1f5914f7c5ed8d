/** Sends questions to registries, each through its host. */
import { FAULT_WORDS, type Outcome } from "../flow/host_state.ts";
import type { Pace, UpstreamHosts, WaitOptions } from "../flow/upstream_host.ts";
import type { RdapAnswer } from "../rules/answer.ts";
import { rdapTestReply } from "../rules/tested_server.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import type { ServerKind } from "./server_tests.ts";

/** Asks the RDAP server at `base` for `domain`. */
export type AskRegistry = (base: string, domain: string, wait?: WaitOptions) => Promise<RdapAnswer>;

/** One `down` may be the network's. */
const BREAKER = { faultsToOpen: 5, firstPauseMs: 30_000, longestPauseMs: 5 * 60_000 };

/** Pauses up to this length are waited out: an answer after 2 s is worth more to a person than `unknown`. */
const SHORT_PAUSE_MS = 2_000;

/** Wraps the bare question with the hosts. */
export function createRegistries(
  { question, paceOf, hosts }: {
    question: (base: string, domain: string) => Promise<RdapAnswer>;
    paceOf: (host: string) => Pace;
    hosts: Pick<UpstreamHosts, "ofKind">;
  },
) {
  const hostOf = hosts.ofKind("rdap", {
    paceOf,
    breaker: BREAKER,
    waitedPauseMs: SHORT_PAUSE_MS,
    isShared: true,
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
        const isPaused = answer.kind === "failed" && host.pause() !== undefined;
        return isPaused ? { ...answer, retryAfterMs: host.retryMs(wait) } : answer;
      }
      case "paused":
        return unasked(`${name} ${FAULT_WORDS[asked.pause.fault]}`, asked.pause.leftMs);
      case "rejected":
        return unasked(asked.why, host.retryMs(wait));
      default:
        return asked satisfies never;
    }
  }

  return {
    ask,
    hostOf,
    /** Whether the last question failed; undefined before the first. */
    isFailing: () => failing,
  };
}

/** The answer of a registry that is not asked now. */
export function unasked(why: string, retryAfterMs: number) {
  return { kind: "failed", fault: "unasked", why, retryAfterMs } as const;
}

/** How RDAP servers are asked the questions of their tests: under the TLD itself, since registries answer differently. */
export function rdapKind(ask: AskRegistry): ServerKind<TldRow> {
  return {
    kind: "rdap",
    hostOf: ({ rdapBase }) => rdapBase,
    async ask({ tld, rdapBase }, label, { priority }) {
      const asked = { label, domain: `${label}.${tld}` };
      return rdapTestReply(await ask(rdapBase, asked.domain, { priority }), asked);
    },
  };
}
