/**
 * The host of an upstream: its queue and its pace, with its state (`host_state.ts`). Every upstream is one: the resolver,
 * RDAP and WHOIS servers, registrars, Ethereum nodes and their gateway, IANA, the price list. This is the one place that
 * decides when a question is sent.
 *
 *   ask ─► in a long pause, or too long a queue? ─yes─► paused, rejected: nothing is sent
 *            │ no
 *            ▼
 *          waits for its turn (`turns.ts`): single questions, then those of lists (in turns with them once the burst is used
 *            │                              up; at a host without a burst the same as single ones), then background work
 *            ▼
 *          waits for a start at the pace, and for the end of a short pause ─► is sent ─► its outcome is noted
 *
 * Pace: GCRA, a token bucket stored as one time, `spentUntil`: a start moves it on by one interval, and may be as far before
 * it as the burst allows. Lists leave half of the burst to single questions, background work all of it. A row has one limit or
 * two, of which a start keeps both. Starts of the next second are taken ahead, one at least, and each is known by the
 * `spentUntil` before it: when it is due depends on the question that uses it. Where the host counts the questions of all
 * processes, `spentUntil` is in KV, changed by compare-and-set. A start that is not used within an interval is dropped, so
 * that delayed starts do not pile up.
 *
 * A host that is slowed (`host_state.ts`) has a further limit, one start in two intervals; so has one whose pace is in KV while
 * KV fails.
 *
 * Where questions wait for the end of a pause (`waitedPauseMs`), one that was answered with it is sent once more. Clients that
 * do not want to wait that long are told what to expect (`onQueue`), and leave.
 */
import type { Limit, Pace } from "../rules/tables/hosts.ts";
import type { Client, Clients, Pending, Waiter } from "./cache/flight.ts";
import type { Clock, Report } from "./process.ts";
import {
  type Breaker,
  createHostState,
  FAULT_WORDS,
  type Outcome,
  type Pause,
  type SharedStates,
  type UpstreamKind,
} from "./host_state.ts";
import { type Place as Turn, Turns } from "./turns.ts";

/** How a question waits: for whom, as the waiter of its look-up, and who is told. */
export interface WaitOptions extends Pick<Waiter, "client" | "site" | "isList" | "priority"> {
  /** Whether it is one of a server's test, in the foreground: the other questions of its client wait for it. */
  readonly isTest?: boolean | undefined;
  /**
   * All clients that wait for the answer, `client` among them: the question has a place for each, and is sent at the first
   * turn of any. Without a place of its own a client would wait for the rest of another one's list.
   */
  readonly clients?: Clients | undefined;
  /** Ends the wait, but not a question that has been sent. */
  readonly signal?: AbortSignal | undefined;
  /** Called once the wait is over, with its length in ms. */
  readonly onWait?: ((ms: number) => void) | undefined;
  /** Called when the question is put into the queue, and again when the place of another client has changed the wait. */
  readonly onQueue?: ((queued: Queued) => void) | undefined;
  /** Called by a look-up with the question to a registry that is under way, and without one once it has ended. */
  readonly onPending?: ((pending?: Pending) => void) | undefined;
}

/** How a question waits in the queue of its host. */
export interface Queued {
  readonly host: string;
  /** How long it is expected to wait, in ms. */
  readonly expectedMs: number;
  /** What it waits for, in words. */
  readonly why: string;
}

/** What processes share of their hosts. */
export interface SharedHosts extends SharedStates {
  /** Replaces the times until which the limits of a host are spent; returns whether KV took it. */
  spend(
    host: string,
    next: (spentUntil: readonly number[] | undefined) => readonly number[],
  ): Promise<boolean>;
}

/** How hosts of one kind are asked. */
export interface HostOptions {
  /** The pace of a host; absent: questions are sent at once. */
  readonly paceOf?: (host: string) => Pace;
  /** Absent: only answers that come with a pause start one. */
  readonly breaker?: Breaker;
  /** Questions wait in the queue for the end of a pause up to this length, in ms; 0 if absent. */
  readonly waitedPauseMs?: number;
  /** Whether a pause of a process is one of all. */
  readonly isShared?: boolean;
  /** Whether questions are sent in a pause, too: who asks has read the pause, and has no other host left. */
  readonly isAskedInPause?: boolean;
}

