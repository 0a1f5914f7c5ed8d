import { serialize } from "node:v8";
import { changedKv } from "./changed_kv.ts";

/** What Deno Deploy bills together; even what finds nothing costs a unit. */
const UNIT_BYTES = { read: 4_096, write: 1_024 };

/** A KV with what Deno Deploy would bill for its use since `reset()`, and the lifetime of each value that was set. */
export function meteredKv(real: Deno.Kv) {
  const units = { read: 0, write: 0 };
  const lifetimes: (number | undefined)[] = [];
  const bill = (kind: keyof typeof units, values: readonly unknown[]) => {
    const bytes = values.reduce<number>((sum, value) => sum + serialize(value).length, 0);
    units[kind] += Math.max(1, Math.ceil(bytes / UNIT_BYTES[kind]));
  };

  async function getMany(keys: readonly Deno.KvKey[]) {
    const entries = await real.getMany(keys as Deno.KvKey[]);
    for (const { value } of entries) bill("read", [value]);
    return entries;
  }

  function atomic(): Deno.AtomicOperation {
    const operation = real.atomic();
    const values: unknown[] = [];
    const { set, commit } = operation;
    operation.set = (key, value, options) => {
      values.push(value);
      lifetimes.push(options?.expireIn);
      return set.call(operation, key, value, options);
    };
    operation.commit = () => (bill("write", values), commit.call(operation));
    return operation;
  }

  const changes: Readonly<Record<string, unknown>> = {
    getMany,
    atomic,
    get: async (key: Deno.KvKey) => (await getMany([key]))[0],
    set(...args: Parameters<Deno.Kv["set"]>) {
      bill("write", [args[1]]);
      return real.set(...args);
    },
  };
  return {
    kv: changedKv(real, (operation) => changes[operation]),
    units,
    lifetimes,
    reset: () => void Object.assign(units, { read: 0, write: 0 }),
  };
}
