/** Cached answers about .eth names: `["ens", "check" | "metadata", label]` → finding + `expiresAt`. */
import { type CacheEntry, newerEntry } from "../flow/cache/cached.ts";
import type { Store } from "../flow/cache/memory.ts";
import { changeEntry, type GuardedKv } from "./guarded_kv.ts";

/** A finding; `checkedAt` is when its deciding question was sent (ISO 8601). */
interface Finding {
  readonly checkedAt: string;
}

type Stored<V> = V & { readonly expiresAt: number };

/**
 * Caches findings in KV. `expiresAt` in the value decides; KV's own expiry only collects garbage, up to a minute late.
 * A finding replaces only one that was asked for earlier: writes check the version that they replace, so that a process
 * whose look-up took long does not undo a newer finding of another process.
 */
export function createEnsAnswers<V extends Finding>(
  kv: GuardedKv,
  { kind, now }: { kind: "check" | "metadata"; now: () => number },
): Store<V> {
  const keyOf = (label: string) => ["ens", kind, label];

  async function get(label: string): Promise<CacheEntry<V> | undefined> {
    // An answer may be minutes old, so a replica that is seconds behind will do.
    const options = { consistency: "eventual" } as const;
    const entry = await kv.attempt((kv) => kv.get<Stored<V>>(keyOf(label), options));
    return read(entry?.value);
  }

  async function set(label: string, found: CacheEntry<V>): Promise<CacheEntry<V>> {
    const next = (stored: Stored<V> | undefined): Stored<V> | undefined =>
      newerEntry(read(stored), found, now()) === found
        ? { ...found.value, expiresAt: found.expiresAt }
        : stored;
    const lifetimeMs = ({ expiresAt }: Stored<V>) => expiresAt - now();
    const entry = await changeEntry(kv, keyOf(label), { next, lifetimeMs });
    return read(entry?.value) ?? found;
  }

  return { get, set };
}

function read<V extends Finding>(stored: Stored<V> | null | undefined): CacheEntry<V> | undefined {
  if (typeof stored?.expiresAt !== "number") return undefined;
  const { expiresAt, ...value } = stored;
  const askedAt = Date.parse(stored.checkedAt);
  return Number.isNaN(askedAt) ? undefined : { value: value as unknown as V, askedAt, expiresAt };
}
