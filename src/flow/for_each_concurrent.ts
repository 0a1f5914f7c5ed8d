/**
 * Processes the items of a source with at most `atOnce` running, and reads the next one only when a slot is free: the
 * source may be endless. Rejects with the first failure. Once `stop` is aborted it settles without waiting for running
 * items or for the source.
 */
export async function forEachConcurrent<T>(
  source: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  { atOnce, stop }: { atOnce: number; stop: AbortSignal },
): Promise<void> {
  const items = source[Symbol.asyncIterator]();
  let taking: Promise<unknown> = Promise.resolve();
  let failed = false;

  /** Reads one item at a time: some iterators hang on concurrent next() calls (Deno's streams). */
  function take(): Promise<IteratorResult<T>> {
    const taken = taking.then(() => items.next());
    taking = taken;
    return taken;
  }

  async function worker(): Promise<void> {
    while (!stop.aborted && !failed) {
      const next = await take();
      if (next.done || stop.aborted) return;
      await work(next.value);
    }
  }

  if (stop.aborted) return;
  const stopped = Promise.withResolvers<void>();
  stop.addEventListener("abort", () => stopped.resolve(), { once: true });
  const workers = Array.from({ length: atOnce }, () =>
    worker().catch((error) => {
      failed = true;
      throw error;
    }));
  await Promise.race([Promise.all(workers), stopped.promise]);
}
