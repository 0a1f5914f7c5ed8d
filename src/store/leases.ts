/** Leases of jobs: `["lease", job]` → who runs it, until when he counts as alive, and how the last run ended. */
import type { Lease, LeaseClaim } from "../flow/run_with_lease.ts";
import { answerClaim, type LeaseRecord, type RunEnd } from "../rules/lease.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Leases as all processes know them. */
export interface Leases {
  /** Claims a job for the tick at `tickAt`; `Infinity` claims it whoever has run it before. */
  claim(job: string, tickAt: number): Promise<LeaseClaim<RunEnd>>;
  /** Time after which a lease must have been extended, with room for one that fails. */
  readonly beatMs: number;
}

type Entry = Deno.KvEntryMaybe<LeaseRecord>;

/** A process that stops for longer, as a laptop does, has lost its lease. */
const LEASE_MS = 30_000;
/** Writers of one SQLite file keep each other out now and then. */
const TRIES = 5;
const LONGEST_PAUSE_MS = 100;

/** Keeps leases in KV. Every write names the version that it replaces. */
export function createLeases(
  kv: GuardedKv,
  { now, monotonic, leaseMs = LEASE_MS }: {
    now: () => number;
    /** Milliseconds of a clock that is never set, by which a holder knows that its lease has lapsed. */
    monotonic: () => number;
    leaseMs?: number;
  },
): Leases {
  function read(job: string): Promise<Entry | undefined> {
    return kv.attempt((kv) => kv.get<LeaseRecord>(["lease", job]), undefined);
  }

  /** Whether the record is known to have been replaced: it may have been all the same. */
  async function replace(entry: Entry, record: LeaseRecord): Promise<boolean> {
    const result = await kv.attempt(
      (kv) => kv.atomic().check(entry).set(entry.key, record).commit(),
      undefined,
    );
    return result?.ok === true;
  }

  /** Changes the record while it is the holder's; undefined where KV does not answer. */
  function change(
    job: string,
    holder: string,
    next: (record: LeaseRecord) => LeaseRecord,
  ): Promise<boolean | undefined> {
    return patiently(async () => {
      const entry = await read(job);
      if (entry === undefined) return undefined;
      const record = entry.value;
      if (record?.holder !== holder || record.ended !== undefined) return false;
      return await replace(entry, next(record)) ? true : undefined;
    });
  }

  /** The lease that was claimed or extended at `since` (monotonic ms), or later. */
  function leaseOf(job: string, holder: string, since: number): Lease<RunEnd> {
    let until = since + leaseMs;
    return {
      async extend() {
        const since = monotonic();
        const expiresAt = now() + leaseMs;
        const kept = await change(job, holder, (record) => ({ ...record, expiresAt }));
        if (kept) until = since + leaseMs;
        // Where KV does not answer, no other process can have claimed it before it lapses.
        return kept ?? monotonic() < until;
      },
      async end(end) {
        await change(job, holder, (record) => ({ ...record, ended: end }));
      },
      async release() {
        await change(job, holder, (record) => ({ ...record, expiresAt: 0 }));
      },
    };
  }

  async function tryToClaim(
    job: string,
    holder: string,
    { tickAt, since }: { tickAt: number; since: number },
  ): Promise<LeaseClaim<RunEnd> | undefined> {
    const entry = await read(job);
    if (entry === undefined) return undefined;
    // An earlier try's write was made although KV did not say so.
    if (entry.value?.holder === holder) return taken(job, holder, since);
    const answer = answerClaim(entry.value ?? undefined, { tickAt, now: now() });
    if (answer.kind !== "free") return answer;
    const record = { holder, tickAt: Math.min(tickAt, now()), expiresAt: now() + leaseMs };
    return await replace(entry, record) ? taken(job, holder, since) : undefined;
  }

  function taken(job: string, holder: string, since: number): LeaseClaim<RunEnd> {
    return { kind: "taken", lease: leaseOf(job, holder, since) };
  }

  async function claim(job: string, tickAt: number): Promise<LeaseClaim<RunEnd>> {
    const holder = crypto.randomUUID();
    const times = { tickAt, since: monotonic() };
    const claimed = await patiently(() => tryToClaim(job, holder, times));
    return claimed ?? { kind: "unreachable" };
  }

  return { claim, beatMs: leaseMs / 3 };
}

/** Tries an operation again, after a short pause, while it gives undefined. */
async function patiently<T>(operation: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let tries = 1;; tries++) {
    const result = await operation();
    if (result !== undefined || tries === TRIES) return result;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_PAUSE_MS));
  }
}
