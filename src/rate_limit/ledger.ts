/** The windows in KV: `["rate", subject]` → stamps and counts. */
import { type Window } from "../rules/window.ts";

/** A subject's window as KV holds it. */
export interface WindowEntry {
  readonly stored: Window;
  /** Its version; null: KV holds none. */
  readonly version: string | null;
}

/** A window to be written over the version that it was made from. */
export interface Write extends WindowEntry {
  readonly subject: string;
}

/** The windows in KV. All functions reject with what KV rejects with. */
export interface Ledger {
  /** Reads the windows of at most ten subjects. */
  read(subjects: readonly string[]): Promise<readonly WindowEntry[]>;
  /** Writes all or, where one of them has changed since, none; gives the new version if it wrote. At most ten. */
  write(writes: readonly Write[], now: number): Promise<string | undefined>;
}

/** The part of KV that the limiter needs. */
export type LedgerKv = Pick<Deno.Kv, "getMany" | "atomic">;

/** KV takes ten checks in a commit, and ten keys in a read: Deno Deploy's limits. */
export const LARGEST_COMMIT = 10;

/** Opens the windows in KV. `keepMs` is how long one is needed after its newest stamp. */
export function openLedger(kv: LedgerKv, { keepMs }: { keepMs: number }): Ledger {
  return {
    async read(subjects) {
      const entries = await kv.getMany<unknown[]>(subjects.map(keyOf));
      return entries.map(({ value, versionstamp }) => ({
        stored: decode(value),
        version: versionstamp,
      }));
    },
    async write(writes, now) {
      const operation = kv.atomic();
      for (const { subject, version, stored } of writes) {
        const key = keyOf(subject);
        // KV's own expiry only collects garbage; it must not be early.
        const expireIn = Math.ceil(Math.max(0, (stored.at(-1)?.at ?? now) - now) + keepMs);
        operation.check({ key, versionstamp: version }).set(key, encode(stored), { expireIn });
      }
      const result = await operation.commit();
      return result.ok ? result.versionstamp : undefined;
    },
  };
}

function keyOf(subject: string): Deno.KvKey {
  return ["rate", subject];
}

function encode(window: Window): Float64Array {
  return Float64Array.from(window.flatMap(({ at, count }) => [at, count]));
}

/** Any other value is no window of ours, and is written over. */
function decode(value: unknown): Window {
  if (!(value instanceof Float64Array)) return [];
  return Array.from(
    { length: value.length >> 1 },
    (_, n) => ({ at: value[2 * n] ?? 0, count: value[2 * n + 1] ?? 0 }),
  );
}
