/** The progress line: how much is done, how fast, and how much time is left. */
import type { CurrentPause } from "./checker.ts";

/** Counts results and measures their current rate. */
export type Rate = ReturnType<typeof createRate>;

const SAMPLE_MS = 500;
/** Ten seconds: long enough for a registry that answers once a second. */
const SAMPLES = 20;

/** Creates a rate that starts now. */
export function createRate(now: () => number) {
  let count = 0;
  const samples = [{ at: now(), count }];

  function sample(): void {
    const at = now();
    if (at - (samples.at(-1)?.at ?? 0) < SAMPLE_MS) return;
    samples.push({ at, count });
    if (samples.length > SAMPLES) samples.shift();
  }

  return {
    get count(): number {
      return count;
    },
    add(): void {
      count++;
    },
    /** The rate of the last seconds, so that cache hits at the start do not distort it; undefined without a result in them. */
    perSecond(): number | undefined {
      sample();
      const [first] = samples;
      if (first === undefined || count === first.count || samples.length < 2) return undefined;
      return (count - first.count) / (now() - first.at) * 1_000;
    },
  };
}

/** The progress of a run, and the host that it waits for. */
export interface Progress {
  done: number;
  /** Undefined when it is not known, as for a pipe. */
  total: number | undefined;
  /** The current rate; undefined when nothing was done lately. */
  perSecond: number | undefined;
  pause?: CurrentPause | undefined;
}

const MIN_BAR = 8;
const MAX_BAR = 30;

/**
 * Draws the line shorter than `columns`, because a line that wraps cannot be erased. It is ASCII, because terminals
 * disagree on the width of block characters. What does not fit is left out, the count last.
 */
export function drawProgress(progress: Progress, columns: number): string {
  const facts = factsOf(progress);
  while (facts.length > 1 && facts.join("  ").length >= columns) facts.pop();
  const line = facts.join("  ");
  const bar = barOf(progress, columns - line.length - 4);
  return `${bar}${line}`.slice(0, Math.max(0, columns - 1));
}

/** The most important first. */
function factsOf({ done, total, perSecond, pause }: Progress): string[] {
  const facts = [total === undefined ? `${done} checked` : `${done}/${total} checked`];
  if (pause !== undefined) facts.push(`waiting ${pause.seconds} s for ${pause.host}`);
  if (perSecond === undefined) return facts;
  facts.push(`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`);
  // The names that wait for the host are not done before its pause ends, however fast the others were.
  const leastSeconds = pause?.seconds ?? 0;
  if (total !== undefined) {
    facts.push(`${clock(Math.max(leastSeconds, (total - done) / perSecond))} left`);
  }
  return facts;
}

function barOf({ done, total }: Progress, columns: number): string {
  if (total === undefined || columns < MIN_BAR) return "";
  const width = Math.min(columns, MAX_BAR);
  const full = total === 0 ? width : Math.floor(Math.min(1, done / total) * width);
  return `[${"=".repeat(full)}${" ".repeat(width - full)}] `;
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const tail = `${whole % 60}`.padStart(2, "0");
  return hours > 0 ? `${hours}:${`${minutes}`.padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}
