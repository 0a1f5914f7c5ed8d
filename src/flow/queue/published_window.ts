/** When tasks may start at a host that has published a limit, such as 1,800 queries in 15 minutes. */

/** The published limit. */
export interface PublishedWindow {
  /** Queries that the host allows in any `ms`. */
  readonly limit: number;
  readonly ms: number;
}

/** What is used of a window. All times are schedule time (`shared_schedule.ts`), in ms. */
export interface WindowUse {
  /** The starts by the time until which they count, earliest first. */
  readonly starts: readonly (readonly [until: number, count: number])[];
  /** No task of a list may start before, while lists are slow. */
  readonly listsFrom: number;
}

/** The rest is for other programs of the same network. */
const USED_SHARE = 2 / 3;
/** Of what is used: when half of it is left, lists become slow, and the last quarter is for single questions. */
const SLOW_SHARE = 1 / 2;
const SINGLE_SHARE = 1 / 4;
/** The starts of a fifteenth of the window count until the same time, so that the record stays small. */
const PARTS = 15;
/** A task may start some time after its slot. */
const LATE_MS = 1_000;
const UNUSED: WindowUse = { starts: [], listsFrom: 0 };

/** How many tasks may start in the window. */
function mostOf({ limit }: PublishedWindow): number {
  return Math.floor(limit * USED_SHARE);
}

/** For how long a start counts, at most. */
function countedMs({ ms }: PublishedWindow): number {
  return ms + ms / PARTS + LATE_MS;
}

/** The interval at which tasks may start for ever. */
export function evenIntervalMs(window: PublishedWindow): number {
  return countedMs(window) / mostOf(window);
}

/** The interval of slow lists, which never use up more than what is between half and a quarter. */
function slowIntervalMs(window: PublishedWindow): number {
  return evenIntervalMs(window) / (SLOW_SHARE - SINGLE_SHARE);
}

/** When a task may start that has `ahead` others before it, as far as is known at `time`; before `time`: at once. */
export function windowOpensAt(
  window: PublishedWindow,
  use: WindowUse = UNUSED,
  { ofList, time, ahead = 0 }: { ofList: boolean; time: number; ahead?: number },
): number {
  const most = mostOf(window);
  if (!ofList) return timeOfUse(window, use, { atMost: most - 1 - ahead, time });
  const slowAhead = ahead - Math.max(0, most * SLOW_SHARE - usedAt(window, use, time));
  if (slowAhead < 0) return -Infinity;
  return Math.max(
    Math.max(use.listsFrom, time) + slowAhead * slowIntervalMs(window),
    timeOfUse(window, use, { atMost: most * (1 - SINGLE_SHARE) - 1, time }),
  );
}

/** Whether lists are slow. */
export function areListsSlow(
  window: PublishedWindow,
  use: WindowUse | undefined,
  time: number,
): boolean {
  return usedAt(window, use, time) >= mostOf(window) * SLOW_SHARE;
}

/** The use after `count` further starts. */
export function withStarts(
  window: PublishedWindow,
  use: WindowUse = UNUSED,
  { ofList, at, count = 1 }: { ofList: boolean; at: number; count?: number },
): WindowUse {
  const partMs = window.ms / PARTS;
  const until = Math.ceil((at + LATE_MS) / partMs) * partMs + window.ms;
  const starts = new Map(counted(window, use, at));
  starts.set(until, (starts.get(until) ?? 0) + count);
  const isSlow = ofList && areListsSlow(window, use, at);
  return {
    starts: [...starts].toSorted(([one], [other]) => one - other),
    listsFrom: isSlow ? at + slowIntervalMs(window) : use.listsFrom,
  };
}

/** The starts that count at a time. One from the far future is wrong: it would count for ever. */
function counted(window: PublishedWindow, { starts }: WindowUse, time: number) {
  return starts.filter(([until]) => until > time && until < time + 2 * window.ms);
}

function usedAt(window: PublishedWindow, use: WindowUse = UNUSED, time: number): number {
  return counted(window, use, time).reduce((sum, [, count]) => sum + count, 0);
}

/** When no more than `atMost` of the starts so far count. */
function timeOfUse(
  window: PublishedWindow,
  use: WindowUse,
  { atMost, time }: { atMost: number; time: number },
): number {
  let used = usedAt(window, use, time);
  let at = -Infinity;
  for (const [until, count] of counted(window, use, time)) {
    if (used <= atMost) break;
    used -= count;
    at = until;
  }
  return at;
}
