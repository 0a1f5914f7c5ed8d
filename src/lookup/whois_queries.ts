/** Sends queries to WHOIS servers, each through its host. */
import type { Outcome } from "../flow/host_state.ts";
import type { Pace, UpstreamHost, UpstreamHosts, WaitOptions } from "../flow/upstream_host.ts";
import type { WhoisFailure, WhoisText } from "../rules/answer.ts";
import type { WhoisServer } from "../rules/tables/hosts.ts";

/** The queries. */
export type WhoisQueries = ReturnType<typeof createWhoisQueries>;

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
) {
  const hostOf = hosts.ofKind("whois", {
    paceOf,
    breaker: BREAKER,
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
        wait: { ...wait, priority: "background" },
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
