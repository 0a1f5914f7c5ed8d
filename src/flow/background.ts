/** Tracks background tasks, so that a shutdown can wait for them. */
export interface Background {
  /** Tracks the task; a failure goes to `onError`, it is never thrown. */
  run(task: Promise<unknown>): void;
  /** Settles once no task is running. */
  settled(): Promise<void>;
}

/** Creates a tracker of background tasks. */
export function createBackground(onError: (error: unknown) => void): Background {
  const running = new Set<Promise<void>>();

  function run(task: Promise<unknown>): void {
    const tracked: Promise<void> = task.then(() => {}, onError).finally(() => {
      running.delete(tracked);
    });
    running.add(tracked);
  }

  async function settled(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return { run, settled };
}
