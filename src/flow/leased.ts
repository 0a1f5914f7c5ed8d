import { type Lease, type LeaseRun, runWithLease } from "./held.ts";
import { pause } from "./pause.ts";

/** What a claim came to. */
export type LeaseClaim<End> =
  | { kind: "taken"; lease: Lease<End> }
  /** Somebody else is at it; to be claimed again after `forMs`. */
  | { kind: "held"; forMs: number }
  /** Somebody else has done it. */
  | { kind: "ended"; end: End }
  /** Whoever keeps the leases does not answer. */
  | { kind: "unreachable" };

/** What became of a task that one of many was to do. */
export type OnceRun<End> = LeaseRun<End> | { kind: "elsewhere"; end: End } | {
  kind: "unreachable";
};

/** Whoever stands by learns this soon that the task is done. */
const LOOK_AGAIN_MS = 2_000;
/** Several that find a lapsed lease should not all claim it in the same millisecond. */
const LONGEST_STAGGER_MS = 250;

/** Does a task if nobody else does; stands by while somebody is at it, and takes over where he does not end it. */
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
