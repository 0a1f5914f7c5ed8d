import type { RateLimitKv } from "../../src/rate_limit/window_store.ts";

/**
 * How the KV behaves: `hangs` does nothing until that changes and then goes on; `mute` does as it is told and says so
 * only then; `locked` and `throws` do nothing and say so; `readonly` says so of commits only.
 */
export type Manner = "works" | "hangs" | "mute" | "throws" | "locked" | "readonly";

/** A real KV that misbehaves when told to. */
export interface UnrulyKv extends RateLimitKv {
  behave(manner: Manner): void;
  /** How many operations were asked for. */
  readonly calls: number;
  /** How many of them were reads. */
  readonly reads: number;
}

/** Wraps a KV. */
export function createUnrulyKv(kv: Deno.Kv): UnrulyKv {
  let manner: Manner = "works";
  let change = Promise.withResolvers<void>();
  let calls = 0;
  let reads = 0;

  async function run<T>(operation: () => Promise<T>): Promise<T> {
    calls++;
    const { promise: changed } = change;
    if (manner === "throws") throw new Error("disk I/O error");
    if (manner === "locked") throw new TypeError("database is locked");
    if (manner === "hangs") await changed;
    if (manner !== "mute") return await operation();
    const result = await operation();
    await changed;
    return result;
  }

  return {
    getMany(keys, options) {
      reads++;
      return run(() => kv.getMany(keys, options));
    },
    atomic() {
      const operation = kv.atomic();
      const { commit } = operation;
      operation.commit = () =>
        run(() => {
          if (manner === "readonly") throw new Error("attempt to write a readonly database");
          return commit.call(operation);
        });
      return operation;
    },
    behave(next) {
      manner = next;
      change.resolve();
      change = Promise.withResolvers();
    },
    get calls() {
      return calls;
    },
    get reads() {
      return reads;
    },
  };
}
