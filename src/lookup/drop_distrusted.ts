import type { Cache } from "../flow/cached.ts";
import type { CanaryRecords } from "./canary_records.ts";
import type { Finding } from "./check.ts";

/**
 * Treats a kept "available" as a cache miss where its registry has been found to deny registered names since. For all
 * other findings this costs one look at a boolean.
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
      const kept = cache.peek?.(key);
      if (kept === undefined || !kept.value.available) return kept;
      return records.isFresh() && isTrusted(key, kept.value) ? kept : undefined;
    },
    async get(key) {
      const kept = await cache.get(key);
      if (kept === undefined || !kept.value.available) return kept;
      await records.refresh();
      return isTrusted(key, kept.value) ? kept : undefined;
    },
    set: cache.set,
    flush: (key) => cache.flush?.(key),
  };
}
