/** Leases of jobs: `["lease", job]` → the process that runs it, until when it counts as alive, how the last run ended. */
import type { Clock } from "../flow/clock.ts";
import type { Lease, LeaseClaim } from "../flow/run_with_lease.ts";
import { answerClaim, type LeaseRecord, type RunEnd } from "../rules/lease.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Leases as all processes know them. */
export interface Leases {
  /** Claims a job for the tick at `tickAt`; `Infinity` claims it even if that tick has been run. */
  claim(job: string, tickAt: number): Promise<LeaseClaim<RunEnd>>;
  /** How often to extend a lease: often enough that one attempt may fail. */
  readonly beatMs: number;
}

/** A process that stops for longer, as a laptop does, has lost its lease. */
const LEASE_MS = 30_000;
/** A lease is worth a few attempts: writers of one SQLite file lock each other out now and then. */
const TRIES = 5;
const LONGEST_PAUSE_MS = 100;

/** Stores leases in KV. Every write names the version that it replaces. */
export function createLeases(
  kv: GuardedKv,
  { now, monotonic, leaseMs = LEASE_MS }: Clock & { leaseMs?: number },
): Leases {
  /** Changes the record while the holder has the lease; returns whether it has, undefined where KV failed. */
  function changeOwn(
    job: string,
    holder: string,
    next: (record: LeaseRecord) => LeaseRecord,
  ): Promise<boolean | undefined> {
    return retried(async () => {
      let isHeld = false;
      const ifHeld = (record: LeaseRecord | undefined) => {
        isHeld = record?.holder === holder && record.ended === undefined;
        return record !== undefined && isHeld ? next(record) : record;
      };
      return await changeEntry(kv, ["lease", job], { next: ifHeld }) && isHeld;
    });
  }

  /** The lease that was claimed or extended at `since` (monotonic ms), or later. */
  function leaseOf(job: string, holder: string, since: number): Lease<RunEnd> {
    let until = since + leaseMs;
    return {
      async extend() {
        const since = monotonic();
        const expiresAt = now() + leaseMs;
        const isHeld = await changeOwn(job, holder, (record) => ({ ...record, expiresAt }));
        if (isHeld) until = since + leaseMs;
        // Where KV fails, no other process can claim it before it expires.
        return isHeld ?? monotonic() < until;
      },
      async end(end) {
        await changeOwn(job, holder, (record) => ({ ...record, ended: end }));
      },
      async release() {
        await changeOwn(job, holder, (record) => ({ ...record, expiresAt: 0 }));
      },
    };
  }

  async function claim(job: string, tickAt: number): Promise<LeaseClaim<RunEnd>> {
    const holder = crypto.randomUUID();
    const since = monotonic();
    const claimed = await retried(async () => {
      let claim: LeaseClaim<RunEnd> = { kind: "unreachable" };
      const next = (record: LeaseRecord | undefined) => {
        claim = { kind: "taken", lease: leaseOf(job, holder, since) };
        // An earlier attempt was committed although its answer was lost.
        if (record?.holder === holder) return record;
        const answer = answerClaim(record, { tickAt, now: now() });
        if (answer.kind === "free") {
          return { holder, tickAt: Math.min(tickAt, now()), expiresAt: now() + leaseMs };
        }
        claim = answer;
        return record;
      };
      return await changeEntry(kv, ["lease", job], { next }) && claim;
    });
    return claimed ?? { kind: "unreachable" };
  }

  return { claim, beatMs: leaseMs / 3 };
}

/** Runs an operation again, after a short pause, while it returns undefined. */
async function retried<T>(operation: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let tries = 1;; tries++) {
    const result = await operation();
    if (result !== undefined || tries === TRIES) return result;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_PAUSE_MS));
  }
}
