import type { ProbeOptions } from "../src/lookup/server_tests.ts";
import type { Suffixes } from "../src/lookup/suffixes.ts";
import type { TableState } from "../src/lookup/tld_table.ts";
import type { Warmer } from "../src/lookup/warmers.ts";
import type { Outcome } from "../src/rules/job_outcome.ts";
import type { TldRow } from "../src/rules/tables/tlds.ts";

/** A task that the service runs on a schedule. */
export interface Job {
  /** At most 64 letters, digits, hyphens and underscores: Deno's rule. */
  readonly name: string;
  /** In UTC, as cron writes it; ticks are ten minutes apart or more. */
  readonly schedule: string;
  readonly about: string;
  /** Pauses before a failed run is repeated, in ms; at most five of at most an hour (Deno Deploy's rule). */
  readonly retryAfterMs: readonly number[];
  run(dependencies: JobDependencies, context: JobContext): Promise<Outcome>;
  /** Whether a starting service should run it without waiting for the next tick; never, if absent. */
  isOverdue?(dependencies: JobDependencies): Promise<boolean>;
}

/** The dependencies of all jobs; each job takes those that it needs. */
export interface JobDependencies {
  tlds: { fresh(): Promise<readonly TldRow[]>; refresh(): Promise<TableState> };
  prices: { refresh(): Promise<Outcome>; isOld(): Promise<boolean> };
  suffixes: Pick<Suffixes, "refreshZone" | "isZoneOld">;
  canary: { probe(rows: readonly TldRow[], options: ProbeOptions<TldRow>): Promise<void> };
  popular: { flush(): Promise<void> };
  /** One for each kind of name that is kept warm. */
  warmers: readonly Warmer[];
  now(): number;
}

/** The signal and the progress report of one run. */
export interface JobContext {
  /** Aborted when the run must end at once. */
  stop: AbortSignal;
  progress(done: number, total: number): void;
}
