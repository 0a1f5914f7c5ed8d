/** A task of an item; it waits in the queue of its key. */
export interface KeyedTask {
  readonly key: string;
  run(): Promise<void>;
}

/** What to do for an item: its tasks, and `finish` once all of them have run, outside of any queue. */
export interface ItemWork {
  readonly tasks: readonly KeyedTask[];
  finish(): Promise<void>;
}

interface Queue {
  running: number;
  /** In order of their items. */
  waiting: (() => Promise<void>)[];
}

/**
 * Runs the tasks of a source's items with at most `atOnce(key)` of a key running, so that a slow key delays no other. It
 * reads the next item only while fewer than `ahead` are unfinished: the source may be endless. Rejects with the first
 * failure. Once `stop` is aborted it settles without waiting for running tasks or for the source.
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
  let onFinished = () => {};

  function fail(error: unknown): void {
    isOver = true;
    ending.reject(error);
  }

  function startWaiting(key: string, queue: Queue): void {
    while (!isOver && queue.running < atOnce(key)) {
      const task = queue.waiting.shift();
      if (task === undefined) return;
      queue.running++;
      task().then(() => {
        queue.running--;
        startWaiting(key, queue);
      }, fail);
    }
  }

  /** Resolves when the task has run; never if it fails, which ends everything. */
  function enqueue({ key, run }: KeyedTask): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    queues.set(key, queue);
    queue.waiting.push(() => run().then(resolve));
    startWaiting(key, queue);
    return promise;
  }

  async function work(item: T): Promise<void> {
    const { tasks, finish } = workOf(item);
    await Promise.all(tasks.map(enqueue));
    await finish();
    unfinished--;
    onFinished();
  }

  const nextFinish = () => new Promise<void>((resolve) => onFinished = resolve);

  async function readAll(): Promise<void> {
    for await (const item of source) {
      if (isOver) return;
      unfinished++;
      work(item).catch(fail);
      while (unfinished >= ahead) await nextFinish();
    }
    while (unfinished > 0) await nextFinish();
  }

  if (stop.aborted) return;
  stop.addEventListener("abort", () => {
    isOver = true;
    ending.resolve();
  }, { once: true });
  await Promise.race([readAll(), ending.promise]);
}
