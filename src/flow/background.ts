/** Work that nobody waits for, kept in sight so that a shutdown can wait for it. */
export interface Background {
  /** Lets the task run on; a failure is reported, never thrown. */
  run(task: Promise<unknown>): void;
  /** Settles once nothing is running any more. */
  settled(): Promise<void>;
}

/** Creates a tracker of background work. */
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
