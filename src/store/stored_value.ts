import type { GuardedKv } from "./guarded_kv.ts";

/** Stores a value in KV under a key, which all processes share, and which the last write wins. */
export function createStoredValue<V>(kv: GuardedKv, key: Deno.KvKey) {
  return {
    /** Undefined where none is stored, or KV fails. */
    async get(): Promise<V | undefined> {
      const entry = await kv.attempt((kv) => kv.get<V>(key), undefined);
      return entry?.value ?? undefined;
    },
    async set(value: V): Promise<void> {
      await kv.attempt((kv) => kv.set(key, value), undefined);
    },
  };
}
