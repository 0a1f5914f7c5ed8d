/** Sliding windows in KV: `["rate", key]` → stamps and counts, then the entry's incarnation. */
import { type Window } from "../rules/window.ts";

/** A key's window as KV stores it. */
export interface WindowEntry {
  readonly stored: Window;
  /** Its version; null: no entry. */
  readonly version: string | null;
  /** Drawn by the process that created the entry, and kept by all that write it; undefined: no entry. */
  readonly incarnation: number | undefined;
}

/** A window that replaces the version it was made from. */
export interface WindowWrite extends WindowEntry {
  readonly key: string;
  readonly incarnation: number;
}

/** Reads and writes windows. Rejects where KV rejects. */
export interface WindowStore {
  /** Reads the windows of at most ten keys. */
  read(keys: readonly string[]): Promise<readonly WindowEntry[]>;
  /** Writes at most ten by compare-and-set, all or none; returns the new version, undefined on a conflict. */
  write(writes: readonly WindowWrite[], now: number): Promise<string | undefined>;
}

/** The part of KV that the limiter needs. */
export type RateLimitKv = Pick<Deno.Kv, "getMany" | "atomic">;

/** KV takes ten checks in a commit, and ten keys in a read: Deno Deploy's limits. */
export const LARGEST_COMMIT = 10;

/** Creates the store; a window is needed for `keepMs` after its newest stamp. */
export function createWindowStore(kv: RateLimitKv, { keepMs }: { keepMs: number }): WindowStore {
  return {
    async read(keys) {
      const entries = await kv.getMany<unknown[]>(keys.map(kvKeyOf));
      return entries.map(({ value, versionstamp }) => ({
        ...decode(value),
        version: versionstamp,
      }));
    },
    async write(writes, now) {
      const operation = kv.atomic();
      for (const { key, version, stored, incarnation } of writes) {
        const kvKey = kvKeyOf(key);
        // KV's expiry only collects garbage; it must not be early.
        const expireIn = Math.ceil(Math.max(0, (stored.at(-1)?.at ?? now) - now) + keepMs);
        operation.check({ key: kvKey, versionstamp: version })
          .set(kvKey, encode(stored, incarnation), { expireIn });
      }
      const result = await operation.commit();
      return result.ok ? result.versionstamp : undefined;
    },
  };
}

function kvKeyOf(key: string): Deno.KvKey {
  return ["rate", key];
}

function encode(window: Window, incarnation: number): Float64Array {
  return Float64Array.of(...window.flatMap(({ at, count }) => [at, count]), incarnation);
}

/** Any other value counts as an empty window, and is overwritten. */
function decode(value: unknown): Pick<WindowEntry, "stored" | "incarnation"> {
  if (!(value instanceof Float64Array)) return { stored: [], incarnation: undefined };
  const stored = Array.from(
    { length: value.length >> 1 },
    (_, n) => ({ at: value[2 * n] ?? 0, count: value[2 * n + 1] ?? 0 }),
  );
  return { stored, incarnation: value.length % 2 === 1 ? value.at(-1) : undefined };
}
