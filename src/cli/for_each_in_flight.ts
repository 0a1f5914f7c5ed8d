/**
 * Does the work of a source's items beside each other while their sizes together are below `most`; an item of any size starts where
 * none is under way. The source may be endless. Rejects with the first failure. Once `stop` is aborted it settles without waiting
 * for running work or for the source.
 */
export async function forEachInFlight<T>(
  source: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  { most, sizeOf, stop }: { most: number; sizeOf: (item: T) => number; stop: AbortSignal },
): Promise<void> {
  if (stop.aborted) return;
  const ending = Promise.withResolvers<void>();
  stop.addEventListener("abort", () => ending.resolve(), { once: true });
  let size = 0;
  let isFailed = false;
  let onEnd = () => {};
  const nextEnd = () => new Promise<void>((resolve) => onEnd = resolve);

  function start(item: T): void {
    const own = sizeOf(item);
    size += own;
    work(item).then(() => {
      size -= own;
      onEnd();
    }, (error) => {
      isFailed = true;
      ending.reject(error);
    });
  }

  async function startAll(): Promise<void> {
    for await (const item of source) {
      if (stop.aborted || isFailed) return;
      start(item);
      while (size >= most) await nextEnd();
    }
    while (size > 0) await nextEnd();
  }

  await Promise.race([startAll(), ending.promise]);
}
