/** Results, notes and the progress line, which share one screen without overwriting each other. */
import type { Terminal } from "./terminal.ts";

/** What a run writes to. */
export type Screen = ReturnType<typeof createScreen>;

/** A shorter run shows no progress line. */
const SHOW_AFTER_MS = 500;
const REDRAW_MS = 250;
const CLEAR_LINE = "\r\x1b[2K";

/** Creates the screen; `progress` draws the line for a given width. */
export function createScreen(
  { write, err, columns }: Pick<Terminal, "write" | "err" | "columns">,
  progress: (columns: number) => string,
) {
  let shown = false;
  let writing = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (columns() > 0) timer = setTimeout(show, SHOW_AFTER_MS);

  function hide(): void {
    if (shown) err(CLEAR_LINE);
    shown = false;
  }

  function draw(): void {
    // A half-written result must not be interrupted by the line.
    if (writing > 0) return;
    err(`${CLEAR_LINE}${progress(columns())}`);
    shown = true;
  }

  function show(): void {
    timer = setTimeout(show, REDRAW_MS);
    draw();
  }

  /** Erases the progress line for good; results and notes may follow. */
  function close(): void {
    clearTimeout(timer);
    timer = undefined;
    hide();
  }

  return {
    /** Writes results; resolves when their reader has taken them. */
    async write(text: string): Promise<void> {
      const wasShown = shown;
      hide();
      writing++;
      try {
        await write(text);
      } finally {
        writing--;
      }
      if (wasShown && timer !== undefined) draw();
    },
    /** Writes a line to stderr. */
    note(line: string): void {
      const wasShown = shown;
      hide();
      err(`${line}\n`);
      if (wasShown) draw();
    },
    close,
    [Symbol.dispose]: close,
  };
}
