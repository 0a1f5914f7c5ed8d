/** Which process runs a job's tick: what the record that all of them share says about a claim. */

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
  /** The claim whose it is: each has a name of its own. */
  readonly holder: string;
  /** When the tick fell that the run is for. */
  readonly tickAt: number;
  /** Until when the holder counts as alive. */
  readonly expiresAt: number;
  /** How the run ended; absent while it goes on. */
  readonly ended?: RunEnd;
}

/** What a claim comes to. */
export type ClaimAnswer =
  | { kind: "free" }
  /** Somebody is at it; to be looked at again after `forMs`. */
  | { kind: "held"; forMs: number }
  /** Nothing is left to do for this tick. */
  | { kind: "ended"; end: RunEnd };

/**
 * Ticks that are nearer to each other than this are one: clocks differ, and a busy process hears of its tick late. All
 * jobs tick more seldom.
 */
const SAME_TICK_MS = 5 * 60_000;

/** Answers a claim for the tick at `tickAt`; `Infinity` claims a run after all that were. */
export function answerClaim(
  record: LeaseRecord | undefined,
  { tickAt, now }: { tickAt: number; now: number },
): ClaimAnswer {
  if (record === undefined) return { kind: "free" };
  const { ended } = record;
  if (ended === undefined) {
    const forMs = record.expiresAt - now;
    // A holder whose clock is far ahead, or an own clock that was set back, must not keep the job from all others.
    return forMs > 0 && forMs < SAME_TICK_MS ? { kind: "held", forMs } : { kind: "free" };
  }
  // A failed run ends its tick only for claims that waited for it: a claim that comes later is its retry. One that lies
  // further off is another tick, or a clock was set back: for as long as that, no run would be tried again.
  const isSameTick = Math.abs(tickAt - record.tickAt) < SAME_TICK_MS;
  const isOver = isSameTick && (ended.outcome.kind === "done" || ended.at >= tickAt);
  return isOver ? { kind: "ended", end: readEnd(ended) } : { kind: "free" };
}

/** Reads an end from KV; in records from before 2026-11-22 the texts are named `told` and `why`. */
function readEnd({ at, outcome }: RunEnd): RunEnd {
  const { told = "", why = "" } = outcome as { told?: string; why?: string };
  return outcome.kind === "done"
    ? { at, outcome: { kind: "done", message: outcome.message ?? told } }
    : { at, outcome: { kind: "failed", reason: outcome.reason ?? why } };
}
