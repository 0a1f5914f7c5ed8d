/** API keys: `["key", SHA-256 of the key]` → label, limit, when it was made. The key itself is not stored. */
import { createSingleFlight } from "../flow/cache/flight.ts";
import { createBoundedMap } from "../flow/cache/memory.ts";
import { append, countOf, unexpired, type Window } from "../rules/window.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** A key's record. */
export interface KeyRecord {
  /** The SHA-256 of the key, in hex. */
  readonly id: string;
  readonly label: string;
  /** Requests a minute; absent: the default for keys. */
  readonly limit?: number;
  readonly createdAt: string;
}

/** The result of a revocation. */
type Revocation =
  | { kind: "revoked"; record: KeyRecord }
  | { kind: "unknown" }
  | { kind: "ambiguous"; count: number };

/** API keys, for the operator. */
export type Keys = ReturnType<typeof createKeys>;

/** The value in KV; the id is its key. */
type StoredKey = Omit<KeyRecord, "id">;

/** Lets secret scanners recognise a key that was committed by mistake. */
const PREFIX = "das_";
const RANDOM_BYTES = 32;
/** The form of a key. */
const KEY_TEXT = /^das_[\w-]{43}$/;

/** Creates the keys. All functions reject where KV does. */
export function createKeys(
  kv: Pick<Deno.Kv, "set" | "list" | "delete">,
  { now }: { now: () => number },
) {
  /** Creates a key; its text cannot be shown again. */
  async function create(label: string, limit?: number) {
    const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
    const key = PREFIX + random.toBase64({ alphabet: "base64url", omitPadding: true });
    const id = await keyId(key);
    const createdAt = new Date(now()).toISOString();
    const stored: StoredKey = { label, ...(limit !== undefined && { limit }), createdAt };
    await kv.set(["key", id], stored);
    return { key, record: { id, ...stored } satisfies KeyRecord };
  }

  /** All keys, the oldest first. */
  async function list(): Promise<KeyRecord[]> {
    const entries = await Array.fromAsync(kv.list<StoredKey>({ prefix: ["key"] }));
    return entries.map(({ key, value }) => ({ id: String(key[1]), ...value }))
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  /** Revokes a key by its text, or by a prefix of its id that fits no other key. */
  async function revoke(idOrKey: string): Promise<Revocation> {
    // The empty text is a prefix of every id; it must not revoke the only key.
    if (idOrKey === "") return { kind: "unknown" };
    const id = KEY_TEXT.test(idOrKey) ? await keyId(idOrKey) : idOrKey;
    const records = (await list()).filter((record) => record.id.startsWith(id));
    const [record] = records;
    if (record === undefined) return { kind: "unknown" };
    if (records.length > 1) return { kind: "ambiguous", count: records.length };
    await kv.delete(["key", record.id]);
    return { kind: "revoked", record };
  }

  return { create, list, revoke };
}

/** The id of a key. Looking it up by hash prevents timing attacks on the text. */
async function keyId(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return new Uint8Array(digest).toHex();
}

/** How long a revoked key may still be accepted. */
const LIFETIME_MS = 5_000;
const MAX_REMEMBERED = 10_000;
/** Unknown keys a minute that are read for one sender. */
const MAX_UNKNOWN = 60;

/**
 * Creates what finds the API key of a request, with a KV read every few seconds. It resists floods: its memory is bounded, and
 * a sender that only guesses soon causes no reads. While KV fails, the last known record of a key is used.
 */
export function createKeyFinder(kv: GuardedKv, { now }: { now: () => number }) {
  const memory = createBoundedMap<{ record: KeyRecord | undefined; until: number }>(
    MAX_REMEMBERED,
  );
  const guesses = createBoundedMap<Window>(MAX_REMEMBERED);
  const reads = createSingleFlight<KeyRecord | undefined>();

  /** The key's record; undefined for a malformed, unknown or revoked key, or after too many unknown keys of a sender. */
  async function find(key: string, sender: string): Promise<KeyRecord | undefined> {
    if (!KEY_TEXT.test(key)) return undefined;
    const id = await keyId(key);
    const known = memory.get(id);
    const leftMs = known === undefined ? 0 : known.until - now();
    // A clock that was set back must not let a revoked key pass for an hour.
    if (leftMs > 0 && leftMs <= LIFETIME_MS) return known?.record;
    if (known?.record === undefined && !reads.isRunning(id) && !mayRead(sender)) return undefined;
    return await reads.run(id, () => read(id, known?.record, sender));
  }

  function mayRead(sender: string): boolean {
    const at = now();
    const window = unexpired(guesses.get(sender) ?? [], at);
    if (countOf(window) >= MAX_UNKNOWN) return false;
    guesses.set(sender, append(window, { at, count: 1 }));
    return true;
  }

  async function read(
    id: string,
    last: KeyRecord | undefined,
    sender: string,
  ): Promise<KeyRecord | undefined> {
    const entry = await kv.attempt((kv) => kv.get<StoredKey>(["key", id]));
    // Only a key that KV does not know was a guess.
    if (entry?.value !== null) guesses.set(sender, []);
    if (entry === undefined) return last;
    const record = entry.value === null ? undefined : { id, ...entry.value };
    memory.set(id, { record, until: now() + LIFETIME_MS });
    return record;
  }

  return { find };
}
