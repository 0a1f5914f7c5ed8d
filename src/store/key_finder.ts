/** Looks up the API key of a request, with a KV read every few seconds. */
import { createBoundedMap } from "../flow/cache/memory.ts";
import { createSingleFlight } from "../flow/cache/flight.ts";
import { append, countOf, unexpired, type Window } from "../rules/window.ts";
import type { GuardedKv } from "./guarded_kv.ts";
import { isKeyText, keyId, type KeyRecord, type StoredKey } from "./keys.ts";

interface Remembered {
  readonly record: KeyRecord | undefined;
  readonly until: number;
}

/** How long a revoked key may still be accepted. */
const LIFETIME_MS = 5_000;
const MAX_REMEMBERED = 10_000;
/** Unknown keys a minute that are read for one sender. */
const MAX_UNKNOWN = 60;

/**
 * Creates the finder. It resists floods: its memory is bounded, and a sender that only guesses soon causes no reads.
 * While KV fails, the last known record of a key is used.
 */
export function createKeyFinder(kv: GuardedKv, { now }: { now: () => number }) {
  const memory = createBoundedMap<Remembered>(MAX_REMEMBERED);
  const guesses = createBoundedMap<Window>(MAX_REMEMBERED);
  const reads = createSingleFlight<KeyRecord | undefined>();

  /** The key's record; undefined for a malformed, unknown or revoked key, or after too many unknown keys of a sender. */
  async function find(key: string, sender: string): Promise<KeyRecord | undefined> {
    if (!isKeyText(key)) return undefined;
    const id = await keyId(key);
    const known = memory.get(id);
    const leftMs = known === undefined ? 0 : known.until - now();
    // A clock that was set back must not let a revoked key pass for an hour.
    if (leftMs > 0 && leftMs <= LIFETIME_MS) return known?.record;
    if (known?.record === undefined && !reads.isRunning(id) && !mayRead(sender)) return undefined;
    const record = await reads.run(id, () => read(id, known?.record));
    if (record !== undefined) guesses.delete(sender);
    return record;
  }

  function mayRead(sender: string): boolean {
    const at = now();
    const window = unexpired(guesses.get(sender) ?? [], at);
    if (countOf(window) >= MAX_UNKNOWN) return false;
    guesses.set(sender, append(window, { at, count: 1 }));
    return true;
  }

  async function read(id: string, last: KeyRecord | undefined): Promise<KeyRecord | undefined> {
    const entry = await kv.attempt((kv) => kv.get<StoredKey>(["key", id]), undefined);
    if (entry === undefined) return last;
    const record = entry.value === null ? undefined : { id, ...entry.value };
    memory.set(id, { record, until: now() + LIFETIME_MS });
    return record;
  }

  return { find };
}
