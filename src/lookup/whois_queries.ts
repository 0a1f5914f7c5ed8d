/** Sends queries to WHOIS servers at their pace, and none to a server that failed or refused just now. */
import type { Gate, Priority } from "../flow/gate.ts";
import type { WhoisServer } from "../rules/whois_servers.ts";

/** A server's text and when its query was sent, or why there is none. */
export type WhoisText =
  | { kind: "text"; text: string; askedAt: number }
  | { kind: "failed"; fault: WhoisFault; why: string };

/** `limited`: the server refused the query; `down`: no answer; `unclear`: an answer that no rule reads. */
export type WhoisFault = "limited" | "down" | "unclear";

/** How a query waits. */
export interface WhoisWait {
  client?: string | undefined;
  priority?: Priority | undefined;
  signal?: AbortSignal | undefined;
  /** The longest wait in the queue, in ms; the gate's own if absent. */
  maxWaitMs?: number;
}

/** The paced queries. */
export interface WhoisQueries {
  /** Asks about a domain; undefined if the query is not sent. */
  ask(server: WhoisServer, domain: string, wait?: WhoisWait): Promise<WhoisText | undefined>;
  /** Records how the server answered: its fault, or that it has none. */
  note(server: WhoisServer, fault: WhoisFault | undefined): void;
  /** Whether the server is not asked at present. */
  isCooling(server: WhoisServer): boolean;
}

/** How long a server is not asked after a refusal or faults: other evidence decides meanwhile, so there is no hurry. */
const COOLDOWN_MS = 10 * 60_000;
/** Consecutive unanswered queries; one may be the network's. */
const FAULTS_TO_COOL = 2;

/** Creates them; `monotonic` is a clock in ms that is never set back. */
export function createWhoisQueries(
  { query, gate, shared, monotonic }: {
    query: (server: WhoisServer, domain: string) => Promise<WhoisText>;
    /** The queues of servers with a budget of their own, by host. */
    gate: Pick<Gate, "run" | "expectedWaitMs">;
    /** The queues of RDAP hosts, whose budget some servers share, and the cooldowns of these hosts. */
    shared: {
      gate: Pick<Gate, "run" | "expectedWaitMs" | "note">;
      pauseMs(host: string): Promise<number>;
    };
    monotonic: () => number;
  },
): WhoisQueries {
  const hosts = new Map<string, { faults: number; coolUntil: number }>();
  const isCooling = ({ host }: WhoisServer) =>
    (hosts.get(host)?.coolUntil ?? -Infinity) > monotonic();

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
    { client, priority = "foreground", signal, maxWaitMs = Infinity }: WhoisWait = {},
  ): Promise<WhoisText | undefined> {
    const queue = await queueOf(server, priority);
    if (queue === undefined || queue.gate.expectedWaitMs(queue.key, client) >= maxWaitMs) {
      return undefined;
    }
    const waited = new AbortController();
    const timer = maxWaitMs === Infinity ? undefined : setTimeout(() => waited.abort(), maxWaitMs);
    const signals = [waited.signal, ...(signal === undefined ? [] : [signal])];
    const result = await queue.gate.run(
      queue.key,
      // Queries that were sent meanwhile may have shown that the server is down.
      async () => isCooling(server) ? undefined : await query(server, domain),
      { client, priority: queue.priority, signal: AbortSignal.any(signals) },
    );
    clearTimeout(timer);
    return result.kind === "ran" ? result.value : undefined;
  }

  function note(server: WhoisServer, fault: WhoisFault | undefined): void {
    const { host, sharesBudgetOf } = server;
    const before = hosts.get(host) ?? { faults: 0, coolUntil: -Infinity };
    if (fault === "limited" && sharesBudgetOf !== undefined) {
      shared.gate.note(sharesBudgetOf, "limited");
    }
    const faults = fault === "down" ? before.faults + 1 : fault === "limited" ? FAULTS_TO_COOL : 0;
    const isFailing = faults >= FAULTS_TO_COOL;
    const coolUntil = isFailing ? monotonic() + COOLDOWN_MS : before.coolUntil;
    hosts.set(host, { faults: isFailing ? 0 : faults, coolUntil });
  }

  return { ask, note, isCooling };
}
