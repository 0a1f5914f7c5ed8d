import type { Keep } from "../flow/cached.ts";
import type { CanaryRecords } from "./canary_records.ts";
import type { Finding } from "./check.ts";

/**
 * Passes over kept findings of "available" that came from a registry which was found lying since. The rest, which is
 * most of what is answered, costs one look at a boolean.
 */
export function believed(
  keep: Keep<Finding>,
  records: Pick<CanaryRecords, "isFresh" | "refresh" | "believes">,
): Keep<Finding> {
  function isBelieved(key: string, { checkedAt }: Finding): boolean {
    return records.believes(key.slice(key.indexOf(".") + 1), checkedAt);
  }

  return {
    recall(key) {
      const kept = keep.recall?.(key);
      if (kept === undefined || !kept.value.available) return kept;
      return records.isFresh() && isBelieved(key, kept.value) ? kept : undefined;
    },
    async get(key) {
      const kept = await keep.get(key);
      if (kept === undefined || !kept.value.available) return kept;
      await records.refresh();
      return isBelieved(key, kept.value) ? kept : undefined;
    },
    set: keep.set,
  };
}