/** The answer, or why the host was not asked. */
type Asked<Answer> =
  | { kind: "answered"; answer: Answer }
  /** It is in a long pause, its queue is too long, the process ends, or the wait was cancelled. */
  | { kind: "unasked"; why: string; retryAfterMs: number };

/** A host of an upstream. */
export type UpstreamHost = ReturnType<typeof createUpstreamHost>;

/** The hosts of all upstreams. */
export type UpstreamHosts = ReturnType<typeof createUpstreamHosts>;

/** Is told what happens at the hosts: the one place where questions to upstreams are counted. */
interface HostObserver {
  /** A question came into the queue of a host (1), or left it (-1). */
  queued(host: string, change: 1 | -1): void;
  waited(host: string, ms: number): void;
  /** What an answer said about the host. */
  answered(host: string, kind: Exclude<Outcome["kind"], "unasked">): void;
  /** How long a question took, without its wait. */
  took(host: string, ms: number): void;
}

/** What hosts need. */
export interface HostEnvironment extends Clock {
  report: Report;
  /** The pace of a host in place of its row; undefined: that of its row. */
  paceOf?: ((kind: UpstreamKind, host: string) => Pace | undefined) | undefined;
  /** Absent: each process asks for itself. */
  shared?: SharedHosts | undefined;
  observer?: HostObserver | undefined;
  /** Once it is aborted, all that waits is rejected, and what comes unless it may start at once. */
  ending?: AbortSignal | undefined;
}

/** What waits for longer is rejected at once. */
const LONGEST_WAIT_MS = 15 * 60_000;
/** Starts of the next second are taken ahead. */
const AHEAD_MS = 1_000;
/** So many processes may each have taken a start of a shared pace ahead. */
const MOST_PROCESSES = 8;
/** Questions that wait for one host, of all and of one site; each takes 1 KB. */
const MOST_WAITING = 40_000;
const MOST_OF_SITE = 8_000;

/** Creates the hosts of all upstreams. */
export function createUpstreamHosts(environment: HostEnvironment) {
  const all: UpstreamHost[] = [];
  return {
    /** Returns the hosts of a kind, by name. */
    ofKind(kind: UpstreamKind, options: HostOptions = {}) {
      const known = new Map<string, UpstreamHost>();
      return (name: string): UpstreamHost => {
        let host = known.get(name);
        if (host !== undefined) return host;
        host = createUpstreamHost({ kind, name, ...options }, environment);
        known.set(name, host);
        all.push(host);
        return host;
      };
    },
    problems: () => all.flatMap((host) => host.problem() ?? []),
  };
}

/** In the order in which they are served. */
const KINDS = ["single", "list", "background"] as const;
type Kind = typeof KINDS[number];

/** The times until which the limits of a pace are spent; a start is known by those before it. */
type Spent = readonly number[];

/** A client's place in the queue, for a question that may have several. */
interface Place extends Turn {
  readonly kind: Kind;
  begin(): void;
  leave(): void;
}

const UNPACED: Pace = { concurrency: Infinity, burst: Infinity, everyMs: 0 };

