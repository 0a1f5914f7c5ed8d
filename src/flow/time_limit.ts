import type { Clock } from "./clock.ts";

/** A time limit of one call; it must be disposed of once the call has ended. */
interface TimeLimit extends Disposable {
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

/** Time limits of one length, each known by what is called when it is over. */
interface TimeLimits {
  /** Starts one, or starts it anew. */
  start(ring: () => void): void;
  end(ring: () => void): void;
  endAll(): void;
}

/**
 * Creates them over one timer: they are over in the order in which they start. Most end before, and a timer for each would
 * cost a look-up a tenth of its time (measured).
 */
export function createTimeLimits(
  ms: number,
  { monotonic }: Pick<Clock, "monotonic">,
): TimeLimits {
  const overAt = new Map<() => void, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function watch(): void {
    clearTimeout(timer);
    const [next] = overAt.values();
    timer = next === undefined ? next : setTimeout(ring, Math.ceil(next - monotonic()));
  }

  function ring(): void {
    for (const [ring, at] of overAt) {
      if (at > monotonic()) break;
      overAt.delete(ring);
      ring();
    }
    watch();
  }

  return {
    start(ring) {
      overAt.delete(ring);
      overAt.set(ring, monotonic() + ms);
      if (overAt.size === 1) watch();
    },
    end(ring) {
      if (overAt.delete(ring) && overAt.size === 0) watch();
    },
    endAll() {
      overAt.clear();
      watch();
    },
  };
}
