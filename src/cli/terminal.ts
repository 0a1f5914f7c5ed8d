import { createOutlet } from "./outlet.ts";

/** Where a command writes, and what it may write there. */
export interface Terminal {
  /** Writes a few words to stdout at once. */
  out(text: string): void;
  /** Writes results to stdout; settles once its reader has taken them, and rejects where nobody reads on. */
  write(text: string): Promise<void>;
  /** Writes text to stderr. */
  err(text: string): void;
  /** Whether lines may be coloured. */
  colour: boolean;
  /** How wide stderr is at present; 0 where nobody watches it, so that a progress line makes no sense. */
  columns(): number;
}

/** The process's own terminal. */
export function openTerminal(): Terminal {
  return {
    out: (text) => writeAll(Deno.stdout, text),
    write: createOutlet(Deno.stdout).write,
    err: (text) => writeAll(Deno.stderr, text),
    colour: Deno.stdout.isTerminal() && !Deno.noColor,
    columns: () => Deno.stderr.isTerminal() ? Deno.consoleSize().columns : 0,
  };
}

/** Ends the process where nobody reads on, as behind `| head`, which is no fault, or where there is no room. */
function writeAll(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let rest = new TextEncoder().encode(text);
  try {
    // A pipe may take less than it is given.
    while (rest.length > 0) rest = rest.subarray(to.writeSync(rest));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
    if (!(error instanceof Error && "code" in error)) throw error;
    if (to !== Deno.stderr) writeAll(Deno.stderr, `Cannot write: ${error.message}\n`);
    Deno.exit(1);
  }
}
