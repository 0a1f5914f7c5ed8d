import type { Cache } from "../flow/cache/cached.ts";
import { stateOf } from "../rules/verdict.ts";
import type { CanaryRecords } from "./canary_records.ts";
import type { Finding } from "./finding.ts";

/**
 * Treats an "available", and a "taken" by the registry's record, as a cache miss if a later canary test of the registry
 * shows that such answers of it prove nothing; and an "available" in KV if KV may be an older copy. All other findings cost a comparison or two.
 */
export function dropDistrusted(
  cache: Cache<Finding>,
  records: Pick<CanaryRecords, "isFresh" | "refresh" | "believes" | "trusts" | "trustsTaken">,
): Cache<Finding> {
  function isTrusted(key: string, { available, checkedAt, evidence }: Finding): boolean {
    const tld = key.slice(key.indexOf(".") + 1);
    if (!available) return records.trustsTaken(tld, checkedAt);
    // What this process found has its evidence, and is corrected in its memory.
    return (evidence !== undefined || records.believes(checkedAt)) &&
      records.trusts(tld, checkedAt);
  }

  return {
    peek(key) {
      const entry = cache.peek?.(key);
      if (entry === undefined || !restsOnRegistry(entry.value)) return entry;
      return records.isFresh() && isTrusted(key, entry.value) ? entry : undefined;
    },
    async get(key) {
      const entry = await cache.get(key);
      if (entry === undefined || !restsOnRegistry(entry.value)) return entry;
      await records.refresh();
      return isTrusted(key, entry.value) ? entry : undefined;
    },
    set: cache.set,
    expect: (key) => cache.expect?.(key),
    flush: (key) => cache.flush?.(key),
  };
}

/** Whether the finding rests on an answer of the registry's RDAP server that a canary test can refute. */
function restsOnRegistry(finding: Finding): boolean {
  return finding.available || (finding.source === "rdap" && stateOf(finding) === "taken");
}
