/** A schedule of one key that processes share through a store, so that together they keep the pace of one. */
import type { Clock } from "../clock.ts";
import { startAlarm } from "../deadline.ts";
import { learn, type LearntPace, newerPace, paceInForce, type Reception } from "./learnt_pace.ts";
import { lastingIntervalMs } from "./pace.ts";
import { windowOpensAt, type WindowUse, withStarts } from "./published_window.ts";
import {
  createOwnSchedule,
  type Pace,
  pacesByPriority,
  type Schedule,
  type StartPriority,
  waitBehind,
} from "./schedule.ts";
import { type SharedPace, type SlotGrant, takeSlots } from "./slots.ts";

/*
 * The protocol. The store has one record per key: when the slots taken so far are used up (`spentUntil`). A process with
 * waiting tasks takes one slot per task, at most four, in one compare-and-set that advances `spentUntil`, and starts
 * tasks at the slots' times. It asks the store again only when they are used up.
 * - A slot belongs to the process, not to the task: if a task is cancelled, the next one gets its slot. A slot that is not
 *   used within `everyMs` of its time is dropped, so that delayed starts cannot pile up: in any time W all processes
 *   together start at most burst + 1 + W / everyMs tasks. With a window this is its lasting interval, because a dropped
 *   slot counts as used; each process keeps `everyMs` by itself.
 * - A process that dies loses its slots, at most four: the others wait no longer than 4 * everyMs for them.
 * - A slot of any other priority than `foreground` is taken only if it can start at once, so that it delays a later
 *   `foreground` task of another process by no more than itself.
 * - Schedule time is each process's monotonic clock, initially set from the wall clock. A record has the time at which it
 *   was written; a process that reads a time later than its own advances its own. So the fastest clock counts for all,
 *   later changes of a wall clock have no effect, and a record from the future causes no delay beyond its backlog. A
 *   clock that is behind by S can add S / everyMs starts until it has read a new record.
 * - A window (`published_window.ts`) is part of the record: how many slots were taken, by time.
 * - If the store fails, a process continues alone: without burst, at twice the lasting interval. `background` tasks wait until the store is back. Each change between alone and shared can add one start per
 *   process. Of what was left of a window each process takes its share, and adds its starts once the store is back: those
 *   of a few seconds, until all have.
 * - In addition, a process never exceeds the pace of one process.
 * - A learnt burst (`learnt_pace.ts`) is part of the record. Growth is written with the next slots; a fall at once, in a
 *   write of its own, so that the other processes read it before they take further slots.
 */

/** The outcome of a compare-and-set on the record; `conflict`: another process has changed it meanwhile. */
export type ChangeOutcome = "done" | "conflict" | "failed";

/** Replaces a key's record with the result of `next`; `undefined` leaves it unchanged. Must not reject. */
export type ChangePace = (
  next: (stored: SharedPace | undefined) => SharedPace | undefined,
) => Promise<ChangeOutcome>;

/** Options of a shared schedule. */
export interface SharedScheduleOptions extends Clock {
  change: ChangePace;
  /** How far ahead slots are taken, in ms: a task that would wait longer is rejected. */
  horizonMs: number;
  /** Called when a schedule that returned `Infinity` should be asked again. */
  wake: () => void;
}

const BATCH = 4;
/** A write that seems to have taken longer was interrupted, as by a laptop that slept: the next will not be. */
const LONGEST_WRITE_MS = 1_000;
/** Linear backoff, from the second conflict on: the first is mostly a record newer than the cached one. */
const CONFLICT_PAUSE_MS = 5;
/** Without the store a process keeps half of the pace. */
const SHARE_ALONE = 2;

