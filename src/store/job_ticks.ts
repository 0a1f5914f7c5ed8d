/** Who runs a job's tick: `["job", name, tick]` → the process that has written it first, and how its run ended. */
import type { RunEnd } from "../rules/job_outcome.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** What is known of a tick. */
export interface TickRecord {
  /** The id of the process that runs it. */
  readonly holder: string;
  /** Absent while it runs, or if its process has died. */
  readonly end?: RunEnd;
}

/** The ticks, as all processes know them. */
export type JobTicks = ReturnType<typeof createJobTicks>;

/** `/health` of a process that has not run the tick shows its end until the next one; ticks are a day apart at most. */
const LIFETIME_MS = 25 * 3_600_000;

/** Stores them in KV. */
export function createJobTicks(kv: GuardedKv) {
  const options = { expireIn: LIFETIME_MS };
  return {
    /** Takes a tick; returns the record of who has it then. Undefined if KV fails. */
    take: (job: string, tick: number, holder: string) =>
      kv.attempt(async (kv) => {
        const key = ["job", job, tick];
        const record: TickRecord = { holder };
        const taking = kv.atomic().check({ key, versionstamp: null }).set(key, record, options);
        if ((await taking.commit()).ok) return record;
        return (await kv.get<TickRecord>(key)).value ?? undefined;
      }, undefined),
    /** Records how the run of a tick ended. */
    end: (job: string, tick: number, record: TickRecord) =>
      kv.attempt(async (kv) => void await kv.set(["job", job, tick], record, options), undefined),
  };
}
