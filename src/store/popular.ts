/** Popular names: `["popular", kind]` → the names checked most with their scores, and nothing about the clients. */
import { POPULAR_SEEDS } from "../rules/tables/popular_seeds.ts";
import {
  addCounts,
  type NameKind,
  NONE_POPULAR,
  type Popularity,
  popularNames,
} from "../rules/popularity.ts";
import { changeEntry, createStoredValue } from "./stored_value.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Stores popular names: one value a kind, with the most popular names only. */
export function createPopularStore(kv: GuardedKv, { now }: { now: () => number }) {
  return {
    /** At most `max` names worth caching ahead, the most popular first, then the seeds. */
    async top(kind: NameKind, max: number): Promise<string[]> {
      const stored = createStoredValue<Popularity>(kv, ["popular", kind]);
      const popularity = await stored.get() ?? NONE_POPULAR;
      return popularNames(popularity, { now: now(), seeds: POPULAR_SEEDS[kind], max });
    },
    /** Adds counts in one commit; false where KV failed. */
    async add(kind: NameKind, counts: ReadonlyMap<string, number>): Promise<boolean> {
      let fault: { error: unknown } | undefined;
      const next = (current = NONE_POPULAR) => {
        try {
          return addCounts(current, counts, now());
        } catch (error) {
          // A bug here must not count as a failure of KV.
          fault = { error };
          return current;
        }
      };
      const entry = await changeEntry<Popularity>(kv, ["popular", kind], { next });
      if (fault !== undefined) throw fault.error;
      return entry !== undefined;
    },
  };
}
