/** How fast tasks of one key may start. */
export interface Pace {
  /** Concurrent tasks. */
  readonly concurrency: number;
  /** Tasks that may start without a pause between them. */
  readonly burst: number;
  /** Where given, the burst is learnt (`learnt_pace.ts`): it starts here and grows up to `burst`. */
  readonly firstBurst?: number;
  /** Interval after which one more may start, in ms; 0: `concurrency` is the only limit. */
  readonly everyMs: number;
  /** Where given, the interval is learnt: it starts at `everyMs` and falls to this. */
  readonly fastestEveryMs?: number;
}
