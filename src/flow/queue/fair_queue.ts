import type { Clock } from "../clock.ts";
/**
 * Start-time fair queueing. Each waiting task has a virtual start time. The tasks of a client start at intervals of one, so
 * clients take turns, and a client with many tasks delays only its own. Virtual time is that of the latest start; a client
 * that comes begins there, however long it was idle, less a small head start. Sites take turns first, then the clients in
 * each, so a network with many addresses gets no more turns than another with one.
 *
 * At a host with a pace a client that comes has a head start of one burst; one that has used it starts only while the burst
 * is whole, so that a person does not wait for another client's list. A client that joins a look-up in flight gets a place
 * of its own for what is queued: the question is sent once, at the first turn of any of its clients.
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
  const createClients = () => createFlows(createRanks, options);
  const sites = createFlows(createClients, options);
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

/** Creates an empty set of flows that take turns, each with what `create` returns for it. */
function createFlows<Content>(
  create: () => Content,
  { headStart, turnMs, monotonic }: FairQueueOptions,
) {
  /** Those served longest ago come first: a `Map` iterates in order of insertion. */
  const flows = new Map<string, Flow<Content>>();
  /** The flows with tasks by their `start`, in order of arrival there. They differ by a head start and a turn at most. */
  const heads = new Map<number, Set<Flow<Content>>>();
  /** How many tasks wait for each virtual time. */
  const counts = new Map<number, number>();
  let virtual = 0;
  let waiting = 0;
  let readAt = monotonic();

  /**
   * The virtual time, as a whole number. It runs by itself only while no task waits: those that wait would fall behind it,
   * and so go before all clients that come.
   */
  function time(): number {
    // Without a head start, nothing depends on how long no task waited; a clock would cost more than the rest.
    if (headStart === 0) return virtual;
    const now = monotonic();
    if (waiting === 0) virtual += (now - readAt) / turnMs;
    readAt = now;
    return Math.floor(virtual);
  }

  const earliest = () => time() - headStart;

  /** Without a head start, or once it has all of it again, a flow without tasks is like a new one. */
  function isForgettable({ size, start }: Flow<Content>): boolean {
    return size === 0 && (headStart === 0 || start <= earliest());
  }

  function forgetOld(): void {
    for (const [key, flow] of flows) {
      if (!isForgettable(flow)) return;
      flows.delete(key);
    }
  }

  function count(at: number, change: 1 | -1): void {
    // The time that passed counts by whether tasks waited until now.
    time();
    waiting += change;
    const sum = (counts.get(at) ?? 0) + change;
    if (sum === 0) counts.delete(at);
    else counts.set(at, sum);
  }

  function enter(flow: Flow<Content>): void {
    heads.set(flow.start, (heads.get(flow.start) ?? new Set()).add(flow));
  }

  function exit(flow: Flow<Content>): void {
    const others = heads.get(flow.start);
    others?.delete(flow);
    if (others?.size === 0) heads.delete(flow.start);
  }

  /** Appends a task to a flow. */
  function push(key: string): Content {
    const flow = flows.get(key) ?? { content: create(), start: earliest(), size: 0 };
    if (flow.size === 0) {
      flow.start = Math.max(flow.start, earliest());
      flows.set(key, flow);
      enter(flow);
    }
    count(flow.start + flow.size++, 1);
    return flow.content;
  }

  /** Removes a task of a flow, whose later ones start one earlier each. */
  function drop(key: string): void {
    const flow = flows.get(key);
    if (flow === undefined) return;
    count(flow.start + --flow.size, -1);
    if (flow.size > 0) return;
    exit(flow);
    if (isForgettable(flow)) flows.delete(key);
  }

  /** Removes a task of a flow that starts. */
  function start(key: string): void {
    const flow = flows.get(key);
    if (flow === undefined) return;
    exit(flow);
    count(flow.start, -1);
    virtual = Math.max(virtual, flow.start++);
    flow.size--;
    if (flow.size > 0) enter(flow);
    if (headStart > 0) {
      flows.delete(key);
      flows.set(key, flow);
      forgetOld();
    } else if (flow.size === 0) flows.delete(key);
  }

  function first(): Content | undefined {
    let earliest = Infinity;
    for (const at of heads.keys()) earliest = Math.min(earliest, at);
    return heads.get(earliest)?.values().next().value?.content;
  }

  /**
   * How many tasks start before a further one that has `own` of its flow before it. The loop is as long as that: it does
   * not depend on how many flows wait.
   */
  function ahead(key: string, own: number): number {
    const { start, size } = flows.get(key) ?? { start: -Infinity, size: 0 };
    const last = Math.max(start, size > 0 ? start : earliest()) + own;
    let count = own - Math.min(size, own + 1);
    for (let at = earliest(); at <= last; at++) count += counts.get(at) ?? 0;
    return count;
  }

  function headStartLeft(key: string, evenAlone: boolean): number {
    forgetOld();
    const others = flows.size - (flows.has(key) ? 1 : 0) - (flows.has(NO_CLIENT) ? 1 : 0);
    const isAlone = key === NO_CLIENT || others === 0;
    if (headStart === 0 || (isAlone && !evenAlone)) return Infinity;
    const left = time() - (flows.get(key)?.start ?? -Infinity);
    return Math.max(0, Math.min(headStart, left));
  }

  return {
    get: (key: string) => flows.get(key)?.content,
    push,
    drop,
    start,
    first,
    ahead,
    headStartLeft,
    all: () => [...flows.values()].map(({ content }) => content),
  };
}
