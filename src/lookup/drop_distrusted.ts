import type { Cache } from "../flow/cached.ts";
import type { CanaryRecords } from "./canary_records.ts";
import type { Finding } from "./check_domain.ts";

/**
 * Treats a cached "available" as a cache miss if its registry has failed a canary test since. All other findings cost
 * one boolean check.
 */
export function dropDistrusted(
  cache: Cache<Finding>,
  records: Pick<CanaryRecords, "isFresh" | "refresh" | "trusts">,
): Cache<Finding> {
  function isTrusted(key: string, { checkedAt }: Finding): boolean {
    return records.trusts(key.slice(key.indexOf(".") + 1), checkedAt);
  }

  return {
    peek(key) {
      const entry = cache.peek?.(key);
      if (entry === undefined || !entry.value.available) return entry;
      return records.isFresh() && isTrusted(key, entry.value) ? entry : undefined;
    },
    async get(key) {
      const entry = await cache.get(key);
      if (entry === undefined || !entry.value.available) return entry;
      await records.refresh();
      return isTrusted(key, entry.value) ? entry : undefined;
    },
    set: cache.set,
    flush: (key) => cache.flush?.(key),
  };
}
