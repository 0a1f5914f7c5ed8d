import type { RateLimitKv } from "../../src/rate_limit/limiter.ts";

/**
 * How the KV behaves: `hangs` delays each operation until the behaviour changes; `mute` runs it at once and delays only
 * its result; `locked` and `throws` reject it; `readonly` rejects commits only; `conflicts` answers each commit as if
 * another process had changed the entry.
 */
export type KvBehaviour =
  | "works"
  | "hangs"
  | "mute"
  | "throws"
  | "locked"
  | "readonly"
  | "conflicts";

/** A real KV whose faults a test switches on and off. */
export interface UnrulyKv extends RateLimitKv {
  behave(behaviour: KvBehaviour): void;
  readonly behaviour: KvBehaviour;
  /** The number of operations so far. */
  readonly calls: number;
  /** The number of reads among them. */
  readonly reads: number;
}

/** Wraps a KV. */
export function createUnrulyKv(kv: Deno.Kv): UnrulyKv {
  let behaviour: KvBehaviour = "works";
  let change = Promise.withResolvers<void>();
  let calls = 0;
  let reads = 0;

  async function run<T>(operation: () => Promise<T>): Promise<T> {
    calls++;
    const { promise: changed } = change;
    if (behaviour === "throws") throw new Error("disk I/O error");
    if (behaviour === "locked") throw new TypeError("database is locked");
    if (behaviour === "hangs") await changed;
    if (behaviour !== "mute") return await operation();
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
        run<Deno.KvCommitResult | Deno.KvCommitError>(() => {
          if (behaviour === "readonly") throw new Error("attempt to write a readonly database");
          return behaviour === "conflicts"
            ? Promise.resolve({ ok: false })
            : commit.call(operation);
        });
      return operation;
    },
    behave(next) {
      behaviour = next;
      change.resolve();
      change = Promise.withResolvers();
    },
    get behaviour() {
      return behaviour;
    },
    get calls() {
      return calls;
    },
    get reads() {
      return reads;
    },
  };
}
