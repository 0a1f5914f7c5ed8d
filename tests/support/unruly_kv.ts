import type { RateLimitKv } from "../../src/rate_limit/limiter.ts";

/**
 * How the KV behaves: `hangs` delays each operation until the behaviour changes; `mute` runs it at once and delays only
 * its result; `locked` and `throws` reject it; `readonly` rejects commits only.
 */
export type KvBehaviour = "works" | "hangs" | "mute" | "throws" | "locked" | "readonly";

/** Wraps a KV; a test switches its faults on and off. */
export function createUnrulyKv(kv: Deno.Kv) {
  let change = Promise.withResolvers<void>();

  async function run<T>(operation: () => Promise<T>): Promise<T> {
    unruly.calls++;
    const { promise: changed } = change;
    const { behaviour } = unruly;
    if (behaviour === "throws") throw new Error("disk I/O error");
    if (behaviour === "locked") throw new TypeError("database is locked");
    if (behaviour === "hangs") await changed;
    const result = await operation();
    if (behaviour === "mute") await changed;
    return result;
  }

  const unruly = {
    /** The number of operations so far, and of the reads among them. */
    calls: 0,
    reads: 0,
    behaviour: "works" as KvBehaviour,
    getMany(keys, options) {
      unruly.reads++;
      return run(() => kv.getMany(keys, options));
    },
    atomic() {
      const operation = kv.atomic();
      const { commit } = operation;
      operation.commit = () =>
        run(() => {
          if (unruly.behaviour === "readonly") {
            throw new Error("attempt to write a readonly database");
          }
          return commit.call(operation);
        });
      return operation;
    },
    behave(next: KvBehaviour) {
      unruly.behaviour = next;
      change.resolve();
      change = Promise.withResolvers();
    },
  } satisfies RateLimitKv & Record<string, unknown>;
  return unruly;
}
