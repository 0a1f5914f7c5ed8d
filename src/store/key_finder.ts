/** Which key a request carries, at the price of a KV read every few seconds. */
import { createBoundedMap } from "../flow/bounded_map.ts";
import { append, countOf, unexpired, type Window } from "../rules/window.ts";
import type { GuardedKv } from "./guarded_kv.ts";
import { isKeyText, type KeptKey, keyId, type KeyRecord } from "./keys.ts";

/** Finds keys by their text. */
export interface KeyFinder {
  /** The key's record; undefined where it is malformed, unknown or revoked, or its sender has guessed too often. */
  find(key: string, sender: string): Promise<KeyRecord | undefined>;
}

interface Remembered {
  readonly record: KeyRecord | undefined;
  readonly until: number;
}

/** How long a revoked key may still pass. */
const LIFETIME_MS = 5_000;
const MAX_REMEMBERED = 10_000;
/** Keys a minute that one sender may make us read without one of them being known. */
const READS = 60;

/**
 * Creates the finder. It is not to be flooded: what it remembers is bounded, and a sender who only guesses is soon
 * answered without a read. While KV fails, what was last known of a key stands.
 */
export function createKeyFinder(kv: GuardedKv, { now }: { now: () => number }): KeyFinder {
  const memory = createBoundedMap<Remembered>(MAX_REMEMBERED);
  const guesses = createBoundedMap<Window>(MAX_REMEMBERED);
  const flights = new Map<string, Promise<KeyRecord | undefined>>();

  async function find(key: string, sender: string): Promise<KeyRecord | undefined> {
    if (!isKeyText(key)) return undefined;
    const id = await keyId(key);
    const known = memory.get(id);
    const leftMs = known === undefined ? 0 : known.until - now();
    // A clock that was set back must not let a revoked key pass for an hour.
    if (leftMs > 0 && leftMs <= LIFETIME_MS) return known?.record;
    const flight = flights.get(id);
    if (flight !== undefined) return flight;
    if (known?.record === undefined && !mayRead(sender)) return undefined;
    const reading = read(id, known?.record).finally(() => flights.delete(id));
    flights.set(id, reading);
    const record = await reading;
    if (record !== undefined) guesses.delete(sender);
    return record;
  }

  function mayRead(sender: string): boolean {
    const at = now();
    const window = unexpired(guesses.get(sender) ?? [], at);
    if (countOf(window) >= READS) return false;
    guesses.set(sender, append(window, { at, count: 1 }));
    return true;
  }

  async function read(id: string, last: KeyRecord | undefined): Promise<KeyRecord | undefined> {
    const entry = await kv.attempt((kv) => kv.get<KeptKey>(["key", id]), undefined);
    if (entry === undefined) return last;
    const record = entry.value === null ? undefined : { id, ...entry.value };
    memory.set(id, { record, until: now() + LIFETIME_MS });
    return record;
  }

  return { find };
}
