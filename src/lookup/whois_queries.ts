/** Sends queries to WHOIS servers at their pace, and none to a server that failed or refused just now. */
import type { Gate, Priority, WaitOptions } from "../flow/queue/gate.ts";
import { startTimeLimit } from "../flow/time_limit.ts";
import type { Outcome, SharedPauses, UpstreamHosts } from "../flow/upstream_host.ts";
import type { WhoisFailure, WhoisText } from "../rules/answer.ts";
import type { WhoisServer } from "../rules/tables/whois_servers.ts";

/** How a query waits. */
export interface WhoisWait extends Pick<WaitOptions, "client" | "site" | "clients" | "signal"> {
  priority?: Priority | undefined;
  /** The longest wait in the queue, in ms; with that of the gate if absent. */
  maxWaitMs?: number;
}

/** The paced queries. */
export interface WhoisQueries {
  /** Asks about a domain; undefined if the query is not sent. */
  ask(server: WhoisServer, domain: string, wait?: WhoisWait): Promise<WhoisText | undefined>;
  /** Records how the server answered: its failure, or that it has none. */
  note(server: WhoisServer, failure: WhoisFailure | undefined): void;
  /** Whether the server is not asked at present. */
  isCooling(server: WhoisServer): Promise<boolean>;
  /** After how long a client whose name was not answered should ask again, in ms, `leastMs` at least. */
  retryMs(
    server: WhoisServer,
    place: Pick<WaitOptions, "client" | "site">,
    leastMs: number,
  ): Promise<number>;
}

/** Longer than any gate lets a query wait. */
const LONGEST_WAIT_MS = 60_000;

/** After a refusal or two unanswered queries. Most limits count a minute; a server that bars addresses gets longer pauses. */
const BREAKER = { faultsToOpen: 2, firstPauseMs: 60_000, longestPauseMs: 10 * 60_000 };

/** Creates them. */
export function createWhoisQueries(
  { query, gate, shared, cooldowns, hosts }: {
    query: (server: WhoisServer, domain: string) => Promise<WhoisText>;
    /** The queues of servers with a budget of their own, by host. */
    gate: Pick<Gate, "run" | "expectedWaitMs" | "retryMs" | "note" | "clear">;
    /** The queues of RDAP hosts, whose budget some servers share, and the cooldowns of these hosts. */
    shared: {
      gate: Pick<Gate, "run" | "expectedWaitMs" | "retryMs" | "note">;
      pauseMs(host: string): Promise<number>;
    };
    /** A refusal of one process is a pause of all: they have one address, or share what the server allows. */
    cooldowns: SharedPauses;
    hosts: Pick<UpstreamHosts, "ofKind">;
  },
): WhoisQueries {
  const hostOf = hosts.ofKind("whois", { gate, breaker: BREAKER, shared: cooldowns });

  /** The queue of a server. Where RDAP has the same budget its queries go first: they decide, WHOIS confirms. */
  async function queueOf({ host, sharesBudgetOf }: WhoisServer, priority: Priority = "foreground") {
    if (sharesBudgetOf === undefined) return { gate, key: host, priority, pauseMs: 0 };
    const pauseMs = await shared.pauseMs(sharesBudgetOf);
    return { gate: shared.gate, key: sharesBudgetOf, priority: "background" as const, pauseMs };
  }

  async function ask(
    server: WhoisServer,
    domain: string,
    { priority = "foreground", signal, maxWaitMs = LONGEST_WAIT_MS, ...place }: WhoisWait = {},
  ): Promise<WhoisText | undefined> {
    const queue = await queueOf(server, priority);
    const expectedMs = queue.gate.expectedWaitMs(queue.key, place.client, place.site);
    if (queue.pauseMs > 0 || expectedMs >= maxWaitMs) return undefined;
    using limit = startTimeLimit(maxWaitMs, signal === undefined ? [] : [signal]);
    const asked = await hostOf(server.host).ask(() => query(server, domain), {
      outcomeOf: () => NOT_READ,
      queue,
      wait: { ...place, priority: queue.priority, signal: limit.signal },
    });
    return asked.kind === "answered" ? asked.answer : undefined;
  }

  function note(server: WhoisServer, failure: WhoisFailure | undefined): void {
    const { host, sharesBudgetOf } = server;
    // An answer that no rule reads is an answer: the server is up.
    if (failure === undefined || failure.fault === "unclear") return hostOf(host).note(UP);
    const { fault: kind, why } = failure;
    if (kind === "limited" && sharesBudgetOf !== undefined) {
      shared.gate.note(sharesBudgetOf, kind);
    }
    hostOf(host).note({ kind, why });
  }

  return {
    ask,
    note,
    isCooling: async ({ host }) => await hostOf(host).sharedPause() !== undefined,
    async retryMs(server, place, leastMs) {
      const { gate, key, pauseMs } = await queueOf(server);
      const { leftMs } = await hostOf(server.host).sharedPause() ?? { leftMs: 0 };
      return gate.retryMs(key, place, Math.max(leastMs, leftMs, pauseMs));
    },
  };
}

const UP: Outcome = { kind: "ok" };
/** How the server took the query is known only once its text has been read: see `note()`. */
const NOT_READ: Outcome = { kind: "unasked" };
