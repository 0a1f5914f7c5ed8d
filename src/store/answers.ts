/** What was found out: `["domain", tld, label]`, `["ens", "check" | "metadata", label]` → finding + `expiresAt`. */
import type { Keep, Kept } from "../flow/cached.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/**
 * Keeps findings in KV. `expiresAt` in the value decides; KV's own expiry only collects garbage, up to a minute late.
 */
export function createAnswers<V extends object>(
  kv: GuardedKv,
  { keyOf, now }: { keyOf: (name: string) => Deno.KvKey; now: () => number },
): Keep<V> {
  async function get(name: string): Promise<Kept<V> | undefined> {
    const entry = await kv.attempt(
      (kv) => kv.get<V & { expiresAt: number }>(keyOf(name)),
      undefined,
    );
    if (typeof entry?.value?.expiresAt !== "number") return undefined;
    const { expiresAt, ...value } = entry.value;
    return { value: value as unknown as V, expiresAt };
  }

  async function set(name: string, { value, expiresAt }: Kept<V>): Promise<void> {
    const expireIn = Math.max(1, Math.round(expiresAt - now()));
    await kv.attempt(
      (kv) => kv.set(keyOf(name), { ...value, expiresAt }, { expireIn }),
      undefined,
    );
  }

  return { get, set };
}