function createUpstreamHost(
  { kind, name, paceOf, breaker, waitedPauseMs = 0, isShared, isAskedInPause }: HostOptions & {
    kind: UpstreamKind;
    name: string;
  },
  { report, now, monotonic, ending, observer, shared, paceOf: setPaceOf }: HostEnvironment,
) {
  const pace = setPaceOf?.(kind, name) ?? paceOf?.(name) ?? UNPACED;
  const { concurrency } = pace;
  const isPaced = pace.everyMs > 0;
  /** A slowed host's, beside its own: their bursts, spent, would be filled up in minutes, or hours. */
  const slowly: Limit = { burst: 1, everyMs: 2 * pace.everyMs };
  const limits: readonly Limit[] = isPaced
    ? [pace, ...pace.longer ? [pace.longer] : [], slowly]
    : [];
  const spends = pace.isShared === true ? shared?.spend : undefined;
  /** The clock of the pace: that which processes share, or one that is never set back. */
  const time = spends === undefined ? monotonic : now;
  const queues: Readonly<Record<Kind, Turns<Place>>> = {
    single: new Turns(),
    list: new Turns(),
    background: new Turns(),
  };
  /** As far as this process knows. */
  let spentUntil: Spent = limits.map(() => -Infinity);
  /** Starts that are not used, the earliest first. */
  let starts: Spent[] = [];
  let isTaking = false;
  /** Whether KV failed when starts were last taken. */
  let isAlone = false;
  let active = 0;
  /** Questions that wait; each may have many places. */
  let waiting = 0;
  /** Single questions that were sent since the last one of a list. */
  let singles = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const state = createHostState({
    kind,
    name,
    breaker,
    shared: isShared ? shared : undefined,
    report,
    onAnswer: (kind) => observer?.answered(name, kind),
    onPause(ms) {
      if (isAskedInPause) return;
      // They were taken at the pace before it.
      starts = [];
      if (ms > waitedPauseMs) rejectAll();
    },
    now,
    monotonic,
  });
  const none = () => undefined;
  /** The pauses in which nothing is sent. */
  const { pause, sharedPause } = isAskedInPause ? { pause: none, sharedPause: none } : state;
  ending?.addEventListener("abort", rejectAll);

  const isSlow = () => isAlone || state.isSlow();
  const isKept = (limit: Limit) => limit !== slowly || isSlow();

  function kindOf({ priority, isTest, isList }: WaitOptions): Kind {
    if (priority === "background") return priority;
    // Without a burst there is nothing to leave to single questions: all take turns.
    return isList && !isTest && pace.burst > 1 && !isSlow() ? "list" : "single";
  }

  function burstOf({ burst }: Limit, kind: Kind): number {
    if (kind === "background") return 1;
    return kind === "list" ? burst - Math.floor(burst / 2) : burst;
  }

  /** Spends what has been filled up until now. What is too late was written by a clock that was ahead. */
  function spentFrom(from: number, stored: Spent): Spent {
    return limits.map((limit, n) =>
      isKept(limit) ? Math.min(Math.max(stored[n] ?? from, from), latestOf(limit, from)) : from
    );
  }

  function latestOf({ burst, everyMs }: Limit, from: number): number {
    return from + AHEAD_MS + (burst + MOST_PROCESSES) * everyMs;
  }

  /** When a question of the kind that has `ahead` others before it may start, where the limits are spent until then. */
  function startTime(spent: Spent, kind: Kind, ahead = 0): number {
    return Math.max(
      ...limits.map((limit, n) =>
        isKept(limit) ? spent[n]! + (ahead + 1 - burstOf(limit, kind)) * limit.everyMs : -Infinity
      ),
    );
  }

  function expectedMs(kind: Kind, place: Turn): number {
    const from = time();
    const { single, list } = queues;
    const own = queues[kind].ahead(place);
    /** The single questions that are sent for one of a list, once the burst is used up. */
    const perTurn = Math.max(1, single.sites) / Math.max(1, list.sites);
    const others = kind === "single"
      ? Math.min(list.size, Math.ceil(own / perTurn))
      : kind === "list"
      ? Math.min(single.size, Math.ceil((own + 1) * perTurn))
      : single.size + list.size;
    const ahead = Math.min(own + others, waiting) - starts.length;
    const startMs = startTime(spentFrom(from, spentUntil), kind, ahead) - from;
    return Math.max(pause()?.leftMs ?? 0, startMs, 0);
  }

  /** The starts for what waits of the kind, at least one, and until when the limits are spent with them. */
  function grant(stored: Spent, kind: Kind): { taken: Spent[]; spent: Spent } {
    const from = time();
    const most = Math.min(queues[kind].size, 2 * concurrency);
    const taken: Spent[] = [];
    let spent = spentFrom(from, stored);
    do {
      taken.push(spent);
      // A slowed host's start is used as late as this: until then its own limits are filled up.
      const dueAt = isSlow() ? spent.at(-1) ?? from : from;
      spent = limits.map(({ everyMs }, n) => Math.max(spent[n]!, dueAt) + everyMs);
    } while (taken.length < most && startTime(spent, kind) <= from + AHEAD_MS);
    return { taken, spent };
  }

  function keep({ taken, spent }: ReturnType<typeof grant>): void {
    spentUntil = spent;
    // KV may have taken longer than an interval: they are dropped by when this process has them.
    const from = time();
    starts = taken.map((start) => start.map((at) => Math.max(at, from)));
  }

  async function takeShared(spend: SharedHosts["spend"], kind: Kind): Promise<void> {
    isTaking = true;
    let granted = grant(spentUntil, kind);
    isAlone = !await spend(name, (stored = []) => {
      // What this process has sent alone is not in KV.
      const spent = spentUntil.map((own, n) => Math.max(own, stored[n] ?? own));
      return (granted = grant(spent, kind)).spent;
    });
    keep(isAlone ? grant(spentUntil, kind) : granted);
    isTaking = false;
    pump();
  }

  /**
   * Whether a start can be used: kept for longer than an interval, it would be added to a later burst; what is too late was
   * taken before the clock was set back.
   */
  function isUsable(start: Spent, kind: Kind): boolean {
    const from = time();
    const kept = limits.flatMap((limit, n) => isKept(limit) ? { limit, at: start[n]! } : []);
    const dueAt = isPaced ? Math.max(...kept.map(({ at }) => at), startTime(start, kind)) : from;
    return dueAt + pace.everyMs >= from &&
      kept.every(({ limit, at }) => at <= latestOf(limit, from));
  }

  /** Begins what may begin now, and rings when more may. */
  function pump(): void {
    clearTimeout(timer);
    for (;;) {
      const head = KINDS.find((kind) => queues[kind].size > 0);
      if (head === undefined || active >= mostOf(head)) return;
      const pausedMs = pause()?.leftMs ?? 0;
      if (pausedMs > 0) return ring(pausedMs);
      starts = starts.filter((start) => isUsable(start, head));
      const [first] = starts;
      if (first !== undefined) {
        const waitMs = startTime(first, head) - time();
        if (waitMs > 0) return ring(waitMs);
        starts.shift();
        active++;
        const { single, list } = queues;
        // Where single questions use up the burst, the sites of lists take turns with theirs.
        const isListsTurn = head === "single" && singles * list.sites >= single.sites &&
          startTime(first, head) + pace.everyMs > time();
        const next = isListsTurn ? "list" : head;
        singles = next === "single" ? singles + 1 : 0;
        queues[next].take()?.begin();
      } else if (spends === undefined) {
        keep(grant(spentUntil, head));
      } else {
        if (!isTaking) void takeShared(spends, head);
        return;
      }
    }
  }

  function mostOf(kind: Kind): number {
    const most = isSlow() && !isPaced ? Math.ceil(concurrency / 2) : concurrency;
    return kind === "background" ? Math.ceil(most / 2) : most;
  }

  function ring(ms: number): void {
    timer = setTimeout(pump, Math.ceil(ms));
  }

  /** Gives the place of a question that has begun to the next. */
  function end(): void {
    active--;
    pump();
  }

  /** Why a question is not sent now, in words. */
  function whyWaiting(): string {
    if (ending?.aborted) return "The service is shutting down";
    const paused = pause();
    return paused === undefined
      ? `Too many look-ups are queued for ${name}`
      : `${name} ${FAULT_WORDS[paused.fault]}`;
  }

  function rejectAll(): void {
    for (const queue of Object.values(queues)) for (const place of queue.all()) place.leave();
  }

  /** Waits until a question may be sent, and begins it; returns why not, if it was rejected. */
  function admit(wait: WaitOptions): Promise<string | undefined> {
    const { client = "", site, isTest, clients, signal, onQueue } = wait;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const cameAt = monotonic();
    const places = new Set<Place>();
    let toldAt = NaN;
    let stopWatching: (() => void) | undefined = undefined;
    let isOver = false;

    function settle(rejectedWhy: string | undefined): void {
      isOver = true;
      waiting--;
      for (const place of places) queues[place.kind].delete(place);
      signal?.removeEventListener("abort", reject);
      stopWatching?.();
      const waitedMs = monotonic() - cameAt;
      observer?.queued(name, -1);
      observer?.waited(name, waitedMs);
      wait.onWait?.(waitedMs);
      resolve(rejectedWhy);
    }

    const begin = () => settle(undefined);
    const reject = () => {
      settle(whyWaiting());
      // It may be the one for whose start the timer waits.
      pump();
    };

    /** Gives up a place; the question waits on while it has another, of a client that may wait for longer. */
    function leave(place: Place): void {
      places.delete(place);
      queues[place.kind].delete(place);
      if (places.size === 0 && !isOver) reject();
    }

    /** Tells when the question is expected to be sent, if a new place makes that sooner. */
    function expect(place: Place): void {
      if (onQueue === undefined) return;
      const expected = expectedMs(place.kind, place);
      const at = monotonic() + expected;
      if (at > toldAt - pace.everyMs - 1) return;
      toldAt = at;
      onQueue({ host: name, expectedMs: expected, why: whyWaiting() });
    }

    function enter({ client, site }: Client, kind: Kind) {
      const place: Place = { client, site, kind, begin, leave: () => leave(place) };
      if (isFull(place) || expectedMs(kind, place) > LONGEST_WAIT_MS) return undefined;
      places.add(place);
      queues[kind].add(place, isTest);
      expect(place);
      return place;
    }

    waiting++;
    observer?.queued(name, 1);
    if (signal?.aborted) {
      reject();
      return promise;
    }
    const own = kindOf(wait);
    signal?.addEventListener("abort", reject);
    stopWatching = clients?.watch((other) => {
      const place = isOver ? undefined : enter(other, kindOf({ ...other, isTest }));
      if (place === undefined) return () => {};
      pump();
      return place.leave;
    });
    // Its clients have places of their own, with which they leave.
    const hasOwn = [...places].some(({ kind }) => kind === own);
    if (!isOver && !hasOwn && (places.size === 0 || own === "background")) {
      enter({ client, site }, own);
    }
    if (isOver) stopWatching?.();
    else if (places.size === 0) reject();
    pump();
    if (ending?.aborted) rejectAll();
    return promise;
  }

  function isFull(place: Place): boolean {
    const all = Object.values(queues);
    return all.reduce((sum, { size }) => sum + size, 0) >= MOST_WAITING ||
      all.reduce((sum, queue) => sum + queue.sizeOf(place), 0) >= MOST_OF_SITE;
  }

  /** Whether no question waits for the end of a pause. */
  const isLong = (pause: Pause | undefined) => (pause?.leftMs ?? 0) > waitedPauseMs;

  /** After how long it makes sense to ask again, in ms. */
  function retryMs(wait: WaitOptions = {}): number {
    const { client = "", site } = wait;
    return Math.max(pace.everyMs, expectedMs(kindOf(wait), { client, site }));
  }

  const unasked = (why: string, wait: WaitOptions) =>
    ({ kind: "unasked", why, retryAfterMs: retryMs(wait) }) as const;

  return {
    ...state,
    /** Sends a question in its turn, unless the host is in a long pause. */
    async ask<Answer>(
      question: () => Promise<Answer>,
      { outcomeOf, wait = {} }: {
        outcomeOf: (answer: Answer) => Outcome;
        wait?: WaitOptions | undefined;
      },
    ): Promise<Asked<Answer>> {
      for (let isRepeated = false;;) {
        if (isLong(await sharedPause())) return unasked(whyWaiting(), wait);
        const rejectedWhy = await admit(wait);
        if (rejectedWhy !== undefined) return unasked(rejectedWhy, wait);
        try {
          // The host may have asked another process for a pause while the question waited.
          if (await sharedPause() !== undefined) continue;
          const startedAt = monotonic();
          const answer = await question();
          observer?.took(name, monotonic() - startedAt);
          const outcome = outcomeOf(answer);
          await state.note(outcome);
          const asksForPause = outcome.kind === "limited" ||
            outcome.kind === "down" && (outcome.pauseMs ?? 0) > 0;
          const isLast = isRepeated || !asksForPause || waitedPauseMs === 0 ||
            wait.signal?.aborted === true || isLong(pause());
          if (isLast) return { kind: "answered", answer };
          isRepeated = true;
        } finally {
          end();
        }
      }
    },
    retryMs,
  };
}
