/** Places that the clients of a process hold: bodies that are being read, and answers that are being sent. */
import type { Sender } from "./app_env.ts";

/** The bounds: of all clients together, and of one. */
export interface PlaceLimits {
  readonly atOnce: number;
  readonly perClient: number;
}

/** A place that a client holds. */
interface Place {
  readonly client: string;
  /** Called when it goes to another client. */
  drop(): void;
}

/**
 * Creates them. Where all are taken, the oldest of the site with the most makes room, unless that is the sender's own: a network
 * with many addresses would otherwise take every place.
 */
export function createPlaces({ atOnce, perClient }: PlaceLimits) {
  /** By site, the oldest first: a `Set` iterates in order of insertion. */
  const held = new Map<string, Set<Place>>();
  let total = 0;

  function giveBack(site: string, place: Place): void {
    const places = held.get(site);
    if (places?.delete(place) !== true) return;
    total--;
    if (places.size === 0) held.delete(site);
  }

  /** Whether there is a place for a site, for which another one may have lost its oldest. */
  function makeRoom(site: string): boolean {
    if (total < atOnce) return true;
    const [busiest] = [...held].toSorted(([, a], [, b]) => b.size - a.size);
    if (busiest === undefined || busiest[1].size <= (held.get(site)?.size ?? 0)) return false;
    const [oldest] = busiest[1];
    giveBack(busiest[0], oldest!);
    oldest!.drop();
    return true;
  }

  return {
    /** Takes a place, which goes to another client by `drop`. Returns what gives it back; undefined if there is none. */
    take({ client, site }: Sender, drop: () => void): (() => void) | undefined {
      const own = [...held.get(site) ?? []].filter((place) => place.client === client);
      if (own.length >= perClient || !makeRoom(site)) return undefined;
      const place = { client, drop };
      held.set(site, (held.get(site) ?? new Set()).add(place));
      total++;
      return () => giveBack(site, place);
    },
  };
}
