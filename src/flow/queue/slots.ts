/** Slots of a shared schedule: the stored record, and how a process takes slots from it. */
import { type LearntPace, newerPace, paceInForce } from "./learnt_pace.ts";
import { areListsSlow, windowOpensAt, type WindowUse, withStarts } from "./published_window.ts";
import { type Pace, pacesByPriority, type StartPriority } from "./schedule.ts";

/** The stored record of one key's schedule. All times are schedule time (`shared_schedule.ts`), in ms. */
export interface SharedPace {
  /** When it was written. */
  readonly at: number;
  /** When all slots taken so far are used up: GCRA's theoretical arrival time. */
  readonly spentUntil: number;
  /** Where the burst of the pace is learnt. */
  readonly learnt?: LearntPace;
  /** Where the pace has a window. */
  readonly use?: WindowUse;
}

/** A process's request for slots. */
export interface SlotRequest {
  readonly priority: StartPriority;
  /** The most slots to take. */
  readonly count: number;
  readonly pace: Pace;
  /** How far ahead a slot may start, in ms, that need not start at once. */
  readonly horizonMs: number;
  /** Schedule time. */
  readonly time: number;
  /** How long the write takes, until which the process does not know that it has the slots, in ms. */
  readonly delayMs: number;
  /** What the process has learnt of the pace. */
  readonly learnt?: LearntPace | undefined;
  /** Starts that the record lacks, because the store failed. */
  readonly owed?: number;
}

/** The answer to a `SlotRequest`. */
export interface SlotGrant {
  /** When the slots start, in schedule time, earliest first; empty if they are too far ahead. */
  readonly slots: readonly number[];
  /** The record to store; undefined if it would not change. */
  readonly next: SharedPace | undefined;
  /** Schedule time before which no further slot is available. */
  readonly retryAt: number;
}

/** Takes slots. No `stored` record, however old or wrong, delays a slot by more than the horizon and a burst, or a window. */
export function takeSlots(stored: SharedPace | undefined, request: SlotRequest): SlotGrant {
  const { priority, count, time } = request;
  const learnt = newerPace(stored?.learnt, request.learnt);
  const pace = paceInForce(request.pace, learnt, time);
  const { burst, everyMs } = pacesByPriority(pace)[priority];
  const earliest = time + request.delayMs;
  const { window } = pace;
  const ofList = priority !== "foreground";
  let use = stored?.use;
  function addStarts(at: number, ofList: boolean, count = 1): void {
    if (window !== undefined) use = withStarts(window, use, { ofList, at, count });
  }
  if (request.owed) addStarts(time, false, request.owed);
  /** A list's task that had taken its slot ahead would keep a single question from starting before it. */
  function latest(): number {
    const isSlow = pace.headStart !== undefined ||
      (window !== undefined && areListsSlow(window, use, time));
    const mayWait = priority === "foreground" || (priority === "list" && !isSlow);
    return earliest + (mayWait ? request.horizonMs : 0);
  }
  const longest = earliest + request.horizonMs + pace.burst * pace.everyMs;
  let spentUntil = Math.min(stored?.spentUntil ?? -Infinity, longest);
  function startOfNext(): number {
    const opensAt = window && windowOpensAt(window, use, { ofList, time });
    return Math.max(spentUntil - (burst - 1) * everyMs, opensAt ?? -Infinity);
  }
  const slots: number[] = [];
  while (slots.length < count && startOfNext() <= latest()) {
    const slot = Math.max(earliest, startOfNext());
    slots.push(slot);
    spentUntil = Math.max(spentUntil, earliest) + everyMs;
    addStarts(slot, ofList);
  }
  const retryAt = startOfNext() - (latest() - time);
  if (slots.length === 0 && !request.owed) return { slots, next: undefined, retryAt };
  const next = {
    at: time,
    spentUntil,
    ...(learnt !== undefined && { learnt }),
    ...(use !== undefined && { use }),
  };
  return { slots, next, retryAt };
}
