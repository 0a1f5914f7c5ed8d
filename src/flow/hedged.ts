/** One of several ways to the same answer; `signal` tells it that another one was quicker. */
export type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Makes attempts until one gives an answer: the next one starts when the last one has given none, or has taken
 * `afterMs`. Where none answers, the last failure is the value. No attempt may reject.
 */
export function hedged<T>(
  attempts: readonly Attempt<T>[],
  { afterMs, isAnswer }: { afterMs: number; isAnswer: (value: T) => boolean },
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const others = new AbortController();
  let started = 0;
  let failed = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function startNext(): Promise<void> {
    clearTimeout(timer);
    const attempt = attempts[started];
    if (attempt === undefined) return;
    started++;
    timer = setTimeout(startNext, afterMs);
    const value = await attempt(others.signal);
    if (isAnswer(value) || ++failed === attempts.length) return finish(value);
    await startNext();
  }

  function finish(value: T): void {
    clearTimeout(timer);
    // Nothing more may start, not even what was about to.
    started = attempts.length;
    resolve(value);
    others.abort();
  }

  void startNext();
  return promise;
}
