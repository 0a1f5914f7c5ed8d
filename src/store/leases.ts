/** Leases of jobs: `["lease", job]` → who runs it, until when he counts as alive, and how the last run ended. */
import type { Lease } from "../flow/held.ts";
import type { Claim } from "../flow/leased.ts";
import { answerClaim, type LeaseRecord, type RunEnd } from "../rules/lease.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Leases as all processes know them. */
export interface Leases {
  /** Claims a job for the tick at `tickAt`; `Infinity` claims it whoever has run it before. */
  claim(job: string, tickAt: number): Promise<Claim<RunEnd>>;
  /** Time after which a lease must have been extended, with room for one that fails. */
  readonly beatMs: number;
}

type Entry = Deno.KvEntryMaybe<LeaseRecord>;

/** What became of a write: done, overtaken by somebody else's, or nobody knows. */
type Written = "done" | "overtaken" | "unknown";

/** A process that stops for longer, as a laptop does, has lost its lease. */
const LEASE_MS = 30_000;
/** Writers of one SQLite file keep each other out now and then. */
const TRIES = 5;
const LONGEST_PAUSE_MS = 100;

/** Keeps leases in KV. Every write names the version that it replaces. */
export function createLeases(
  kv: GuardedKv,
  { now, leaseMs = LEASE_MS }: { now: () => number; leaseMs?: number },
): Leases {
  function read(job: string): Promise<Entry | undefined> {
    return kv.attempt((kv) => kv.get<LeaseRecord>(["lease", job]), undefined);
  }

  async function replace(entry: Entry, record: LeaseRecord): Promise<Written> {
    const result = await kv.attempt(
      (kv) => kv.atomic().check(entry).set(entry.key, record).commit(),
      undefined,
    );
    if (result === undefined) return "unknown";
    return result.ok ? "done" : "overtaken";
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
      return await replace(entry, next(record)) === "done" ? true : undefined;
    });
  }

  function leaseOf(job: string, { holder, expiresAt }: LeaseRecord): Lease<RunEnd> {
    let until = expiresAt;
    return {
      async extend() {
        const extended = now() + leaseMs;
        const kept = await change(job, holder, (record) => ({ ...record, expiresAt: extended }));
        if (kept) until = extended;
        // Where KV does not answer, nobody else can have claimed it before it lapses.
        return kept ?? now() < until;
      },
      async end(end) {
        await change(job, holder, (record) => ({ ...record, ended: end }));
      },
      async release() {
        await change(job, holder, (record) => ({ ...record, expiresAt: 0 }));
      },
    };
  }

  async function claim(job: string, tickAt: number): Promise<Claim<RunEnd>> {
    const entry = await patiently(() => read(job));
    if (entry === undefined) return { kind: "unreachable" };
    const answer = answerClaim(entry.value ?? undefined, { tickAt, now: now() });
    if (answer.kind !== "free") return answer;
    const record: LeaseRecord = {
      holder: crypto.randomUUID(),
      tickAt: Math.min(tickAt, now()),
      expiresAt: now() + leaseMs,
    };
    const written = await replace(entry, record);
    if (written === "done") return { kind: "taken", lease: leaseOf(job, record) };
    // What became of an unknown write shows in the record; one that was made and forgotten lapses.
    return { kind: "held", forMs: LONGEST_PAUSE_MS };
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
