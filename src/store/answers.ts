/** Verdicts on domains: `["domain", tld, label]` → finding + `expiresAt`. */
import type { Keep, Kept } from "../flow/cached.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/**
 * Keeps findings in KV. `expiresAt` in the value decides; KV's own expiry only collects garbage, up to a minute late.
 */
export function createAnswers<V extends object>(
  kv: GuardedKv,
  { prefix, now }: { prefix: string; now: () => number },
): Keep<V> {
  async function get(domain: string): Promise<Kept<V> | undefined> {
    const entry = await kv.attempt(
      (kv) => kv.get<V & { expiresAt: number }>(keyOf(prefix, domain)),
      undefined,
    );
    if (typeof entry?.value?.expiresAt !== "number") return undefined;
    const { expiresAt, ...value } = entry.value;
    return { value: value as unknown as V, expiresAt };
  }

  async function set(domain: string, { value, expiresAt }: Kept<V>): Promise<void> {
    const expireIn = Math.max(1, Math.round(expiresAt - now()));
    await kv.attempt(
      (kv) => kv.set(keyOf(prefix, domain), { ...value, expiresAt }, { expireIn }),
      undefined,
    );
  }

  return { get, set };
}

function keyOf(prefix: string, domain: string): Deno.KvKey {
  const [label = "", tld = ""] = domain.split(".");
  return [prefix, tld, label];
}
