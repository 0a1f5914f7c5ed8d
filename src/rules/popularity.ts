/** How popular names are: a bounded list of scores that halve with time. */

/** A kind of name that people ask for. */
export type NameKind = "domain" | "ens";

/** A name and its score: how often it was asked for, an older time counting less. */
export type Score = readonly [name: string, score: number];

/** The most popular names, highest score first, as of a time (ms since 1970). */
export interface Popularity {
  readonly at: number;
  readonly names: readonly Score[];
}

/** Yesterday's asking counts half. */
const HALF_LIFE_MS = 24 * 3_600_000;
/** Of names of 63 letters so many fit into one value of KV (64 KiB) with room to spare. */
const MAX_NAMES = 500;
/** What nobody has asked for in a week. */
const LEAST_SCORE = 0.01;
/** Asked for once is no more popular than anything. */
const LEAST_POPULAR = 1.5;

/** A list without names. */
export const NONE_POPULAR: Popularity = { at: 0, names: [] };

/** The list after names were asked for so often; the rarest are dropped. */
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

/** At most `max` names that are worth being kept warm, the most popular first; seeds come after what people ask for. */
export function popularNames(
  popularity: Popularity,
  { now, seeds, max }: { now: number; seeds: readonly string[]; max: number },
): string[] {
  const asked = aged(popularity, now)
    .filter(([, score]) => score >= LEAST_POPULAR)
    .map(([name]) => name);
  return [...new Set([...asked, ...seeds])].slice(0, max);
}

function aged({ at, names }: Popularity, now: number): Score[] {
  // A clock that went back makes nothing more popular.
  const share = 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
  return names.map(([name, score]) => [name, score * share]);
}
