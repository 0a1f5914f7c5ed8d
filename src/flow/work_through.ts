/**
 * Works through a source, at most `atOnce` items at a time, and takes the next one only when there is room for it: a
 * source may be endless. Rejects with the first failure. Once `stop` is aborted it settles without waiting for what is
 * under way, or for the source.
 */
export async function workThrough<T>(
  source: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  { atOnce, stop }: { atOnce: number; stop: AbortSignal },
): Promise<void> {
  const items = source[Symbol.asyncIterator]();
  let taking: Promise<unknown> = Promise.resolve();
  let failed = false;

  /** One at a time: not every iterator can be asked again before it has answered (Deno's streams hang). */
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
