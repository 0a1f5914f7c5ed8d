/** Sends queries to WHOIS servers at their pace, and none to a server that failed or refused just now. */
import type { Gate, Priority, WaitOptions } from "../flow/queue/gate.ts";
import type { Outcome, UpstreamHosts } from "../flow/upstream_host.ts";
import type { WhoisFault } from "../rules/answer.ts";
import type { WhoisServer } from "../rules/tables/whois_servers.ts";

/** A server's text and when its query was sent, or why there is none. */
export type WhoisText = { kind: "text"; text: string; askedAt: number } | WhoisFailure;

/** A query without an answer that can be read. */
export interface WhoisFailure {
  readonly kind: "failed";
  readonly fault: WhoisFault;
  readonly why: string;
  /** Whether no connection was made. */
  readonly isUnreachable?: boolean;
  /** Whether the server closed the connection without an answer, as it may do to refuse. */
  readonly isClosed?: boolean;
}

/** How a query waits. */
export interface WhoisWait extends Pick<WaitOptions, "client" | "site" | "clients" | "signal"> {
  priority?: Priority | undefined;
  /** The longest wait in the queue, in ms; the gate's own if absent. */
  maxWaitMs?: number;
}

/** The paced queries. */
export interface WhoisQueries {
  /** Asks about a domain; undefined if the query is not sent. */
  ask(server: WhoisServer, domain: string, wait?: WhoisWait): Promise<WhoisText | undefined>;
  /** Records how the server answered: its failure, or that it has none. */
  note(server: WhoisServer, failure: WhoisFailure | undefined): void;
  /** Whether the server is not asked at present. */
  isCooling(server: WhoisServer): boolean;
  /** How long a question of this client would wait now, in ms, for a pause or in the queue. */
  delayMs(server: WhoisServer, place: Pick<WaitOptions, "client" | "site">): Promise<number>;
}

/** Ten minutes after a refusal or two unanswered queries: other evidence decides meanwhile, so there is no hurry. */
const BREAKER = { faultsToOpen: 2, firstPauseMs: 10 * 60_000, longestPauseMs: 10 * 60_000 };

/** Creates them. */
export function createWhoisQueries(
  { query, gate, shared, hosts }: {
    query: (server: WhoisServer, domain: string) => Promise<WhoisText>;
    /** The queues of servers with a budget of their own, by host. */
    gate: Pick<Gate, "run" | "expectedWaitMs" | "note" | "clear">;
    /** The queues of RDAP hosts, whose budget some servers share, and the cooldowns of these hosts. */
    shared: {
      gate: Pick<Gate, "run" | "expectedWaitMs" | "note">;
      pauseMs(host: string): Promise<number>;
    };
    hosts: Pick<UpstreamHosts, "ofKind">;
  },
): WhoisQueries {
  const hostOf = hosts.ofKind("whois", { gate, breaker: BREAKER });

  /** The queue of a server. Where RDAP has the same budget its queries go first: they decide, WHOIS confirms. */
  async function queueOf(server: WhoisServer, priority: Priority) {
    const { host, sharesBudgetOf } = server;
    if (sharesBudgetOf === undefined) return { gate, key: host, priority };
    if (await shared.pauseMs(sharesBudgetOf) > 0) return undefined;
    return { gate: shared.gate, key: sharesBudgetOf, priority: "background" as const };
  }

  async function ask(
    server: WhoisServer,
    domain: string,
    { priority = "foreground", signal, maxWaitMs = Infinity, ...place }: WhoisWait = {},
  ): Promise<WhoisText | undefined> {
    const queue = await queueOf(server, priority);
    if (
      queue === undefined ||
      queue.gate.expectedWaitMs(queue.key, place.client, place.site) >= maxWaitMs
    ) {
      return undefined;
    }
    const waited = new AbortController();
    const timer = maxWaitMs === Infinity ? undefined : setTimeout(() => waited.abort(), maxWaitMs);
    const signals = [waited.signal, ...(signal === undefined ? [] : [signal])];
    try {
      const asked = await hostOf(server.host).ask(() => query(server, domain), {
        outcomeOf: () => NOT_READ,
        queue,
        wait: { ...place, priority: queue.priority, signal: AbortSignal.any(signals) },
      });
      return asked.kind === "answered" ? asked.answer : undefined;
    } finally {
      clearTimeout(timer);
    }
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
    isCooling: ({ host }) => hostOf(host).pause() !== undefined,
    async delayMs(server, { client, site }) {
      const { host, sharesBudgetOf = "" } = server;
      const queue = await queueOf(server, "foreground");
      return Math.max(
        hostOf(host).pause()?.leftMs ?? 0,
        queue?.gate.expectedWaitMs(queue.key, client, site) ?? await shared.pauseMs(sharesBudgetOf),
      );
    },
  };
}

const UP: Outcome = { kind: "ok" };
/** How the server took the query is known only once its text has been read: see `note()`. */
const NOT_READ: Outcome = { kind: "unasked" };
