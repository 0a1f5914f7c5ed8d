import type { GuardedKv } from "./guarded_kv.ts";

/** A value that all processes share, and which the last write wins. */
export interface StoredValue<V> {
  /** Undefined where none is stored, or KV fails. */
  get(): Promise<V | undefined>;
  set(value: V): Promise<void>;
}

/** Stores a value in KV under a key. */
export function createStoredValue<V>(kv: GuardedKv, key: Deno.KvKey): StoredValue<V> {
  return {
    async get() {
      const entry = await kv.attempt((kv) => kv.get<V>(key), undefined);
      return entry?.value ?? undefined;
    },
    async set(value) {
      await kv.attempt((kv) => kv.set(key, value), undefined);
    },
  };
}
