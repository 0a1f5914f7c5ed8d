/** Slots of a schedule that processes share: what is kept of it, and how slots are taken. */
import { type LearntPace, newerPace, paceInForce } from "./learnt_pace.ts";
import { type Pace, pacesByPriority, type Priority } from "./schedule.ts";

/** What processes share of one key's schedule. All times are schedule time (`shared_schedule.ts`), in ms. */
export interface SharedPace {
  /** When it was written. */
  readonly at: number;
  /** When all slots taken so far are used up: GCRA's theoretical arrival time. */
  readonly spentUntil: number;
  /** When each process took slots last, by its id, where that is less than ten minutes ago. */
  readonly takers: Readonly<Record<string, number>>;
  /** Where the burst of the pace is learnt. */
  readonly learnt?: LearntPace;
}

/** What a process asks of a schedule. */
export interface SlotRequest {
  readonly priority: Priority;
  /** The most slots that it takes. */
  readonly count: number;
  readonly pace: Pace;
  /** How far ahead a `foreground` slot may start, in ms; a `background` slot is taken only where it may start at once. */
  readonly horizonMs: number;
  /** Schedule time. */
  readonly time: number;
  /** How long the process will not know yet that it has the slots, in ms. */
  readonly delayMs: number;
  /** The id of the process. */
  readonly taker: string;
  /** What the process has learnt of the pace. */
  readonly learnt?: LearntPace | undefined;
}

/** What it gets. */
export interface SlotGrant {
  /** When the slots start, in schedule time, earliest first; none where they are too far off. */
  readonly slots: readonly number[];
  /** What is to be kept; undefined where no slot was taken. */
  readonly next: SharedPace | undefined;
  /** Schedule time before which no further slot can be had. */
  readonly againAt: number;
}

const TAKER_MS = 600_000;

/** Takes slots. However long ago or wrongly `kept` was written, it delays a slot by no more than the horizon and a burst. */
export function takeSlots(kept: SharedPace | undefined, request: SlotRequest): SlotGrant {
  const { priority, count, time, taker } = request;
  const learnt = newerPace(kept?.learnt, request.learnt);
  const pace = paceInForce(request.pace, learnt, time);
  const { burst, everyMs } = pacesByPriority(pace)[priority];
  const earliest = time + request.delayMs;
  const latest = earliest + (priority === "foreground" ? request.horizonMs : 0);
  const longest = earliest + request.horizonMs + pace.burst * pace.everyMs;
  let spentUntil = Math.min(kept?.spentUntil ?? -Infinity, longest);
  const startOfNext = () => spentUntil - (burst - 1) * everyMs;
  const slots: number[] = [];
  while (slots.length < count && startOfNext() <= latest) {
    slots.push(Math.max(earliest, startOfNext()));
    spentUntil = Math.max(spentUntil, earliest) + everyMs;
  }
  const againAt = startOfNext() - (latest - time);
  if (slots.length === 0) return { slots, next: undefined, againAt };
  const recent = Object.entries(kept?.takers ?? {}).filter(([, at]) => at > time - TAKER_MS);
  const takers = { ...Object.fromEntries(recent), [taker]: time };
  const next = { at: time, spentUntil, takers, ...(learnt !== undefined && { learnt }) };
  return { slots, next, againAt };
}
