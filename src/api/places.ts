/** Places that the clients of a process hold: bodies that are being read, and answers that are being sent. */
import type { Sender } from "./app_env.ts";

/** The bounds: of all clients together, and of one. */
export interface PlaceLimits {
  readonly atOnce: number;
  readonly perClient: number;
}

/** A place that a client holds. */
interface Place extends Sender {
  /** Called when it goes to another client. */
  drop(): void;
}

/**
 * Creates them. Where all are taken, the oldest of the site with the most makes room, unless that is the sender's own: a network
 * with many addresses would otherwise take every place.
 */
export function createPlaces({ atOnce, perClient }: PlaceLimits) {
  /** The oldest first: a `Set` iterates in order of insertion. */
  const held = new Set<Place>();

  /** Whether there is a place for a site, for which another one may have lost its oldest. */
  function makeRoom(site: string): boolean {
    if (held.size < atOnce) return true;
    const bySite = Map.groupBy(held, (place) => place.site);
    const [busiest = []] = [...bySite.values()].toSorted((a, b) => b.length - a.length);
    const [oldest] = busiest;
    if (oldest === undefined || busiest.length <= (bySite.get(site)?.length ?? 0)) return false;
    held.delete(oldest);
    oldest.drop();
    return true;
  }

  return {
    /** Takes a place, which goes to another client by `drop`. Returns what gives it back; undefined if there is none. */
    take({ client, site }: Sender, drop: () => void): (() => void) | undefined {
      const own = [...held].filter((place) => place.client === client);
      if (own.length >= perClient || !makeRoom(site)) return undefined;
      const place = { client, site, drop };
      held.add(place);
      return () => void held.delete(place);
    },
  };
}
