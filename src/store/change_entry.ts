import type { Kv } from "./open_kv.ts";

/**
 * Changes an entry of KV by what it says now, and gives what it says then: a write never replaces what another process
 * has written since the read. Where `next` gives what it was given, nothing is written.
 */
export async function changeEntry<V>(
  kv: Kv,
  key: Deno.KvKey,
  { next, lifetimeMs, alongside = (operation) => operation }: {
    next: (kept: V | undefined) => V;
    /** How long KV keeps the value, for ever if it is absent; it takes whole milliseconds, and no less than one. */
    lifetimeMs?: (value: V) => number;
    /** Adds mutations that are committed together with the change. */
    alongside?: (operation: Deno.AtomicOperation) => Deno.AtomicOperation;
  },
): Promise<V> {
  // Each conflict is another writer's success, so this comes to an end.
  for (;;) {
    const entry = await kv.get<V>(key);
    const value = next(entry.value ?? undefined);
    if (value === entry.value) return value;
    const options = lifetimeMs && { expireIn: Math.max(1, Math.round(lifetimeMs(value))) };
    const { ok } = await alongside(kv.atomic().check(entry).set(key, value, options)).commit();
    if (ok) return value;
  }
}
