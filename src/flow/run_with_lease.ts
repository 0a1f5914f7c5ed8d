import { pause } from "./pause.ts";

/** A lease on a task that several processes could run; it expires unless it is extended. */
export interface Lease<End> {
  /** Extends the lease; false if another process has taken it over. */
  extend(): Promise<boolean>;
  /** Ends the lease and records the result. */
  end(end: End): Promise<void>;
  /** Releases the lease without a result, so that another process may run the task. */
  release(): Promise<void>;
}

/** The outcome of a task under a lease. */
export type LeaseRun<End> =
  | { kind: "ran"; end: End }
  /** `stop` was aborted before the task was done. */
  | { kind: "stopped" }
  /** The lease expired, for example during sleep, and the task was cancelled. */
  | { kind: "lost" };

/**
 * Runs a task and extends its lease every `beatMs`. `stop` or the loss of the lease aborts the task's signal. If the task
 * throws, so does this, and the lease is left to expire.
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

/** The answer to a claim. */
export type LeaseClaim<End> =
  | { kind: "taken"; lease: Lease<End> }
  /** Another process is running the task; claim again after `forMs`. */
  | { kind: "held"; forMs: number }
  /** Another process has finished the task. */
  | { kind: "ended"; end: End }
  /** The store of leases does not answer. */
  | { kind: "unreachable" };

/** The outcome of a task that one of several processes runs. */
export type OnceRun<End> = LeaseRun<End> | { kind: "elsewhere"; end: End } | {
  kind: "unreachable";
};

/** How soon a waiting process notices that the task is done. */
const LOOK_AGAIN_MS = 2_000;
/** Jitter, so that waiting processes do not claim an expired lease in the same millisecond. */
const LONGEST_STAGGER_MS = 250;

/** Runs a task unless another process does; waits while one is running it, and takes over if its lease expires. */
export async function runOnce<End>(
  task: (signal: AbortSignal) => Promise<End>,
  { claim, beatMs, stop, random }: {
    claim: () => Promise<LeaseClaim<End>>;
    beatMs: number;
    stop: AbortSignal;
    random: () => number;
  },
): Promise<OnceRun<End>> {
  while (!stop.aborted) {
    const claimed = await claim();
    if (claimed.kind === "taken") {
      return await runWithLease(task, { lease: claimed.lease, beatMs, stop });
    }
    if (claimed.kind === "ended") return { kind: "elsewhere", end: claimed.end };
    if (claimed.kind === "unreachable") return claimed;
    const pauseMs = Math.min(claimed.forMs, LOOK_AGAIN_MS);
    await pause(pauseMs + random() * LONGEST_STAGGER_MS, stop);
  }
  return { kind: "stopped" };
}
