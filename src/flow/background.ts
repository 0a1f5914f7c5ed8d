/** Tracks background tasks, so that a shutdown can wait for them. */
export type Background = ReturnType<typeof createBackground>;

/** Creates a tracker of background tasks. */
export function createBackground(onError: (error: unknown) => void) {
  const running = new Set<Promise<void>>();
  return {
    /** Tracks the task; a failure goes to `onError`, it is never thrown. */
    run(task: Promise<unknown>): void {
      const tracked: Promise<void> = task.then(() => {}, onError).finally(() => {
        running.delete(tracked);
      });
      running.add(tracked);
    },
    /** Settles once no task is running. */
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
