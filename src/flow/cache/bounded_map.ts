/** A map with LRU eviction. */
interface BoundedMap<V> {
  /** Returns the value and marks it as used. */
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  /** All values; does not mark them as used. One in both generations comes twice. */
  values(): IteratorObject<V>;
  /** The number of entries; one in both generations counts twice. */
  readonly size: number;
}

/**
 * Creates a map of at most `max` values, which keeps at least the `max / 2` used last. It has two generations, because
 * reordering one large Map at each use costs ten times the look-up (measured: 16 µs at 50,000 entries). npm's quick-lru
 * is the same algorithm but slower there: 1.25 times for a hit, 1.34 for a new key, 2.34 for an overwrite.
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
    *values() {
      yield* recent.values();
      yield* older.values();
    },
    get size() {
      return recent.size + older.size;
    },
  };
}
