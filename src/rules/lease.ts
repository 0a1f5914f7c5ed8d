/** Which process runs a job's tick: decides on a claim by the record that all processes share. */

/** The result of a run, with a text for the operator. */
export type Outcome =
  | { readonly kind: "done"; readonly message: string }
  | { readonly kind: "failed"; readonly reason: string };

/** How a run ended, and when (ms since 1970). */
export interface RunEnd {
  readonly at: number;
  readonly outcome: Outcome;
}

/** A job's lease; times are in ms since 1970. */
export interface LeaseRecord {
  /** The unique id of the claim that holds the lease. */
  readonly holder: string;
  /** The tick that the run is for. */
  readonly tickAt: number;
  /** When the lease expires unless it is extended. */
  readonly expiresAt: number;
  /** How the run ended; absent while it is in progress. */
  readonly ended?: RunEnd;
}

/** The answer to a claim. */
export type ClaimAnswer =
  | { kind: "free" }
  /** Another process is running the tick; check again after `forMs`. */
  | { kind: "held"; forMs: number }
  /** The tick is done. */
  | { kind: "ended"; end: RunEnd };

/**
 * Ticks closer together than this are one tick: clocks differ, and a busy process starts late. All jobs tick less
 * often.
 */
const SAME_TICK_MS = 5 * 60_000;

/** Answers a claim for the tick at `tickAt`; `Infinity` claims a new run regardless of earlier ones. */
export function answerClaim(
  record: LeaseRecord | undefined,
  { tickAt, now }: { tickAt: number; now: number },
): ClaimAnswer {
  if (record === undefined) return { kind: "free" };
  const { ended } = record;
  if (ended === undefined) {
    const forMs = record.expiresAt - now;
    // If the holder's clock is far ahead, or ours was set back, the lease must not block the job.
    return forMs > 0 && forMs < SAME_TICK_MS ? { kind: "held", forMs } : { kind: "free" };
  }
  // A failed run ends its tick only for claims that waited for it: a later claim is its retry. A tick further off, on
  // either side, is another one: if a clock was set back, runs must not stop until the old time returns.
  const isSameTick = Math.abs(tickAt - record.tickAt) < SAME_TICK_MS;
  const isOver = isSameTick && (ended.outcome.kind === "done" || ended.at >= tickAt);
  return isOver ? { kind: "ended", end: ended } : { kind: "free" };
}
