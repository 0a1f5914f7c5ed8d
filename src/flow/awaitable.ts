/**
 * Values that may be known at once. What an answer from memory passes through returns no promise: with one at each step,
 * such an answer takes five to ten percent longer (measured).
 */

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Passes a value to a function: at once, or once its promise is fulfilled. */
export function whenReady<T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The values of a list; a promise only if one of them is. */
export function allReady<T>(values: readonly Awaitable<T>[]): Awaitable<T[]> {
  const ready: T[] = [];
  for (const value of values) {
    if (value instanceof Promise) return Promise.all(values);
    ready.push(value);
  }
  return ready;
}

/** The value of a function, or of its error, whether it throws or rejects. */
export function recover<T>(
  run: () => Awaitable<T>,
  onError: (error: unknown) => T,
): Awaitable<T> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(onError) : value;
  } catch (error) {
    return onError(error);
  }
}

const AT_ONCE = () => 0;

/**
 * Measures from now, in whole ms by a monotonic clock, how long a value is waited for. Where it is known at once that is
 * 0, and the clock is not read: two readings take a thirtieth of the time of an answer from memory.
 */
export function stopwatch(value: Awaitable<unknown>, monotonic: () => number): () => number {
  if (!(value instanceof Promise)) return AT_ONCE;
  const startedAt = monotonic();
  return () => Math.round(monotonic() - startedAt);
}
