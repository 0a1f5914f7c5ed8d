/** What the parts of a process are given: its clocks, the way to its log, its background work, and how its jobs end. */

/** The clocks of a process. A function asks for those that it reads. */
export interface Clock {
  /** The wall clock, for dates: ms since 1970. */
  readonly now: () => number;
  /** A clock in ms that is never set back, for pauses, paces and time limits. */
  readonly monotonic: () => number;
}

/** Reports an event to the operator; `log.ts` implements it. */
export type Report = (event: string, fields?: Readonly<Record<string, unknown>>) => void;

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

/** The result of a job's run, with a text for the operator. */
export type Outcome =
  | { readonly kind: "done"; readonly message: string }
  | { readonly kind: "failed"; readonly reason: string };

/** How a run ended, and when (ms since 1970). */
export interface RunEnd {
  readonly at: number;
  readonly outcome: Outcome;
}
