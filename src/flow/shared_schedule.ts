/** A schedule of one key that processes share through a store, so that together they start no more than one would. */
import { learn, type LearntPace, newerPace, paceInForce, type Reception } from "./learnt_pace.ts";
import { createOwnSchedule, type Pace, type Priority, type Schedule } from "./schedule.ts";
import { type SharedPace, type SlotGrant, takeSlots } from "./slots.ts";

/*
 * The protocol. The store keeps one record a key: until when the slots taken so far are used up (`spentUntil`). A process
 * whose tasks wait takes as many slots as tasks wait, four at most, in one compare-and-set that moves `spentUntil` on,
 * and starts tasks at the slots' times. Only when they are used up does it ask the store again.
 * - A slot belongs to the process, not to the task: when a task leaves, the next one gets its slot. A slot that is not
 *   used within `everyMs` of its time is dropped, so that delayed starts cannot pile up: in any time W all processes
 *   start no more than burst + 1 + W / everyMs.
 * - A process that dies loses its slots, four at most: the others wait no longer than 4 * everyMs for them.
 * - A `background` slot is taken only where it could start at once, so that it never delays a later `foreground` task of
 *   another process by more than itself.
 * - Schedule time is each process's monotonic clock, first set by the wall clock. A record carries the time at which it
 *   was written, and a process that reads a later time than its own moves its own ahead. So the fastest clock counts for
 *   all, no clock that is set later matters, and a record from the future delays nothing by more than its backlog. A
 *   clock that is behind by S can add S / everyMs starts until it has read a new record.
 * - Where the store fails, a process goes on alone: without burst, at `everyMs` times the number of processes that took
 *   slots in the ten minutes before the last record it read, two at least. `background` tasks wait until the store is
 *   back. Each change between alone and together can add one start a process.
 * - Besides, a process never starts more than the pace allows one process.
 * - A burst that is learnt (`learnt_pace.ts`) travels in the record. Growth is written with the next slots; a fall at
 *   once, in a write of its own, so that the others learn of it before they take further slots.
 */

/** How a change of the record ended; after `conflict`, another process has changed it meanwhile. */
export type ChangeOutcome = "done" | "conflict" | "failed";

/** Replaces a key's record by what `next` makes of it; `undefined`: it stays as it is. Must not reject. */
export type ChangePace = (
  next: (kept: SharedPace | undefined) => SharedPace | undefined,
) => Promise<ChangeOutcome>;

/** What a shared schedule needs. */
export interface SharedScheduleOptions {
  change: ChangePace;
  /** The id of this process. */
  taker: string;
  /** How far ahead slots are taken, in ms: a task that would wait longer is not kept waiting. */
  horizonMs: number;
  /** The wall clock, read once: ms since 1970. */
  now: () => number;
  monotonic: () => number;
  /** Called when a schedule that gave `Infinity` is to be asked again. */
  wake: () => void;
}

const BATCH = 4;
/** Longer after each conflict but the first, which mostly is a record that is not as new as was assumed. */
const CONFLICT_PAUSE_MS = 5;
/** The processes that are assumed where the store fails and fewer were seen. */
const LEAST_TAKERS = 2;

/** Creates one process's part of a shared schedule. */
export function createSharedSchedule(
  pace: Pace,
  { change, taker, horizonMs, now, monotonic, wake }: SharedScheduleOptions,
): Schedule {
  const own = createOwnSchedule(pace, { monotonic });
  let aheadMs = now() - monotonic();
  let slots: number[] = [];
  let learnt: LearntPace | undefined;
  let isAsking = false;
  let takers = 0;
  let conflicts = 0;
  let lastStart = -Infinity;
  let writeMs = 0;
  const againAt: Record<Priority, number> = { foreground: -Infinity, background: -Infinity };
  const scheduleTime = () => monotonic() + aheadMs;

  function take(priority: Priority, waiting: number): number {
    const time = scheduleTime();
    slots = slots.filter((slot) => slot + pace.everyMs >= time);
    const [slot] = slots;
    if (slot !== undefined) return slot > time ? slot - time : start();
    if (isAsking) return Infinity;
    if (againAt[priority] > time) return againAt[priority] - time;
    isAsking = true;
    void ask(priority, priority === "foreground" ? Math.min(waiting, BATCH) : 1);
    return Infinity;
  }

  function start(): number {
    const pauseMs = own.take("foreground", 1);
    if (pauseMs > 0) return pauseMs;
    slots.shift();
    lastStart = monotonic();
    return 0;
  }

  async function ask(priority: Priority, count: number): Promise<void> {
    let grant: SlotGrant | undefined;
    let readAt = 0;
    const outcome = await change((kept) => {
      readAt = monotonic();
      if (kept !== undefined) aheadMs = Math.max(aheadMs, kept.at - readAt);
      learnt = newerPace(learnt, kept?.learnt);
      const time = scheduleTime();
      // Without the time that writing takes, a slow store would give slots that are late already.
      const delayMs = writeMs;
      grant = takeSlots(kept, { priority, count, pace, horizonMs, time, delayMs, taker, learnt });
      takers = Object.keys((grant.next ?? kept)?.takers ?? {}).length;
      return grant.next;
    });
    if (outcome === "done" && grant?.next !== undefined) writeMs = monotonic() - readAt;
    isAsking = false;
    conflicts = outcome === "conflict" ? conflicts + 1 : 0;
    switch (outcome) {
      case "done":
        slots.push(...grant?.slots ?? []);
        againAt[priority] = grant?.slots.length === 0 ? grant.againAt : -Infinity;
        break;
      case "conflict":
        againAt[priority] = scheduleTime() + (conflicts - 1) * CONFLICT_PAUSE_MS;
        break;
      case "failed":
        goOnAlone(priority);
    }
    wake();
  }

  function goOnAlone(priority: Priority): void {
    const time = scheduleTime();
    const everyMs = paceInForce(pace, learnt, time).everyMs * Math.max(LEAST_TAKERS, takers);
    if (priority === "background") againAt.background = time + everyMs;
    else slots.push(Math.max(time, lastStart + aheadMs + everyMs));
  }

  function note(reception: Reception): void {
    const time = scheduleTime();
    const before = learnt;
    learnt = learn(pace, before, reception, time);
    if (learnt === before) return;
    if (reception === "clean") {
      // With one more in the burst, each slot that was taken may start one interval earlier.
      slots = slots.map((slot) => Math.max(time, slot - pace.everyMs));
    } else {
      slots = [];
      void share();
    }
    wake();
  }

  /** Has the other processes know at once: they may be about to use the burst that was too much. */
  async function share(): Promise<void> {
    const outcome = await change((kept) => {
      const time = scheduleTime();
      const newest = newerPace(learnt, kept?.learnt);
      if (newest === undefined || newest === kept?.learnt) return undefined;
      return { spentUntil: time, takers: {}, ...kept, at: time, learnt: newest };
    });
    if (outcome === "conflict") await share();
  }

  return { take, note };
}
