/** What to do for an item: a task for each key, and `finish` once all of them have run, outside of any queue. */
export interface ItemWork {
  readonly keys: readonly string[];
  /** Runs the task of the key at this place. */
  run(place: number): Promise<void>;
  finish(): Promise<void>;
}

/** An item whose tasks have not all run. Thousands may wait, so that each has as few objects as possible. */
interface UnfinishedItem {
  readonly work: ItemWork;
  left: number;
}

interface Queue {
  running: number;
  /** In order of their items. */
  waiting: { readonly item: UnfinishedItem; readonly place: number }[];
}

/**
 * Runs the tasks of a source's items with at most `atOnce(key)` of a key running, so that a slow key delays no other. Each
 * task waits in the queue of its key. It reads the next item only while a queue is nearly empty and fewer than `ahead` items
 * are unfinished: the source may be endless. Rejects with the first failure. Once `stop` is aborted it settles without
 * waiting for running tasks or for the source.
 */
export async function forEachByKey<T>(
  source: AsyncIterable<T>,
  workOf: (item: T) => ItemWork,
  { atOnce, ahead, stop }: {
    atOnce: (key: string) => number;
    ahead: number;
    stop: AbortSignal;
  },
): Promise<void> {
  const queues = new Map<string, Queue>();
  const ending = Promise.withResolvers<void>();
  let isOver = false;
  let unfinished = 0;
  let onChange = () => {};

  function fail(error: unknown): void {
    isOver = true;
    ending.reject(error);
  }

  function startWaiting(key: string, queue: Queue): void {
    while (!isOver && queue.running < atOnce(key)) {
      const task = queue.waiting.shift();
      if (task === undefined) return;
      queue.running++;
      task.item.work.run(task.place).then(() => {
        queue.running--;
        task.item.left--;
        finishIfDone(task.item);
        startWaiting(key, queue);
        onChange();
      }).catch(fail);
    }
  }

  function finishIfDone({ work, left }: UnfinishedItem): void {
    if (left > 0) return;
    work.finish().then(() => {
      unfinished--;
      onChange();
    }).catch(fail);
  }

  function start(work: ItemWork): void {
    const item = { work, left: work.keys.length };
    unfinished++;
    for (const [place, key] of work.keys.entries()) {
      const queue = queues.get(key) ?? { running: 0, waiting: [] };
      queues.set(key, queue);
      queue.waiting.push({ item, place });
      startWaiting(key, queue);
    }
    finishIfDone(item);
  }

  /** Whether a queue has less waiting than it runs at once; before the first item, none is known. */
  function needsMore(): boolean {
    return queues.size === 0 ||
      queues.entries().some(([key, { waiting }]) => waiting.length < atOnce(key));
  }

  const nextChange = () => new Promise<void>((resolve) => onChange = resolve);

  async function readAll(): Promise<void> {
    for await (const item of source) {
      if (isOver) return;
      start(workOf(item));
      while (unfinished >= ahead || !needsMore()) await nextChange();
    }
    while (unfinished > 0) await nextChange();
  }

  if (stop.aborted) return;
  stop.addEventListener("abort", () => {
    isOver = true;
    ending.resolve();
  }, { once: true });
  await Promise.race([readAll(), ending.promise]);
}
