import type { Place } from "../turns.ts";

/**
 * A caller that waits for an answer and may disconnect before. When the last waiter of a look-up has
 * disconnected, hosts reject what is still queued, questions that were sent finish and are cached, and a later caller that
 * joins sends the rejected questions again.
 */
export interface Waiter {
  readonly signal: AbortSignal;
  /** Whose turns its look-ups take at a host: the client's rate-limit key. */
  readonly client?: string | undefined;
  /** The client's network, if it is known: sites take turns before the clients of each. */
  readonly site?: string | undefined;
  /** Whether its look-ups are those of a list (`isListOf()`). */
  isList?: boolean | undefined;
  /** Set by jobs, which no client waits for. */
  readonly priority?: "background" | undefined;
  /**
   * Until when it waits, in ms of `performance.now()`: then it wants an answer by what is known. Undefined: it waits as long as
   * the look-up takes.
   */
  readonly answerBy?: number | undefined;
  /** Called if DNS shows no delegation and a server of the registry is about to be asked. */
  readonly onPending?: ((pending: Pending) => void) | undefined;
}

/** How long a client waits for an answer that is no stream, in ms. */
export const ANSWER_MS = 15_000;

/** Whether so many names of a request are a list, which leaves half of a host's burst to single questions. */
export function isListOf(names: number): boolean {
  return names > 3;
}

/** A question to a registry that is about to be sent, or waits in the queue of its host. */
export interface Pending {
  readonly domain: string;
  readonly tld: string;
  /** The host that is asked. */
  readonly host: string;
  /** When the question is expected to leave the queue, in ms of `performance.now()`. */
  readonly expectedAt: number;
  /** What the name most likely is, once the registry has denied it and only a further witness is missing. */
  readonly likely?: "available";
}

/** A client, by which its tasks take turns. */
export type Client = Place & Pick<Waiter, "isList" | "priority">;

/** The clients that wait for the same work, each once, while they come and go. */
export interface Clients {
  /**
   * Calls `onCome` with each client that waits, and with each that comes later; calls what that returned when the client
   * leaves. Returns what ends this.
   */
  watch(onCome: (client: Client) => () => void): () => void;
}

/** Work in flight that several callers share. */
export type Flight<T> = ReturnType<typeof startFlight<T>>;

/**
 * Starts work; its signal is aborted once the last waiter has left. Steps in progress may still finish. With the clients
 * that wait, a queue can start a step at the first turn of any of them. By `onPending` the work tells those that wait which
 * question is under way, and without one that it has ended.
 */
export function startFlight<T>(
  work: (
    cancelled: AbortSignal,
    clients: Clients,
    onPending: (pending?: Pending) => void,
  ) => Promise<T>,
) {
  const cancellation = new AbortController();
  const clients = createClients();
  const onPendings: NonNullable<Waiter["onPending"]>[] = [];
  const leaving: [AbortSignal, () => void][] = [];
  let pending: Pending | undefined;
  let waiting = 0;
  const result = work(cancellation.signal, clients, (next) => {
    pending = next;
    if (next !== undefined) { for (const onPending of onPendings) onPending(next); }
  });
  result.then(end, end);

  function end(): void {
    for (const [signal, leave] of leaving) signal.removeEventListener("abort", leave);
  }

  /**
   * Waits for the result. A waiter counts until its signal is aborted, a caller without one to the end. It gets the question
   * that is under way, also if it comes later. Not async, nor is what it returns another promise: with a thousand waiters these
   * would be most of the memory.
   */
  function join(waiter?: Waiter): Promise<T> {
    waiting++;
    if (waiter === undefined) return result;
    const { signal, onPending } = waiter;
    if (onPending !== undefined) {
      onPendings.push(onPending);
      if (pending !== undefined) onPending(pending);
    }
    const leaveAsClient = clients.come(waiter);
    const leave = () => {
      leaveAsClient();
      if (--waiting === 0) cancellation.abort();
    };
    if (signal.aborted) leave();
    else {
      signal.addEventListener("abort", leave, { once: true });
      leaving.push([signal, leave]);
    }
    return result;
  }

  return {
    join,
    /** Whether there was a moment since the start without waiters. */
    isCancelled: () => cancellation.signal.aborted,
  };
}

/** Creates the clients of some work, none at first. */
function createClients(): Clients & {
  /** Returns what is called when the client leaves. */
  come(waiter: Pick<Waiter, "client" | "site" | "isList" | "priority">): () => void;
} {
  /** A client may wait several times: it leaves with the last. */
  const waiting = new Map<string, { client: Client; times: number; onLeave: (() => void)[] }>();
  const watchers = new Set<(client: Client) => () => void>();

  return {
    come({ client = "", site, isList, priority }) {
      const key = `${priority} ${isList} ${client}`;
      const known = { client, site, isList, priority };
      const one = waiting.get(key) ?? { client: known, times: 0, onLeave: [] };
      if (one.times++ === 0) {
        waiting.set(key, one);
        for (const onCome of watchers) one.onLeave.push(onCome(one.client));
      }
      return () => {
        if (--one.times > 0) return;
        waiting.delete(key);
        for (const leave of one.onLeave) leave();
      };
    },
    watch(onCome) {
      watchers.add(onCome);
      for (const { client, onLeave } of waiting.values()) onLeave.push(onCome(client));
      return () => void watchers.delete(onCome);
    },
  };
}

/** Creates work by key, of which no two of one key run at once. */
export function createSingleFlight<T>() {
  const running = new Map<string, Promise<T>>();
  return {
    isRunning: (key: string) => running.has(key),
    /** The result of `work`, or of the work that is in flight under the key. */
    run(key: string, work: () => Promise<T>): Promise<T> {
      const started = running.get(key) ?? work().finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
  };
}

/** A value that is created on first use; after a failure the next use tries again. */
export function lazy<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined;
  let value: T | undefined;
  const remember = (made: T) => value = made;
  const forget = (error: unknown) => {
    making = undefined;
    throw error;
  };
  return {
    get: (): Promise<T> => making ??= make().then(remember, forget),
    /** The value if it was created, else undefined. */
    peek: () => value,
  };
}
