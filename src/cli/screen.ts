/** Results, notes and the progress line, which may all be on one screen without getting in each other's way. */
import type { Terminal } from "./terminal.ts";

/** What a run writes to while it runs. */
export interface Screen extends Disposable {
  /** Writes results; settles once their reader has taken them. */
  write(text: string): Promise<void>;
  /** Writes a line to stderr. */
  note(line: string): void;
  /** Wipes the progress line away, for good; results and notes may follow. */
  close(): void;
}

/** A run that is over sooner needs no progress line. */
const PATIENCE_MS = 500;
const EVERY_MS = 250;
const CLEAR_LINE = "\r\x1b[2K";

/** Creates the screen; `progress` draws the line for a width. */
export function createScreen(
  { write, err, columns }: Pick<Terminal, "write" | "err" | "columns">,
  progress: (columns: number) => string,
): Screen {
  let shown = false;
  let writing = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (columns() > 0) timer = setTimeout(show, PATIENCE_MS);

  function hide(): void {
    if (shown) err(CLEAR_LINE);
    shown = false;
  }

  function draw(): void {
    // Between the halves of a result there is no place for it.
    if (writing > 0) return;
    err(`${CLEAR_LINE}${progress(columns())}`);
    shown = true;
  }

  function show(): void {
    timer = setTimeout(show, EVERY_MS);
    draw();
  }

  function close(): void {
    clearTimeout(timer);
    timer = undefined;
    hide();
  }

  return {
    async write(text) {
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
    note(line) {
      const wasShown = shown;
      hide();
      err(`${line}\n`);
      if (wasShown) draw();
    },
    close,
    [Symbol.dispose]: close,
  };
}
