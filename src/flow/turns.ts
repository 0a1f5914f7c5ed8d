/** Who is next: sites take turns, in each its clients, and the tasks of a client go in the order in which they came. */

/** For whom a task waits. */
export interface Place {
  readonly client: string;
  /** The network of the client; without one, the client is its own site. */
  readonly site?: string | undefined;
}

interface Site<P> {
  /** In the order of their turns. */
  readonly clients: Map<string, Set<P>>;
  /** Counted: summed up over its clients several times a question, 8,000 questions took seconds (measured). */
  size: number;
}

/** The places that wait for one host. */
export class Turns<P extends Place> {
  /** In the order of their turns. */
  readonly #sites = new Map<string, Site<P>>();
  /** Whose turn was the last, also once nothing of it waits. */
  #last: Place | undefined;
  size = 0;

  /** `isFirst`: before the other places of its client. */
  add(place: P, isFirst = false): void {
    const key = siteOf(place);
    const site = this.#sites.get(key) ?? { clients: new Map<string, Set<P>>(), size: 0 };
    this.#sites.set(key, site);
    const places = site.clients.get(place.client) ?? new Set();
    site.clients.set(place.client, isFirst ? new Set([place, ...places]) : places.add(place));
    site.size++;
    this.size++;
  }

  /** Removes a place, which may be gone already. */
  delete(place: P): void {
    const site = this.#sites.get(siteOf(place));
    const places = site?.clients.get(place.client);
    if (site === undefined || places?.delete(place) !== true) return;
    this.size--;
    if (places.size === 0) site.clients.delete(place.client);
    if (--site.size === 0) this.#sites.delete(siteOf(place));
  }

  /** Removes the place whose turn it is, and ends the turn of its client and site, which go behind all others. */
  take(): P | undefined {
    if (this.#last !== undefined) {
      const key = siteOf(this.#last);
      moveToEnd(this.#sites, key);
      moveToEnd(this.#sites.get(key)?.clients, this.#last.client);
    }
    const [site] = this.#sites.values();
    const [places] = site?.clients.values() ?? [];
    const [place] = places ?? [];
    this.#last = place;
    if (place !== undefined) this.delete(place);
    return place;
  }

  /** How many sites wait. */
  get sites(): number {
    return this.#sites.size;
  }

  /** How many places of a site wait. */
  sizeOf(place: Place): number {
    return this.#sites.get(siteOf(place))?.size ?? 0;
  }

  /** How many places start before one that waits, or before a further one of that client. */
  ahead(place: Place): number {
    const own = this.#sites.get(siteOf(place));
    const ofClient = [...own?.clients.get(place.client) ?? []];
    const at = ofClient.findIndex((one) => one === place);
    const before = at < 0 ? ofClient.length : at;
    let turns = before;
    for (const [client, { size }] of own?.clients ?? []) {
      if (client !== place.client) turns += Math.min(size, before + 1);
    }
    let count = turns;
    for (const site of this.#sites.values()) {
      if (site !== own) count += Math.min(site.size, turns + 1);
    }
    return count;
  }

  all(): P[] {
    return this.#sites.values()
      .flatMap(({ clients }) => clients.values().flatMap((places) => places.values())).toArray();
  }
}

function moveToEnd<V>(map: Map<string, V> | undefined, key: string): void {
  const value = map?.get(key);
  if (map === undefined || value === undefined) return;
  map.delete(key);
  map.set(key, value);
}

function siteOf({ client, site = client }: Place): string {
  return site;
}
