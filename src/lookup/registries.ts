/** Sends questions to the RDAP and WHOIS servers of registries, each through its host. */
import type { Outcome } from "../flow/host_state.ts";
import type { UpstreamHost, UpstreamHosts, WaitOptions } from "../flow/upstream_host.ts";
import type { RdapAnswer, WhoisFailure, WhoisText } from "../rules/answer.ts";
import { rdapTestReply } from "../rules/tested_server.ts";
import { hostPolicy, whoisPace, type WhoisServer } from "../rules/tables/hosts.ts";
import { tldOf, type TldRow } from "../rules/tables/tlds.ts";
import type { ServerKind } from "./server_tests.ts";

/** Asks the RDAP server at `base` for `domain`. */
export type AskRegistry = (base: string, domain: string, wait?: WaitOptions) => Promise<RdapAnswer>;

/** One `down` may be the network's. */
const RDAP_BREAKER = { faultsToOpen: 5, firstPauseMs: 30_000, longestPauseMs: 5 * 60_000 };

/** Pauses up to this length are waited out: an answer after 2 s is worth more to a person than `unknown`. */
const SHORT_PAUSE_MS = 2_000;

/** Wraps the bare question with the hosts. */
export function createRegistries(
  { question, hosts, isEnabled }: {
    question: (base: string, domain: string) => Promise<RdapAnswer>;
    hosts: Pick<UpstreamHosts, "ofKind">;
    /** Strangers choose the other TLDs, of which some have always a registry that fails. */
    isEnabled: (tld: string) => boolean;
  },
) {
  const hostOf = hosts.ofKind("rdap", {
    paceOf: hostPolicy,
    breaker: RDAP_BREAKER,
    waitedPauseMs: SHORT_PAUSE_MS,
    isShared: true,
  });
  let failing: boolean | undefined;

  function outcomeOf(answer: RdapAnswer): Outcome {
    if (answer.kind !== "failed") return { kind: "ok" };
    const { fault: kind, why, retryAfterMs } = answer;
    // Of a 429, or of a server that says when it is back: 503 with Retry-After.
    return kind === "unasked" ? { kind } : { kind, why, pauseMs: retryAfterMs };
  }

  async function ask(base: string, domain: string, wait: WaitOptions = {}): Promise<RdapAnswer> {
    const { host: name } = new URL(base);
    const host = hostOf(name);
    const asked = await host.ask(() => question(base, domain), { outcomeOf, wait });
    if (asked.kind === "unasked") return unasked(asked.why, asked.retryAfterMs);
    const { answer } = asked;
    if (isEnabled(tldOf(domain))) failing = answer.kind === "failed";
    const isPaused = answer.kind === "failed" && host.pause() !== undefined;
    return isPaused ? { ...answer, retryAfterMs: host.retryMs(wait) } : answer;
  }

  return {
    ask,
    hostOf,
    /** Whether the last question about a name under an enabled TLD failed; undefined before the first. */
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
    async ask({ tld, rdapBase }, label, { wait }) {
      const asked = { label, domain: `${label}.${tld}` };
      return rdapTestReply(await ask(rdapBase, asked.domain, wait), asked);
    },
  };
}

/** Queries to WHOIS servers. */
export type WhoisQueries = ReturnType<typeof createWhoisQueries>;

/** After a refusal or two unanswered queries. Most limits count a minute; a server that bars addresses gets longer pauses. */
const WHOIS_BREAKER = { faultsToOpen: 2, firstPauseMs: 60_000, longestPauseMs: 10 * 60_000 };

/** Creates the queries. */
export function createWhoisQueries(
  { query, registryHostOf, hosts }: {
    query: (server: WhoisServer, domain: string) => Promise<WhoisText>;
    /** The RDAP hosts, whose limits count the queries of some WHOIS servers, too. */
    registryHostOf: (host: string) => UpstreamHost;
    hosts: Pick<UpstreamHosts, "ofKind">;
  },
) {
  const hostOf = hosts.ofKind("whois", {
    paceOf: whoisPace,
    breaker: WHOIS_BREAKER,
    isShared: true,
  });

  return {
    /** Asks about a domain; undefined if the query is not sent. */
    async ask(
      server: WhoisServer,
      domain: string,
      wait?: WaitOptions,
    ): Promise<WhoisText | undefined> {
      const { host, sharesBudgetOf } = server;
      const send = () =>
        hostOf(host).ask(() => query(server, domain), { outcomeOf: () => NOT_READ, wait });
      const registry = sharesBudgetOf === undefined ? undefined : registryHostOf(sharesBudgetOf);
      // Where RDAP is down, nothing of the budget is used up.
      if (registry === undefined || (await registry.sharedPause())?.fault === "down") {
        const asked = await send();
        return asked.kind === "answered" ? asked.answer : undefined;
      }
      // RDAP's questions go first: they decide, WHOIS confirms.
      const asked = await registry.ask(send, {
        outcomeOf: () => NOT_READ,
        wait: { ...wait, priority: "background", clients: undefined },
      });
      const sent = asked.kind === "answered" ? asked.answer : asked;
      return sent.kind === "answered" ? sent.answer : undefined;
    },
    /** Records how the server answered: its failure, or that it has none. */
    note(server: WhoisServer, failure: WhoisFailure | undefined): void {
      const { host, sharesBudgetOf } = server;
      // An answer that no rule reads is an answer: the server is up.
      if (failure === undefined || failure.fault === "unclear") {
        return void hostOf(host).note({ kind: "ok" });
      }
      const { fault: kind, why } = failure;
      if (kind === "limited" && sharesBudgetOf !== undefined) registryHostOf(sharesBudgetOf).slow();
      void hostOf(host).note({ kind, why });
    },
    /** After how long it makes sense to ask again, in ms. */
    async retryMs({ host }: WhoisServer, wait: WaitOptions): Promise<number> {
      await hostOf(host).sharedPause();
      return hostOf(host).retryMs(wait);
    },
  };
}

/** How the server took the query is known only once its text has been read: see `note()`. */
const NOT_READ: Outcome = { kind: "unasked" };
