/** Sends queries to WHOIS servers, each through its host. */
import type { Outcome } from "../flow/host_state.ts";
import type { Pace, UpstreamHost, UpstreamHosts, WaitOptions } from "../flow/upstream_host.ts";
import type { WhoisFailure, WhoisText } from "../rules/answer.ts";
import type { WhoisServer } from "../rules/tables/hosts.ts";

/** The queries. */
export interface WhoisQueries {
  /** Asks about a domain; undefined if the query is not sent. */
  ask(server: WhoisServer, domain: string, wait?: WaitOptions): Promise<WhoisText | undefined>;
  /** Records how the server answered: its failure, or that it has none. */
  note(server: WhoisServer, failure: WhoisFailure | undefined): void;
  /** After how long it makes sense to ask again, in ms. */
  retryMs(server: WhoisServer, wait: WaitOptions): Promise<number>;
}

/** After a refusal or two unanswered queries. Most limits count a minute; a server that bars addresses gets longer pauses. */
const BREAKER = { faultsToOpen: 2, firstPauseMs: 60_000, longestPauseMs: 10 * 60_000 };

/** Creates them. */
export function createWhoisQueries(
  { query, paceOf, registryHostOf, hosts }: {
    query: (server: WhoisServer, domain: string) => Promise<WhoisText>;
    paceOf: (host: string) => Pace;
    /** The RDAP hosts, whose limits count the queries of some WHOIS servers, too. */
    registryHostOf: (host: string) => UpstreamHost;
    hosts: Pick<UpstreamHosts, "ofKind">;
  },
): WhoisQueries {
  const hostOf = hosts.ofKind("whois", {
    paceOf,
    breaker: BREAKER,
    isShared: true,
  });

  return {
    async ask(server, domain, wait) {
      const { host, sharesBudgetOf } = server;
      const send = () =>
        hostOf(host).ask(() => query(server, domain), { outcomeOf: () => NOT_READ, wait });
      if (sharesBudgetOf === undefined) {
        const asked = await send();
        return asked.kind === "answered" ? asked.answer : undefined;
      }
      // RDAP's questions go first: they decide, WHOIS confirms.
      const asked = await registryHostOf(sharesBudgetOf).ask(send, {
        outcomeOf: () => NOT_READ,
        wait: { ...wait, priority: "background" },
      });
      const sent = asked.kind === "answered" ? asked.answer : asked;
      return sent.kind === "answered" ? sent.answer : undefined;
    },
    note(server, failure) {
      const { host, sharesBudgetOf } = server;
      // An answer that no rule reads is an answer: the server is up.
      if (failure === undefined || failure.fault === "unclear") {
        return hostOf(host).note({ kind: "ok" });
      }
      const { fault: kind, why } = failure;
      if (kind === "limited" && sharesBudgetOf !== undefined) registryHostOf(sharesBudgetOf).slow();
      hostOf(host).note({ kind, why });
    },
    async retryMs({ host }, wait) {
      await hostOf(host).sharedPause();
      return hostOf(host).retryMs(wait);
    },
  };
}

/** How the server took the query is known only once its text has been read: see `note()`. */
const NOT_READ: Outcome = { kind: "unasked" };
