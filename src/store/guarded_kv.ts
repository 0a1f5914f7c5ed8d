/** Deno KV behind a deadline and a circuit breaker: where KV fails or hangs, a check loses only its cache. */
import { withDeadline } from "../flow/deadline.ts";
import { createBackground, type Report } from "../flow/process.ts";
import { isLocked, type Kv } from "./open_kv.ts";

/** Runs operations on KV; their results are undefined where KV fails, hangs, or hung a moment ago. */
export type GuardedKv = ReturnType<typeof guardKv>;

/** Time limits of a KV, in ms: for one operation, and for how long it is not used after it hung. */
export interface KvTimeouts {
  deadlineMs: number;
  pauseMs: number;
}

/** A local commit takes 1 ms and one across regions 100 ms, but a busy machine may pause for longer. */
const DEADLINE_MS = 1_000;
/**
 * How long KV is not used after it hung, so that not every request waits for the deadline. The operation that hung may still
 * succeed, which ends the pause: Deno's KV Connect client repeats it for ever.
 */
const PAUSE_MS = 5_000;
const LATE = Symbol("late");
/** Operations in KV at once. More would wait in the queue of its one thread, behind each other, and seem to hang. */
const AT_ONCE = 64;
/**
 * Attempts in a second of the deadline while another process on the same file locks KV. The pauses between them take
 * 300 ms of it on average, so that a lock is not mistaken for a KV that hangs.
 */
const TRIES_PER_SECOND = 60;
const LONGEST_LOCK_PAUSE_MS = 10;

/**
 * Guards a KV store. Each change between working and failing is reported once. While it fails, one operation at a time
 * finds out whether it works again, and all others end at once: they would pile up in Deno's client.
 */
export function guardKv(
  kv: Kv,
  { report, monotonic, onEnd, deadlineMs = DEADLINE_MS, pauseMs = PAUSE_MS }: {
    report: Report;
    monotonic: () => number;
    /** Called with the time of each operation, its wait included. */
    onEnd?: (ms: number, result: OperationResult) => void;
  } & Partial<KvTimeouts>,
) {
  const tries = Math.ceil(TRIES_PER_SECOND * deadlineMs / 1_000);
  const underWay = createBackground(() => {});
  let failing: boolean | undefined;
  let pausedUntil = 0;
  let answeredAt = -Infinity;
  let isProbing = false;
  let isSettled = false;
  let active = 0;
  const waiting: (() => void)[] = [];

  function noteFailure(reason: string): void {
    if (failing !== true) report("kv.failing", { reason });
    failing = true;
  }

  function noteSuccess(): void {
    if (failing === true) report("kv.working", {});
    failing = false;
    pausedUntil = 0;
  }

  /** Retries the operation while KV is locked, so it may write only once, as its last step. */
  async function attempt<T>(operation: (kv: Kv) => Promise<T>): Promise<T | undefined> {
    const startedAt = monotonic();
    if (active < AT_ONCE) active++;
    else await new Promise<void>((begin) => waiting.push(begin));
    const isProbe = failing === true;
    let result: OperationResult = "skipped";
    try {
      if (isSettled || monotonic() < pausedUntil || (isProbe && isProbing)) return undefined;
      if (isProbe) isProbing = true;
      result = "failed";
      const running = unlocked(() => operation(kv), tries);
      underWay.run(running.then(() => answeredAt = monotonic()));
      const options = { monotonic, answeredAt: () => answeredAt };
      const value = await withDeadline(running, deadlineMs, LATE, options);
      if (value === LATE) {
        pausedUntil = monotonic() + pauseMs;
        noteFailure(`no answer within ${deadlineMs} ms`);
        running.then(noteSuccess, () => {});
        return undefined;
      }
      noteSuccess();
      result = "ok";
      return value as T;
    } catch (error) {
      noteFailure(String(error));
      return undefined;
    } finally {
      if (isProbe && result !== "skipped") isProbing = false;
      onEnd?.(monotonic() - startedAt, result);
      const next = waiting.shift();
      // Its place goes to the next one.
      if (next === undefined) active--;
      else next();
    }
  }

  return {
    attempt,
    /** Whether the last operation failed; undefined before the first one. */
    isFailing: () => failing,
    /** Starts no further operation, and settles once none is under way that KV may answer: it may be closed then. */
    async settled(): Promise<void> {
      isSettled = true;
      // A KV that never answers must not block the shutdown.
      await withDeadline(underWay.settled(), deadlineMs, undefined);
    },
  };
}

/** What became of an operation; `skipped`: KV was not used. */
type OperationResult = "ok" | "failed" | "skipped";

/** Runs an operation again, after a short pause, while the store is locked. */
async function unlocked<T>(operation: () => Promise<T>, most: number): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await operation();
    } catch (error) {
      if (tries >= most || !isLocked(error)) throw error;
    }
    // Of random length, or two processes would collide again and again.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_LOCK_PAUSE_MS));
  }
}

/**
 * Stores a value in KV under a key, which all processes share, and which the last write wins. `isReadable`: whether a value has
 * the form that is read, and not that of another version.
 */
export function createStoredValue<V>(
  kv: GuardedKv,
  key: Deno.KvKey,
  isReadable: (value: V) => boolean,
) {
  return {
    /** Undefined where none is stored, it has another form, or KV fails. */
    async get(): Promise<V | undefined> {
      const entry = await kv.attempt((kv) => kv.get<V>(key));
      return entry && readable(entry, isReadable);
    },
    async set(value: V): Promise<void> {
      await kv.attempt((kv) => kv.set(key, value));
    },
  };
}

/** An entry as this process has read or written it. */
export type KnownEntry<V> = Pick<Deno.KvEntryMaybe<V>, "value" | "versionstamp">;

/** The value of an entry that has the form which is read. */
function readable<V>({ value }: KnownEntry<V>, isReadable: (value: V) => boolean): V | undefined {
  return value !== null && isReadable(value) ? value : undefined;
}

/**
 * Changes an entry by compare-and-set and returns it, undefined where KV fails: a write never replaces what another process
 * has written since the read. Where `next` returns its argument, nothing is written.
 */
export function changeEntry<V>(
  kv: GuardedKv,
  key: Deno.KvKey,
  { isReadable = () => true, next, known, lifetimeMs, alongside = (operation) => operation }: {
    /** Whether a value has the form that is read, and not that of another version: `next` gets none then. */
    isReadable?: (value: V) => boolean;
    next: (current: V | undefined) => V | undefined;
    /** The entry as last seen: it saves the read, unless the entry has changed since. */
    known?: KnownEntry<V> | undefined;
    /** After how many ms KV may delete the value; never if absent. KV takes whole milliseconds, at least one. */
    lifetimeMs?: (value: V) => number;
    /** Adds mutations to the same commit. */
    alongside?: (operation: Deno.AtomicOperation) => Deno.AtomicOperation;
  },
): Promise<KnownEntry<V> | undefined> {
  return kv.attempt(async (kv): Promise<KnownEntry<V>> => {
    // Ends, because each conflict is another writer's success.
    for (let entry = known;; entry = undefined) {
      entry ??= await kv.get<V>(key);
      const current = readable(entry, isReadable);
      const value = next(current);
      if (value === undefined || value === current) return { ...entry, value: current ?? null };
      const { versionstamp } = entry;
      const options = lifetimeMs && { expireIn: Math.max(1, Math.round(lifetimeMs(value))) };
      const operation = kv.atomic().check({ key, versionstamp }).set(key, value, options);
      const result = await alongside(operation).commit();
      if (result.ok) return { value, versionstamp: result.versionstamp };
    }
  });
}
