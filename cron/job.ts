import type { Outcome } from "../src/rules/lease.ts";
import type { Upkeep } from "../src/upkeep.ts";

/** What the service does by itself at certain times. */
export interface Job {
  /** At most 64 letters, digits, hyphens and underscores: Deno's rule. */
  readonly name: string;
  /** In UTC, as cron writes it; ticks are ten minutes apart or more. */
  readonly schedule: string;
  readonly about: string;
  /** When a failed run is tried again, in ms after its end each; at most five of an hour at most (Deno Deploy's rule). */
  readonly retryAfterMs: readonly number[];
  run(upkeep: Upkeep, context: JobContext): Promise<Outcome>;
}

/** What a run is told, and tells while it goes on. */
export interface JobContext {
  /** Aborted when the run should end at once. */
  stop: AbortSignal;
  progress(done: number, total: number): void;
}
