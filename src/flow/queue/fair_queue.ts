import type { Clock } from "../clock.ts";
/**
 * Start-time fair queueing. Each waiting task has a virtual start time. The tasks of a client start at intervals of one, so
 * clients take turns, and a client with many tasks delays only its own. Virtual time is that of the latest start; a client
 * that comes begins there, however long it was idle, less a small head start. Sites take turns first, then the clients in
 * each, so a network with many addresses gets no more turns than another with one.
 *
 * At a host with a pace a client that comes has a head start, mostly of one burst; beside others, one that has used it
 * starts only while the burst is whole, so that a person does not wait for another client's list. A client that joins a
 * look-up in flight gets a place of its own for what is queued: the question is sent once, at the first turn of any of its
 * clients.
 */

/** For whom a task waits. */
export interface Place {
  readonly client: string;
  /** The network of the client; without one, the client is its own site. */
  readonly site?: string | undefined;
  /** A client's tasks start by rank, 0 first, and those of one rank in order of arrival. Ranks are small. */
  readonly rank?: number | undefined;
}

/** The tasks that wait for one host, each at a place. */
export interface FairQueue<P extends Place> {
  add(place: P): void;
  /** Removes a place whose task does not start. */
  remove(place: P): void;
  /** The place whose turn it is. */
  next(): P | undefined;
  /** Removes a place whose task starts, and counts the start. */
  start(place: P): void;
  /** How many of the tasks would start before a further one at this place, at most, if no client comes meanwhile. */
  ahead(place: Place): number;
  /** How many starts the client has left of its head start; `Infinity` while there are no other clients. */
  headStartLeft(place: Place): number;
  /** Whether the client will have used its head start after so many further starts, even if there are no other clients. */
  isList(place: Place, further: number): boolean;
  /** How many tasks of the client wait. */
  countOf(place: Place): number;
  all(): P[];
  readonly size: number;
}

/** Options of a fair queue. */
export interface FairQueueOptions extends Pick<Clock, "monotonic"> {
  /** How many tasks of a client that comes start before those of clients that have been served. */
  readonly headStart: number;
  /** How long a turn of virtual time takes while no task waits, in ms: so the head start of a client becomes whole again. */
  readonly turnMs: number;
}

/** Tasks without a client, such as tests of registries, are not those of another client. */
const NO_CLIENT = "";

/** Creates an empty queue. */
export function createFairQueue<P extends Place>(options: FairQueueOptions): FairQueue<P> {
  const createRanks = (): Set<P>[] => [];
  const sites = new Flows(() => new Flows(createRanks, options), options);
  let size = 0;
  const siteOf = ({ site, client }: Place) => site ?? client;
  const ranksOf = (place: Place) => sites.get(siteOf(place))?.get(place.client) ?? [];

  function add(place: P): void {
    const { client, rank = 0 } = place;
    const ranks = sites.push(siteOf(place)).push(client);
    while (ranks.length <= rank) ranks.push(new Set());
    ranks[rank]?.add(place);
    size++;
  }

  function leave(place: P, how: "start" | "drop"): void {
    const site = siteOf(place);
    if (!ranksOf(place).some((places) => places.delete(place))) return;
    sites.get(site)?.[how](place.client);
    sites[how](site);
    size--;
  }

  function next(): P | undefined {
    const [place] = sites.first()?.first()?.find((places) => places.size > 0) ?? [];
    return place;
  }

  function ahead(place: Place): number {
    const own = countUpTo(ranksOf(place), place.rank);
    const ofSite = sites.get(siteOf(place))?.ahead(place.client, own) ?? own;
    return sites.ahead(siteOf(place), ofSite);
  }

  function headStartLeft(place: Place, evenAlone = false): number {
    const site = siteOf(place);
    return Math.min(
      sites.headStartLeft(site, evenAlone),
      sites.get(site)?.headStartLeft(place.client, evenAlone) ?? Infinity,
    );
  }

  return {
    add,
    remove: (place) => leave(place, "drop"),
    next,
    start: (place) => leave(place, "start"),
    ahead,
    headStartLeft,
    isList: (place, further) => headStartLeft(place, true) <= further,
    countOf: (place) => countUpTo(ranksOf(place)),
    all: () =>
      sites.all().flatMap((clients) =>
        clients.all().flatMap((ranks) => ranks.flatMap((r) => [...r]))
      ),
    get size() {
      return size;
    },
  };
}

/** How many places have this rank or a better one. */
function countUpTo(ranks: readonly ReadonlySet<unknown>[], rank = Infinity): number {
  return ranks.reduce((sum, places, own) => own <= rank ? sum + places.size : sum, 0);
}

/** What takes turns with others: a site, or a client of a site. */
interface Flow<Content> {
  readonly content: Content;
  /** The virtual time at which its next task starts. */
  start: number;
  /** How many of its tasks wait: they start at `start`, `start + 1` and so on. */
  size: number;
}

/**
 * A set of flows that take turns, each with what `create` returns for it. A class, because each client that waits has one
 * for a moment, and functions of its own would be most of what it takes.
 */
