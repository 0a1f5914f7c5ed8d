/** Something measured, beside what it is compared with. */
export interface Row {
  what: string;
  /** What was measured, each with its unit; medians where there were several rounds. */
  measured: Readonly<Record<string, string>>;
  /** Each round's. */
  ratios?: readonly number[];
  /** What the ratio, or else the measured number, should be. Nothing is asserted: machines are noisy. */
  target?: string;
}

/** A benchmark: it yields its rows as they are measured. */
export interface Benchmark {
  name: string;
  about: string;
  rows(): AsyncIterable<Row>;
}
