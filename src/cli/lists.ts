/** The lists of names: files and stdin. */

/** Opens lists. */
export interface Lists {
  /** Whether something is piped into stdin. */
  piped: boolean;
  /** Opens a list from its beginning. Rejects where it cannot be read. */
  open(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Whether it can be opened a second time: what comes out of a pipe is gone then. */
  isKept(path: string): Promise<boolean>;
}

/** The process's own: `-` is stdin. */
export function openLists(): Lists {
  return {
    piped: !Deno.stdin.isTerminal(),
    async open(path) {
      return path === "-" ? Deno.stdin.readable : (await Deno.open(path)).readable;
    },
    isKept: async (path) => path !== "-" && (await Deno.stat(path)).isFile,
  };
}