class Flows<Content> {
  readonly #create: () => Content;
  readonly #options: FairQueueOptions;
  /** Those served longest ago come first: a `Map` iterates in order of insertion. */
  readonly #flows = new Map<string, Flow<Content>>();
  /** The flows with tasks by their `start`, in order of arrival there. They differ by a head start and a turn at most. */
  readonly #heads = new Map<number, Set<Flow<Content>>>();
  /** How many tasks wait for each virtual time. */
  readonly #counts = new Map<number, number>();
  #virtual = 0;
  #waiting = 0;
  #readAt: number;

  constructor(create: () => Content, options: FairQueueOptions) {
    this.#create = create;
    this.#options = options;
    this.#readAt = options.monotonic();
  }

  /**
   * The virtual time, as a whole number. It runs by itself only while no task waits: those that wait would fall behind it,
   * and so go before all clients that come.
   */
  #time(): number {
    const { headStart, turnMs, monotonic } = this.#options;
    // Without a head start, nothing depends on how long no task waited; a clock would cost more than the rest.
    if (headStart === 0) return this.#virtual;
    const now = monotonic();
    if (this.#waiting === 0) this.#virtual += (now - this.#readAt) / turnMs;
    this.#readAt = now;
    return Math.floor(this.#virtual);
  }

  #earliest(): number {
    return this.#time() - this.#options.headStart;
  }

  /** Without a head start, or once it has all of it again, a flow without tasks is like a new one. */
  #isForgettable({ size, start }: Flow<Content>): boolean {
    return size === 0 && (this.#options.headStart === 0 || start <= this.#earliest());
  }

  #forgetOld(): void {
    for (const [key, flow] of this.#flows) {
      if (!this.#isForgettable(flow)) return;
      this.#flows.delete(key);
    }
  }

  #count(at: number, change: 1 | -1): void {
    // The time that passed counts by whether tasks waited until now.
    this.#time();
    this.#waiting += change;
    const sum = (this.#counts.get(at) ?? 0) + change;
    if (sum === 0) this.#counts.delete(at);
    else this.#counts.set(at, sum);
  }

  #enter(flow: Flow<Content>): void {
    this.#heads.set(flow.start, (this.#heads.get(flow.start) ?? new Set()).add(flow));
  }

  #exit(flow: Flow<Content>): void {
    const others = this.#heads.get(flow.start);
    others?.delete(flow);
    if (others?.size === 0) this.#heads.delete(flow.start);
  }

  get(key: string): Content | undefined {
    return this.#flows.get(key)?.content;
  }

  all(): Content[] {
    return [...this.#flows.values()].map(({ content }) => content);
  }

  /** Appends a task to a flow. */
  push(key: string): Content {
    const flow = this.#flows.get(key) ??
      { content: this.#create(), start: this.#earliest(), size: 0 };
    if (flow.size === 0) {
      flow.start = Math.max(flow.start, this.#earliest());
      this.#flows.set(key, flow);
      this.#enter(flow);
    }
    this.#count(flow.start + flow.size++, 1);
    return flow.content;
  }

  /** Removes a task of a flow, whose later ones start one earlier each. */
  drop(key: string): void {
    const flow = this.#flows.get(key);
    if (flow === undefined) return;
    this.#count(flow.start + --flow.size, -1);
    if (flow.size > 0) return;
    this.#exit(flow);
    if (this.#isForgettable(flow)) this.#flows.delete(key);
  }

  /** Removes a task of a flow that starts. */
  start(key: string): void {
    const flow = this.#flows.get(key);
    if (flow === undefined) return;
    this.#exit(flow);
    this.#count(flow.start, -1);
    this.#virtual = Math.max(this.#virtual, flow.start++);
    flow.size--;
    if (flow.size > 0) this.#enter(flow);
    if (this.#options.headStart > 0) {
      this.#flows.delete(key);
      this.#flows.set(key, flow);
      this.#forgetOld();
    } else if (flow.size === 0) this.#flows.delete(key);
  }

  first(): Content | undefined {
    let earliest = Infinity;
    for (const at of this.#heads.keys()) earliest = Math.min(earliest, at);
    return this.#heads.get(earliest)?.values().next().value?.content;
  }

  /**
   * How many tasks start before a further one that has `own` of its flow before it. The loop is as long as that: it does
   * not depend on how many flows wait.
   */
  ahead(key: string, own: number): number {
    const { start, size } = this.#flows.get(key) ?? { start: -Infinity, size: 0 };
    const last = Math.max(start, size > 0 ? start : this.#earliest()) + own;
    let count = own - Math.min(size, own + 1);
    for (let at = this.#earliest(); at <= last; at++) count += this.#counts.get(at) ?? 0;
    return count;
  }

  headStartLeft(key: string, evenAlone: boolean): number {
    this.#forgetOld();
    const flows = this.#flows;
    const others = flows.size - (flows.has(key) ? 1 : 0) - (flows.has(NO_CLIENT) ? 1 : 0);
    const isAlone = key === NO_CLIENT || others === 0;
    const { headStart } = this.#options;
    if (headStart === 0 || (isAlone && !evenAlone)) return Infinity;
    const left = this.#time() - (flows.get(key)?.start ?? -Infinity);
    return Math.max(0, Math.min(headStart, left));
  }
}
