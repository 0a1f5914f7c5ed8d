/** The screen that results, notes and the progress line share, and what that line shows: count, rate and time left. */
import type { Terminal } from "./terminal.ts";

/** How often the progress line is drawn anew; a shorter run shows none. */
const REDRAW_MS = 500;
const CLEAR_LINE = "\r\x1b[2K";

/** Creates the screen; `progress` draws the line for a given width. */
export function createScreen(
  { write, err, columns }: Pick<Terminal, "write" | "err" | "columns">,
  progress: (columns: number) => string,
) {
  let shown = false;
  /** Empty before the first is drawn, and once the screen is closed. */
  let line = "";
  let writing = 0;
  const timer = columns() > 0 ? setInterval(show, REDRAW_MS) : undefined;

  function hide(): void {
    if (shown) err(CLEAR_LINE);
    shown = false;
  }

  function draw(): void {
    // A half-written result must not be interrupted by the line.
    if (line === "" || writing > 0) return;
    err(`${CLEAR_LINE}${line}`);
    shown = true;
  }

  function show(): void {
    line = progress(columns());
    draw();
  }

  /** Erases the progress line for good; results and notes may follow. */
  function close(): void {
    clearInterval(timer);
    line = "";
    hide();
  }

  return {
    /** Writes results; resolves when their reader has taken them. */
    async write(text: string): Promise<void> {
      hide();
      writing++;
      try {
        await write(text);
      } finally {
        writing--;
      }
      draw();
    },
    /** Writes a line to stderr. */
    note(text: string): void {
      hide();
      err(`${text}\n`);
      draw();
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** Of a line that is drawn twice a second, ten seconds: long enough for a registry that answers once a second. */
const SAMPLES = 20;

/**
 * Starts to measure the rate at which `countNow` grows a second. It is that of the last calls, so that cache hits at the
 * start do not distort it; undefined if nothing was counted between them.
 */
export function startRate(countNow: () => number, now: () => number): () => number | undefined {
  let samples = [{ at: now(), count: countNow() }];
  return () => {
    const last = { at: now(), count: countNow() };
    samples = [...samples, last].slice(-SAMPLES);
    const [first = last] = samples;
    if (last.count === first.count) return undefined;
    return (last.count - first.count) / (last.at - first.at) * 1_000;
  };
}

/** Draws the line shorter than `columns`, because a line that wraps cannot be erased. What does not fit is left out, the count last. */
export function drawProgress(
  { done, total, perSecond }: {
    done: number;
    /** Undefined when it is not known, as for a pipe. */
    total: number | undefined;
    /** The current rate; undefined when nothing was done lately. */
    perSecond: number | undefined;
  },
  columns: number,
): string {
  const facts = [total === undefined ? `${done} checked` : `${done}/${total} checked`];
  if (perSecond !== undefined) {
    facts.push(`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`);
    const seconds = Math.max(0, Math.ceil(((total ?? done) - done) / perSecond));
    const left = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
    if (total !== undefined) facts.push(`${left} left`);
  }
  while (facts.length > 1 && facts.join("  ").length >= columns) facts.pop();
  return facts.join("  ").slice(0, Math.max(0, columns - 1));
}
