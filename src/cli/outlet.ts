/** Where results leave the process. */
export interface Outlet {
  /** Settles once the reader has taken the text; rejects where nobody reads on or there is no room. */
  write(text: string): Promise<void>;
}

/**
 * Creates the outlet. It does not block: a reader that pauses, such as a pager, would stop all clocks of the process,
 * and every look-up under way would be found too late when it reads on. What comes meanwhile is written in one go.
 */
export function createOutlet(to: { write(bytes: Uint8Array): Promise<number> }): Outlet {
  const encoder = new TextEncoder();
  let pending = "";
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    while (pending !== "") {
      let rest = encoder.encode(pending);
      pending = "";
      // A pipe may take less than it is given.
      while (rest.length > 0) rest = rest.subarray(await to.write(rest));
    }
    flushing = undefined;
  }

  return {
    write(text) {
      pending += text;
      return flushing ??= flush();
    },
  };
}
