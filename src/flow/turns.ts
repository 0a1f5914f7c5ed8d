/** Who is next: sites take turns, in each its clients, and the tasks of a client go in the order in which they came. */

/** For whom a task waits. */
export interface Place {
  readonly client: string;
  /** The network of the client; without one, the client is its own site. */
  readonly site?: string | undefined;
}

/** The places that wait for one host. */
export class Turns<P extends Place> {
  /** The sites, and the clients of each, in the order of their turns. */
  readonly #sites = new Map<string, Map<string, Set<P>>>();
  /** Whose turn was the last, also once nothing of it waits. */
  #last: Place | undefined;
  size = 0;

  add(place: P): void {
    const key = siteOf(place);
    const clients = this.#sites.get(key) ?? new Map<string, Set<P>>();
    this.#sites.set(key, clients);
    clients.set(place.client, (clients.get(place.client) ?? new Set()).add(place));
    this.size++;
  }

  /** Removes a place, which may be gone already. */
  delete(place: P): void {
    const clients = this.#sites.get(siteOf(place));
    const places = clients?.get(place.client);
    if (places?.delete(place) !== true) return;
    this.size--;
    if (places.size === 0) clients?.delete(place.client);
    if (clients?.size === 0) this.#sites.delete(siteOf(place));
  }

  /** The place whose turn it is. */
  peek(): P | undefined {
    if (this.#last !== undefined) this.#pass(this.#last);
    const [clients] = this.#sites.values();
    const [places] = clients?.values() ?? [];
    const [place] = places ?? [];
    return place;
  }

  /** Moves a site, and in it the client, behind all others, where it is first. */
  #pass(last: Place): void {
    const clients = this.#sites.get(siteOf(last));
    if (clients === undefined) return;
    moveBehindOthers(this.#sites, siteOf(last));
    moveBehindOthers(clients, last.client);
  }

  /** Removes a place and ends the turn of its client and site, which go behind all others. */
  take(place: P): void {
    this.delete(place);
    this.#last = place;
  }

  /** How many places of a site wait. */
  sizeOf(place: Place): number {
    return sizeOf(this.#sites.get(siteOf(place)));
  }

  /** How many places start before one that waits, or before a further one of that client. */
  ahead(place: Place): number {
    const own = this.#sites.get(siteOf(place));
    const ofClient = [...own?.get(place.client) ?? []];
    const at = ofClient.findIndex((one) => one === place);
    const before = at < 0 ? ofClient.length : at;
    let turns = before;
    for (const [client, { size }] of own ?? []) {
      if (client !== place.client) turns += Math.min(size, before + 1);
    }
    let count = turns;
    for (const site of this.#sites.values()) {
      if (site !== own) count += Math.min(sizeOf(site), turns + 1);
    }
    return count;
  }

  all(): P[] {
    return this.#sites.values().flatMap((clients) => clients.values()).flatMap((set) => set)
      .toArray();
  }
}

/** Moves a key behind all others if it is first. */
function moveBehindOthers<V>(map: Map<string, V>, key: string): void {
  const [first] = map.entries();
  if (first?.[0] !== key) return;
  map.delete(key);
  map.set(...first);
}

function sizeOf(clients: ReadonlyMap<string, ReadonlySet<unknown>> | undefined): number {
  return clients?.values().reduce((sum, { size }) => sum + size, 0) ?? 0;
}

function siteOf({ client, site = client }: Place): string {
  return site;
}
