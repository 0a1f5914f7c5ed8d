/** Heartbeats: `["process", id, start]` → when a process last reported that it runs; both times in ms since 1970. */
import type { Clock } from "../flow/clock.ts";
import { type Alarm, startAlarm } from "../flow/deadline.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** How many processes share KV. */
export interface ProcessCount {
  /** This process and those whose heartbeats it knows; 1 before the first reading. */
  current(): number;
  /**
   * Whether it has heard another process that has run for an hour: that one has seen a test of every registry, and what is
   * missing in KV. A heartbeat counts if it has changed since this process first read it: KV may be an older copy.
   */
  hasHeard(): boolean;
  /** Sends a heartbeat and reads those of the others, now and from then on. */
  start(): void;
  /** Withdraws this process's heartbeat. */
  stop(): Promise<void>;
}

/** Between two heartbeats: a process adds four reads and two writes a minute to what KV costs. */
const LONGEST_PAUSE_MS = 30_000;
/** After the first one; doubled each time, because processes often start together. */
const SHORTEST_PAUSE_MS = 1_000;
/** A process that was silent for so long is dead: three heartbeats. */
const LIFETIME_MS = 90_000;

/** Registries are tested hourly. */
const LONG_MS = 60 * 60_000;

/** More entries than this are not read: processes that crash as soon as they start leave one each. */
const MOST_READ = 1_000;

/** Creates the count of one process. Without `start` it sends nothing, as befits a command that runs for seconds. */
export function createProcessCount(
  kv: Pick<GuardedKv, "attempt">,
  { beforeBeat = () => Promise.resolve(), now, monotonic, alarm = startAlarm }: {
    /** Awaited before each heartbeat: another process that hears it believes what KV has then. Must not reject. */
    beforeBeat?: () => Promise<void>;
    alarm?: (ring: () => void, ms: number) => Alarm;
  } & Clock,
): ProcessCount {
  const key: Deno.KvKey = ["process", crypto.randomUUID(), now()];
  /** The first heartbeats that were read of other processes, by id. */
  const first = new Map<string, number>();
  let hasHeard = false;
  let last = 1;
  // After an outage the heartbeats of the others are old although they run, or lost with KV's data: until all had time for
  // one, the count does not fall.
  let least = 1;
  let leastUntil = -Infinity;
  let pauseMs = SHORTEST_PAUSE_MS;
  let next: Alarm | undefined;
  let beating: Promise<void> | undefined;
  let isAnnounced = false;
  let isStopped = false;

  function current(): number {
    return monotonic() < leastUntil ? Math.max(last, least) : last;
  }

  function hear(id: string, since: unknown, at: number): void {
    const firstAt = first.get(id) ?? at;
    first.set(id, firstAt);
    const hasRunLong = typeof since === "number" && at - since >= LONG_MS;
    if (hasRunLong && at !== firstAt) hasHeard = true;
  }

  async function beat(): Promise<void> {
    await beforeBeat();
    const found = await kv.attempt(async (kv) => {
      const time = now();
      const entries = kv.list<number>({ prefix: ["process"] }, { limit: MOST_READ });
      let others = 0;
      let hasOwn = false;
      for await (const { key: [, id, since], value } of entries) {
        if (id === key[1]) {
          hasOwn = true;
          continue;
        }
        if (value > time - LIFETIME_MS) others++;
        if (!hasHeard) hear(String(id), since, value);
      }
      await kv.set(key, time, { expireIn: LIFETIME_MS });
      return { others, hasOwn };
    }, undefined);
    if (found === undefined || isAnnounced && !found.hasOwn) {
      least = current();
      leastUntil = Infinity;
    }
    if (found !== undefined) {
      last = found.others + 1;
      isAnnounced = true;
      if (leastUntil === Infinity) leastUntil = monotonic() + LIFETIME_MS;
    }
    if (isStopped) return;
    next = alarm(start, pauseMs);
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }

  function start(): void {
    beating = beat();
  }

  return {
    current,
    hasHeard: () => hasHeard,
    start,
    async stop() {
      isStopped = true;
      next?.stop();
      if (beating === undefined) return;
      await beating;
      await kv.attempt((kv) => kv.delete(key), undefined);
    },
  };
}
