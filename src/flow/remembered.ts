import type { Keep, Kept } from "./cached.ts";

/** Puts a bounded memory in front of a store: the values used last, at most `max` of them. */
export function remembered<V>(
  store: Keep<V>,
  { max, now }: { max: number; now: () => number },
): Keep<V> {
  const memory = new Map<string, Kept<V>>();

  function remember(key: string, kept: Kept<V>): void {
    // A Map keeps the order of insertion: deleting first makes the oldest entry the one used longest ago.
    memory.delete(key);
    memory.set(key, kept);
    if (memory.size <= max) return;
    const [oldest] = memory.keys();
    if (oldest !== undefined) memory.delete(oldest);
  }

  async function get(key: string): Promise<Kept<V> | undefined> {
    const known = memory.get(key);
    const kept = known !== undefined && known.expiresAt > now() ? known : await store.get(key);
    if (kept !== undefined) remember(key, kept);
    return kept;
  }

  async function set(key: string, kept: Kept<V>): Promise<void> {
    await store.set(key, kept);
    remember(key, kept);
  }

  return { get, set };
}
