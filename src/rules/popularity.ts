/** Popularity of names: a bounded list of scores that decay over time. */

/** A kind of name. */
export type NameKind = "domain" | "ens";

/** A name and its score: its query count with exponential decay. */
type Score = readonly [name: string, score: number];

/** The most popular names, highest score first, as of a time (ms since 1970). */
export interface Popularity {
  readonly at: number;
  readonly names: readonly Score[];
}

/** Queries of yesterday count half. */
const HALF_LIFE_MS = 24 * 3_600_000;
/** As many names of 63 letters fit into one KV value (64 KiB) with margin. */
const MAX_NAMES = 500;
/** A single query falls below this within a week. */
const LEAST_SCORE = 0.01;
/** Three networks make a name popular; without further requests it is so for a day. */
const LEAST_POPULAR = 1.5;

/** A list without names. */
export const NONE_POPULAR: Popularity = { at: 0, names: [] };

/** The list with further query counts added; the rarest names are dropped. */
export function addCounts(
  before: Popularity,
  counts: ReadonlyMap<string, number>,
  now: number,
): Popularity {
  const scores = new Map(aged(before, now));
  for (const [name, count] of counts) scores.set(name, (scores.get(name) ?? 0) + count);
  const names = [...scores]
    .filter(([, score]) => score >= LEAST_SCORE)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_NAMES);
  return { at: Math.max(before.at, now), names };
}

/** At most `max` names to keep warm, most popular first; seeds come last and keep their places. */
export function popularNames(
  popularity: Popularity,
  { now, seeds, max }: { now: number; seeds: readonly string[]; max: number },
): string[] {
  const asked = aged(popularity, now)
    .filter(([, score]) => score >= LEAST_POPULAR)
    .map(([name]) => name)
    .slice(0, Math.max(0, max - seeds.length));
  return [...new Set([...asked, ...seeds])].slice(0, max);
}

function aged({ at, names }: Popularity, now: number): Score[] {
  // A clock that was set back must not raise scores.
  const share = 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
  return names.map(([name, score]) => [name, score * share]);
}

/**
 * Labels of domains that are popular before any client has asked, most likely first. .eth names have none: public Ethereum nodes are
 * rate-limited, and names without demand are not worth a call.
 */
export const POPULAR_SEEDS: readonly string[] = (
  "google example test hello openai apple amazon github microsoft facebook youtube twitter " +
  "instagram netflix tesla stripe shopify reddit wikipedia cloudflare domain startup shop " +
  "blog news cloud app ai chat agent demo foo bar world coffee pizza travel music crypto " +
  "bitcoin"
).split(" ");
