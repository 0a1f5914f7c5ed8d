/**
 * The look-ups behind each kind of name that is kept warm, and their renewal.
 *
 * A renewal looks up, with background priority, what will expire too soon. Clients never wait for it, it does not start while
 * a client's look-up of the same name is in flight, and if it fails the cached answer stays. A further kind of name is one
 * more warmer here and a line in `src/wiring/services.ts`.
 */
import type { Renewal } from "../flow/cache/cached.ts";
import { POPULAR_SEEDS } from "../rules/popularity.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import type { DomainChecks } from "./check_domain.ts";
import type { createPopularCounter } from "./popular_counter.ts";

/** The look-ups behind the names of a kind that are kept warm, the most wanted first; none of a name that is not worth them. */
export type Warmer = () => Promise<readonly (readonly Lookup[])[]>;

/** A look-up with a cached answer. */
export interface Lookup {
  /** The look-ups of one queue are made one after the other; for a domain, its host. */
  queue: string;
  /** Looks up again unless the cached answer is valid until `until` (ms since 1970). */
  renew(until: number): Promise<Renewal>;
}

/** The popular names of each kind. */
const MAX_POPULAR = 100;

type PopularNames = Pick<ReturnType<typeof createPopularCounter>, "top">;

/**
 * The warmer of domains: a popular name has one look-up for each TLD. One that is cached as taken or reserved under none is not
 * wanted: strangers can make up any number of them, and their answers expire before the next run. Seeds are wanted while
 * the cache is empty, too.
 */
export function domainWarmer(
  tlds: { fresh(): Promise<readonly TldRow[]> },
  { renewDomain, isKnownUnavailable }: Pick<DomainChecks, "renewDomain" | "isKnownUnavailable">,
  popular: PopularNames,
): Warmer {
  return async () => {
    const rows = await tlds.fresh();
    const enabled = rows.map(({ tld }) => tld);
    const names = await popular.top("domain", MAX_POPULAR);
    return await Promise.all(names.map(async (name) => {
      const isWanted = POPULAR_SEEDS.includes(name) || await isKnownUnavailable(name, enabled);
      if (!isWanted) return [];
      return rows.map(({ tld, rdapBase }): Lookup => ({
        queue: new URL(rdapBase).host,
        renew: (until) => renewDomain(name, tld, until),
      }));
    }));
  };
}

/** The warmer of .eth names. Each has its own queue, since simultaneous ones share one request. */
export function ensWarmer(
  renew: (label: string, until: number) => Promise<Renewal>,
  popular: PopularNames,
): Warmer {
  return async () => {
    // Available ones are not counted.
    const names = await popular.top("ens", MAX_POPULAR);
    return names.map((name) => [{ queue: `${name}.eth`, renew: (until) => renew(name, until) }]);
  };
}
