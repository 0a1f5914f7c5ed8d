/**
 * API keys: `["key", SHA-256 of the key]` → label, limit, when it was made. The key itself is not stored.
 */

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
export type StoredKey = Omit<KeyRecord, "id">;

/** Lets secret scanners recognise a key that was committed by mistake. */
const PREFIX = "das_";
const RANDOM_BYTES = 32;
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
    const id = isKeyText(idOrKey) ? await keyId(idOrKey) : idOrKey;
    const records = (await list()).filter((record) => record.id.startsWith(id));
    const [record] = records;
    if (record === undefined) return { kind: "unknown" };
    if (records.length > 1) return { kind: "ambiguous", count: records.length };
    await kv.delete(["key", record.id]);
    return { kind: "revoked", record };
  }

  return { create, list, revoke };
}

/** Whether a text has the form of a key. */
export function isKeyText(text: string): boolean {
  return KEY_TEXT.test(text);
}

/** The id of a key. Looking it up by hash prevents timing attacks on the text. */
export async function keyId(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return new Uint8Array(digest).toHex();
}
