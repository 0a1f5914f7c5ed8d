/** What people ask for: `["popular", kind]` → the most popular names with their scores, and nothing of who asked. */
import { POPULAR_SEEDS } from "../rules/popular_seeds.ts";
import {
  addCounts,
  type NameKind,
  NONE_POPULAR,
  type Popularity,
  popularNames,
} from "../rules/popularity.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** The popular names as all processes know them. */
export interface PopularStore {
  /** At most `max` names that are worth being kept warm, the most popular first; the seeds until there are others. */
  top(kind: NameKind, max: number): Promise<string[]>;
  /** Adds counts, each kind's in one commit; false where that could not be done. */
  add(kind: NameKind, counts: ReadonlyMap<string, number>): Promise<boolean>;
}

/** Processes write once a minute: that another one does at the same moment is rare, and twice in a row rarer. */
const TRIES = 3;

/** Keeps popular names in KV: a value a kind, whose names are the most popular ones only. */
export function createPopularStore(
  kv: GuardedKv,
  { now }: { now: () => number },
): PopularStore {
  const read = (kind: NameKind) =>
    kv.attempt((kv) => kv.get<Popularity>(["popular", kind]), undefined);

  return {
    async top(kind, max) {
      const popularity = (await read(kind))?.value ?? NONE_POPULAR;
      return popularNames(popularity, { now: now(), seeds: POPULAR_SEEDS[kind], max });
    },
    async add(kind, counts) {
      for (let tries = 0; tries < TRIES; tries++) {
        const entry = await read(kind);
        if (entry === undefined) continue;
        const popularity = addCounts(entry.value ?? NONE_POPULAR, counts, now());
        const result = await kv.attempt(
          (kv) => kv.atomic().check(entry).set(entry.key, popularity).commit(),
          undefined,
        );
        if (result?.ok) return true;
      }
      return false;
    },
  };
}
