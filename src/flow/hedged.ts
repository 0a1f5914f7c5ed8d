/** One of several ways to the same answer; `signal` is aborted when another one was faster. */
export type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Hedged request: starts the next attempt when the last one has failed or has taken `afterMs`; the first answer wins. If
 * all fail, returns the last failure. Attempts must not reject.
 */
export function hedged<T>(
  attempts: readonly Attempt<T>[],
  { afterMs, isAnswer }: { afterMs: number; isAnswer: (value: T) => boolean },
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const cancellation = new AbortController();
  let started = 0;
  let failed = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function startNext(): Promise<void> {
    clearTimeout(timer);
    const attempt = attempts[started];
    if (attempt === undefined || cancellation.signal.aborted) return;
    started++;
    timer = setTimeout(startNext, afterMs);
    const value = await attempt(cancellation.signal);
    if (isAnswer(value) || ++failed === attempts.length) return finish(value);
    await startNext();
  }

  function finish(value: T): void {
    clearTimeout(timer);
    resolve(value);
    // No further attempt may start.
    cancellation.abort();
  }

  void startNext();
  return promise;
}
