/** Somebody who waits for an answer and may leave before it is there; a `Request` is one. */
export interface Waiter {
  readonly signal: AbortSignal;
  /** Whose turn its look-ups take at a gate: the client's rate-limit key. */
  readonly client?: string | undefined;
  /** Called where a look-up was made for the answer, with what it spent its time on. */
  readonly onSpent?: (spent: Spent) => void;
}

/** What a look-up spent its time on, in ms; what it did not do is 0. */
export interface Spent {
  /** Waiting for a turn. */
  gate: number;
  dns: number;
  rdap: number;
  /** Finding out, beyond the registry's answer, whether that answer can be trusted. */
  trust: number;
}

/** Work under way that several may wait for. */
export interface Flight<T> {
  /** Waits for the work; an asker who leaves stops waiting for it, any other waits to the end. */
  join(waiter?: Waiter): Promise<T>;
  /** Whether there was a moment since the start in which nobody waited any more. */
  isAbandoned(): boolean;
}

/** Starts work; its signal is aborted once the last who waited has left. What has begun it may finish all the same. */
export function startFlight<T>(work: (abandoned: AbortSignal) => Promise<T>): Flight<T> {
  const abandonment = new AbortController();
  const result = work(abandonment.signal);
  let waiting = 0;

  function leave(): void {
    if (--waiting === 0) abandonment.abort();
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

  return { join, isAbandoned: () => abandonment.signal.aborted };
}
