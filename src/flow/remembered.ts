import { createBoundedMap } from "./bounded_map.ts";
import type { Keep, Kept } from "./cached.ts";

/** Puts a bounded memory in front of a store: the values used last, at most `max` of them. */
export function remembered<V>(
  store: Keep<V>,
  { max, now }: { max: number; now: () => number },
): Keep<V> {
  const memory = createBoundedMap<Kept<V>>(max);

  async function get(key: string): Promise<Kept<V> | undefined> {
    const known = memory.get(key);
    if (known !== undefined && known.expiresAt > now()) return known;
    const kept = await store.get(key);
    if (kept !== undefined) memory.set(key, kept);
    return kept;
  }

  async function set(key: string, kept: Kept<V>): Promise<void> {
    await store.set(key, kept);
    memory.set(key, kept);
  }

  return { recall: memory.get, get, set };
}
