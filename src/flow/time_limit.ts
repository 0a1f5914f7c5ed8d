/** A time limit of one call; it must be disposed of once the call has ended. */
export interface TimeLimit extends Disposable {
  /** Aborted once the time is over, or with another signal. */
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  isOver(): boolean;
  /** Ends the time now. */
  expire(): void;
}

/**
 * Starts a time limit, whose signal is also aborted with any of `others`. It listens to them until it is disposed of: what
 * `AbortSignal.any()` keeps alive survives each collection of young objects, half of a look-up's memory (measured).
 */
export function startTimeLimit(ms: number, others: readonly AbortSignal[]): TimeLimit {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let isOver = false;
  const expire = () => {
    isOver = true;
    abort();
  };
  const timer = setTimeout(expire, ms);
  for (const other of others) {
    if (other.aborted) abort();
    else other.addEventListener("abort", abort);
  }
  return {
    signal: controller.signal,
    isOver: () => isOver,
    expire,
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const other of others) other.removeEventListener("abort", abort);
    },
  };
}
