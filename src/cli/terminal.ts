/** Where a command writes, and what it may write there. */
export interface Terminal {
  /** Writes text to stdout. */
  out(text: string): void;
  /** Writes text to stderr. */
  err(text: string): void;
  /** Whether lines may be coloured. */
  colour: boolean;
  /** Whether somebody watches stderr, so that a progress line makes sense. */
  watched: boolean;
}

/** The process's own terminal. Ends the process quietly where nobody reads on, as behind `| head`. */
export function openTerminal(): Terminal {
  return {
    out: (text) => writeAll(Deno.stdout, text),
    err: (text) => writeAll(Deno.stderr, text),
    colour: Deno.stdout.isTerminal() && !Deno.noColor,
    watched: Deno.stderr.isTerminal(),
  };
}

function writeAll(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let rest = new TextEncoder().encode(text);
  try {
    // A pipe may take less than it is given.
    while (rest.length > 0) rest = rest.subarray(to.writeSync(rest));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
    throw error;
  }
}
