/** A caller that waits for an answer and may disconnect before; a `Request` is one. */
export interface Waiter {
  readonly signal: AbortSignal;
  /** Whose turns its look-ups take at a gate: the client's rate-limit key. */
  readonly client?: string | undefined;
  /** Called if the answer needed a look-up, with the time it took. */
  readonly onSpent?: (spent: Spent) => void;
  /** Called if DNS shows no delegation and the registry is about to be asked. */
  readonly onPending?: ((pending: Pending) => void) | undefined;
  /** Called before a result is returned that may be corrected soon; undefined: there is no correction. */
  readonly onCorrection?:
    | ((domain: string, correction: Promise<object | undefined>) => void)
    | undefined;
}

/** A question to a registry that is about to be sent, or waits in the queue of its host. */
export interface Pending {
  readonly domain: string;
  readonly tld: string;
  /** The registry's host. */
  readonly host: string;
  /** How long the question will wait in the queue, in ms, as it looked at its start. */
  readonly expectedMs: number;
}

/** The time of a look-up by stage, in ms; 0 for a skipped stage. */
export interface Spent {
  /** Waiting in the queue. */
  gate: number;
  dns: number;
  rdap: number;
  /** Testing whether the registry's answer can be trusted. */
  trust: number;
}

/** Work in flight that several callers share. */
export interface Flight<T> {
  /** Waits for the result. A waiter counts until its signal is aborted, a caller without one to the end. */
  join(waiter?: Waiter): Promise<T>;
  /** Whether there was a moment since the start without waiters. */
  isCancelled(): boolean;
}

/** Starts work; its signal is aborted once the last waiter has left. Steps in progress may still finish. */
export function startFlight<T>(work: (cancelled: AbortSignal) => Promise<T>): Flight<T> {
  const cancellation = new AbortController();
  const result = work(cancellation.signal);
  let waiting = 0;

  function leave(): void {
    if (--waiting === 0) cancellation.abort();
  }

  async function join(waiter?: Waiter): Promise<T> {
    waiting++;
    const signal = waiter?.signal;
    if (signal === undefined) return await result;
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    try {
      return await result;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  return { join, isCancelled: () => cancellation.signal.aborted };
}
