import { pause } from "./pause.ts";

/** The right to do something that others would do too; it lapses unless it is extended. */
export interface Lease<End> {
  /** Keeps it for longer; false where it is somebody else's by now. */
  extend(): Promise<boolean>;
  /** Gives it up and tells everybody how it ended. */
  end(end: End): Promise<void>;
  /** Gives it up unfinished: somebody else may go on. */
  release(): Promise<void>;
}

/** What became of a task under a lease. */
export type LeaseRun<End> =
  | { kind: "ran"; end: End }
  /** It was ended from outside before it was done. */
  | { kind: "stopped" }
  /** The lease lapsed, as when the process slept, and the task was told to stop. */
  | { kind: "lost" };

/**
 * Runs a task while its lease is extended every `beatMs`; `stop` and the loss of the lease abort the task's signal. What
 * the task throws is passed on and leaves the lease to lapse.
 */
export async function runWithLease<End>(
  task: (signal: AbortSignal) => Promise<End>,
  { lease, beatMs, stop }: { lease: Lease<End>; beatMs: number; stop: AbortSignal },
): Promise<LeaseRun<End>> {
  const lost = new AbortController();
  const over = new AbortController();
  const beating = (async () => {
    for (;;) {
      await pause(beatMs, over.signal);
      if (over.signal.aborted) return;
      if (!await lease.extend()) return lost.abort();
    }
  })();
  let end: End;
  try {
    end = await task(AbortSignal.any([stop, lost.signal]));
  } finally {
    over.abort();
    await beating;
  }
  if (lost.signal.aborted) return { kind: "lost" };
  if (stop.aborted) return await lease.release(), { kind: "stopped" };
  await lease.end(end);
  return { kind: "ran", end };
}