/** Creates one process's part of a shared schedule. */
export function createSharedSchedule(
  pace: Pace,
  { change, horizonMs, now, monotonic, wake }: SharedScheduleOptions,
): Schedule {
  const fastest = { ...pace, everyMs: Math.min(pace.everyMs, pace.fastestEveryMs ?? Infinity) };
  const own = createOwnSchedule(fastest, { monotonic });
  let aheadMs = now() - monotonic();
  let slots: number[] = [];
  /** Of the last record that was read or written. */
  let spentUntil = -Infinity;
  let learnt: LearntPace | undefined;
  let use: WindowUse | undefined;
  /** Starts without the store since its last answer. */
  let owed = 0;
  /** Clean answers in a row. */
  let clean = 0;
  let isAsking = false;
  let conflicts = 0;
  let lastStart = -Infinity;
  let writeMs = 0;
  const retryAt: Record<StartPriority, number> = {
    foreground: -Infinity,
    bulk: -Infinity,
    list: -Infinity,
    background: -Infinity,
  };
  const scheduleTime = () => monotonic() + aheadMs;

  function usableAt(time: number): number[] {
    return slots.filter((slot) => slot + lastingIntervalMs(pace) >= time);
  }

  function take(priority: StartPriority, count: number): number {
    const time = scheduleTime();
    slots = usableAt(time);
    const [slot] = slots;
    if (slot !== undefined) return slot > time ? slot - time : start();
    if (isAsking) return Infinity;
    if (retryAt[priority] > time) return retryAt[priority] - time;
    isAsking = true;
    const mayWait = priority === "foreground" || priority === "list";
    void ask(priority, mayWait ? Math.min(count, BATCH) : 1);
    return Infinity;
  }

  function expectedMs(priority: StartPriority, ahead: number): number {
    const time = scheduleTime();
    const own = usableAt(time);
    const slot = own[ahead];
    if (slot !== undefined) return Math.max(0, slot - time);
    const inForce = pacesByPriority(paceInForce(pace, learnt, time))[priority];
    const further = ahead - own.length;
    const waitMs = waitBehind(further, spentUntil - time, inForce);
    // A process alone knows too little: with all tasks rejected at once it would not see that the store is back.
    return owed > 0 ? waitMs : Math.max(waitMs, windowAt(priority, time, further) - time);
  }

  /** When the window lets a task start, as far as is known. */
  function windowAt(priority: StartPriority, time: number, ahead = 0): number {
    if (pace.window === undefined) return -Infinity;
    return windowOpensAt(pace.window, use, { ofList: priority !== "foreground", time, ahead });
  }

  function start(): number {
    const pauseMs = own.take("foreground", 1);
    if (pauseMs > 0) return pauseMs;
    slots.shift();
    lastStart = monotonic();
    return 0;
  }

  async function ask(priority: StartPriority, count: number): Promise<void> {
    let grant: SlotGrant | undefined;
    let readAt = 0;
    const outcome = await change((stored) => {
      readAt = monotonic();
      if (stored !== undefined) aheadMs = Math.max(aheadMs, stored.at - readAt);
      learnt = newerPace(learnt, stored?.learnt);
      const time = scheduleTime();
      // Includes the write time: a slow store would otherwise return slots that are already late.
      const delayMs = writeMs;
      grant = takeSlots(stored, { priority, count, pace, horizonMs, time, delayMs, learnt, owed });
      // Without these slots: until they are written, the tasks that will get them count as waiting.
      spentUntil = stored?.spentUntil ?? -Infinity;
      use = stored?.use;
      return grant.next;
    });
    if (outcome === "done" && grant?.next !== undefined) {
      ({ spentUntil, use } = grant.next);
      writeMs = Math.min(monotonic() - readAt, LONGEST_WRITE_MS);
      owed = 0;
    }
    isAsking = false;
    conflicts = outcome === "conflict" ? conflicts + 1 : 0;
    switch (outcome) {
      case "done":
        slots.push(...grant?.slots ?? []);
        retryAt[priority] = grant?.slots.length === 0 ? grant.retryAt : -Infinity;
        break;
      case "conflict":
        retryAt[priority] = scheduleTime() + (conflicts - 1) * CONFLICT_PAUSE_MS;
        break;
      case "failed":
        startAlone(priority);
    }
    wake();
  }

  function startAlone(priority: StartPriority): void {
    const time = scheduleTime();
    const everyMs = lastingIntervalMs(paceInForce(pace, learnt, time)) * SHARE_ALONE;
    const at = Math.max(time, lastStart + aheadMs + everyMs);
    if (priority === "background" || windowAt(priority, time, SHARE_ALONE - 1) > at) {
      retryAt[priority] = time + everyMs;
      return;
    }
    slots.push(at);
    if (pace.window === undefined) return;
    owed++;
    // As if the other processes started as many.
    use = withStarts(pace.window, use, {
      ofList: priority !== "foreground",
      at,
      count: SHARE_ALONE,
    });
  }

  function note(reception: Reception): void {
    const time = scheduleTime();
    const before = learnt;
    clean = reception === "clean" ? clean + 1 : 0;
    learnt = learn(pace, before, reception, time, clean);
    if (learnt === before) return;
    if (learnt?.everyMs === undefined) {
      // With one more in the burst, each slot that was taken may start one interval earlier.
      const sooner = () => slots.map((slot) => Math.max(time, slot - pace.everyMs));
      slots = reception === "clean" ? sooner() : [];
    }
    if (reception === "limited") void share();
    wake();
  }

  /** Has the other processes know at once: they may be about to use the burst that was too much. */
  async function share(): Promise<void> {
    const outcome = await change((kept) => {
      const time = scheduleTime();
      const newest = newerPace(learnt, kept?.learnt);
      if (newest === undefined || newest === kept?.learnt) return undefined;
      return { spentUntil: time, ...kept, at: time, learnt: newest };
    });
    // After a pause: where another change of this process waits to be written, the store reports a conflict at once, and
    // an immediate retry would keep the event loop from ever writing it.
    if (outcome === "conflict") startAlarm(() => void share(), CONFLICT_PAUSE_MS);
  }

  return {
    take,
    expectedMs,
    everyMs: () => lastingIntervalMs(paceInForce(pace, learnt, scheduleTime())),
    note,
  };
}
