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

/** An entry as this process has read or written it. */
export type KnownEntry<V> = Pick<Deno.KvEntryMaybe<V>, "value" | "versionstamp">;

/**
 * Changes an entry by compare-and-set and returns it, undefined where KV fails: a write never replaces what another process
 * has written since the read. Where `next` returns its argument, nothing is written.
 */
export function changeEntry<V>(
  kv: GuardedKv,
  key: Deno.KvKey,
  { next, known, lifetimeMs, alongside = (operation) => operation }: {
    next: (current: V | undefined) => V | undefined;
    /** The entry as last seen: it saves the read, unless the entry has changed since. */
    known?: KnownEntry<V> | undefined;
    /** After how many ms KV may delete the value; never if absent. KV takes whole milliseconds, at least one. */
    lifetimeMs?: (value: V) => number;
    /** Adds mutations to the same commit. */
    alongside?: (operation: Deno.AtomicOperation) => Deno.AtomicOperation;
  },
): Promise<KnownEntry<V> | undefined> {
  return kv.attempt(async (kv): Promise<KnownEntry<V>> => {
    // Ends, because each conflict is another writer's success.
    for (let entry = known;; entry = undefined) {
      entry ??= await kv.get<V>(key);
      const value = next(entry.value ?? undefined);
      if (value === undefined || value === entry.value) return entry;
      const { versionstamp } = entry;
      const options = lifetimeMs && { expireIn: Math.max(1, Math.round(lifetimeMs(value))) };
      const operation = kv.atomic().check({ key, versionstamp }).set(key, value, options);
      const result = await alongside(operation).commit();
      if (result.ok) return { value, versionstamp: result.versionstamp };
    }
  }, undefined);
}
