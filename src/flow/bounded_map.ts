/** A map that forgets what was used longest ago. */
export interface BoundedMap<V> {
  /** The value, which counts as used by this. */
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  readonly size: number;
}

/** Creates a map of at most `max` values. */
export function createBoundedMap<V>(max: number): BoundedMap<V> {
  const values = new Map<string, V>();

  function set(key: string, value: V): void {
    // A Map keeps the order of insertion: deleting first makes the oldest entry the one used longest ago.
    values.delete(key);
    values.set(key, value);
    if (values.size <= max) return;
    const [oldest] = values.keys();
    if (oldest !== undefined) values.delete(oldest);
  }

  function get(key: string): V | undefined {
    const value = values.get(key);
    if (value !== undefined) set(key, value);
    return value;
  }

  return {
    get,
    set,
    delete: (key) => void values.delete(key),
    get size() {
      return values.size;
    },
  };
}
