/** The clocks of a process. A function asks for those that it reads. */
export interface Clock {
  /** The wall clock, for dates: ms since 1970. */
  readonly now: () => number;
  /** A clock in ms that is never set back, for pauses, paces and time limits. */
  readonly monotonic: () => number;
}
