/** A queue per key that limits rate and concurrency, and in which clients take turns. */
import { createFairQueue, type FairQueue, type Place } from "./fair_queue.ts";
import { type BoundedMap, createBoundedMap } from "../cache/bounded_map.ts";
import type { Clock } from "../clock.ts";
import type { Clients, Pending } from "../cache/flight.ts";
import { createTimeLimits } from "../time_limit.ts";
import type { Reception } from "./learnt_pace.ts";
import { lastingIntervalMs } from "./pace.ts";
import {
  createOwnSchedule,
  type Pace,
  pacesByPriority,
  type Priority,
  type Schedule,
  type StartPriority,
} from "./schedule.ts";

export type { Pace, Priority } from "./schedule.ts";

/** How a task waits. */
export interface WaitOptions {
  /** Default: `foreground`. */
  priority?: Priority;
  /** Who waits: tasks of one client wait for each other, those of several clients take turns. */
  client?: string | undefined;
  /** The client's network: sites take turns first, then the clients of each. Default: a site of its own. */
  site?: string | undefined;
  /**
   * All clients that wait for the task, `client` among them: it has a place for each, and starts at the first turn of any.
   * Without a place of its own, a client that asks what another one has asked would wait for the rest of that one's list.
   */
  clients?: Clients | undefined;
  /** Tasks of one client start in the order of their ranks, which are small: 0, the default, first. */
  rank?: number;
  /** Aborts the wait: the task is rejected unless it is already running. */
  signal?: AbortSignal | undefined;
  /** Called by a gate with metrics, once the wait is over, with its length in ms. */
  onWait?: ((ms: number) => void) | undefined;
  /**
   * Called before a task that is not rejected at once waits, with the wait that its queue lets expect, in ms; and again when
   * a client comes by whose place it will start earlier.
   */
  onQueue?: ((key: string, expectedMs: number) => void) | undefined;
  /** Called by a look-up with the question to a registry that is under way, and without one once it has ended. */
  onPending?: ((pending?: Pending) => void) | undefined;
}

/** The outcome of a task: it ran, or it was rejected because it was cancelled or would have waited too long. */
export type GateResult<T> = { kind: "ran"; value: T } | { kind: "rejected" };

/** Runs tasks at the pace of their key. */
export interface Gate {
  run<T>(key: string, task: () => Promise<T>, wait?: WaitOptions): Promise<GateResult<T>>;
  /** Reports how the other side received a task of the key; a pace with `firstBurst` learns from it. */
  note(key: string, reception: Reception): void;
  /** How long a foreground task of this client would wait now, in ms, at the key's pace. */
  expectedWaitMs(key: string, client?: string, site?: string): number;
  /**
   * After how long a client that is turned away should come back, in ms, `leastMs` at least. Its next task that is turned
   * away gets a later time, at the key's pace: all at the same time, most would be turned away again. Without a client, such
   * as a test of a registry, none gets a time of its own.
   */
  retryMs(key: string, place: Pick<WaitOptions, "client" | "site">, leastMs?: number): number;
  /** Rejects the key's waiting tasks; running ones continue. */
  clear(key: string): void;
  /** Rejects all waiting and future tasks. */
  close(): void;
}

interface QueuedTask extends Place {
  start(): Promise<unknown>;
  reject(): void;
}

interface Queue {
  paces: Readonly<Record<StartPriority, Pace>>;
  schedule: Schedule;
  active: number;
  waiting: Record<Priority, FairQueue<QueuedTask>>;
  /** When the last task of a client that was turned away should come back. */
  comesBackAt: BoundedMap<number>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * How many starts of the pace count as one turn while no task waits: so many that a list uses up its head start at once, and
 * so few that a person's is whole again at the next name but one.
 */
const IDLE_TURN_STARTS = 10;

/** Clients that were turned away, 100 bytes each. */
const MAX_TURNED_AWAY = 10_000;
/** Between those that come back a fifth of the pace is left for others. */
const SPARE = 1.25;
/** A client need not come back, so its times end somewhere: 200 names at one in 2.5 s, halved by a refusal. */
const LONGEST_SPREAD_MS = 25 * 60_000;

/** What a gate needs. */
export interface GateOptions extends Pick<Clock, "monotonic"> {
  paceOf: (key: string) => Pace;
  maxWaitMs: number;
  /** The schedule of a key, if it is shared with other gates; `wake` makes the gate ask it again. */
  scheduleOf?: (key: string, pace: Pace, wake: () => void) => Schedule;
}

/** Creates a gate. Rejects a task that waits longer than `maxWaitMs`; at once if that is certain. */
export function createGate(
  {
    paceOf,
    maxWaitMs,
    monotonic,
    scheduleOf = (_, pace) => createOwnSchedule(pace, { monotonic }),
  }: GateOptions,
): Gate {
  const queues = new Map<string, Queue>();
  const waits = createTimeLimits(maxWaitMs, { monotonic });
  let closed = false;

  function queueOf(key: string): Queue {
    const known = queues.get(key);
    if (known !== undefined) return known;
    const pace = paceOf(key);
    const turnMs = IDLE_TURN_STARTS * lastingIntervalMs(pace);
    // Where only concurrency limits, waits are short and need no head start.
    const headStart = pace.everyMs > 0 ? pace.headStart ?? pace.burst : 0;
    const queue: Queue = {
      paces: pacesByPriority(pace),
      schedule: scheduleOf(key, pace, () => admit(queue)),
      active: 0,
      waiting: {
        foreground: createFairQueue({ headStart, turnMs, monotonic }),
        background: createFairQueue({ headStart: 0, turnMs, monotonic }),
      },
      comesBackAt: createBoundedMap(MAX_TURNED_AWAY),
      timer: undefined,
    };
    queues.set(key, queue);
    return queue;
  }

  function admit(queue: Queue): void {
    for (;;) {
      const priority = queue.waiting.foreground.size > 0 ? "foreground" : "background";
      const waiting = queue.waiting[priority];
      const task = waiting.next();
      if (task === undefined || queue.active >= queue.paces[priority].concurrency) return;
      const start = startPriority(queue, task, priority);
      // No more than it may start so, and none for others: what is left of the burst is for a client that comes.
      const most = queue.paces.foreground.headStart === undefined ? waiting.headStartLeft(task) : 1;
      const count = Math.min(waiting.countOf(task), most);
      const pauseMs = queue.schedule.take(start, count);
      if (pauseMs > 0) return wake(queue, pauseMs);
      waiting.start(task);
      queue.active++;
      task.start().finally(() => {
        queue.active--;
        admit(queue);
      });
    }
  }

  /** The priority of a task that starts after `further` others of its client. */
  function startPriority(
    queue: Queue,
    place: Place,
    priority: Priority,
    further = 0,
  ): StartPriority {
    if (priority === "background") return priority;
    const { foreground } = queue.waiting;
    if (foreground.headStartLeft(place) <= 0) return "bulk";
    return foreground.isList(place, further) ? "list" : priority;
  }

  function wake(queue: Queue, pauseMs: number): void {
    // The old timer may be for background tasks only, which start later.
    clearTimeout(queue.timer);
    queue.timer = undefined;
    if (pauseMs === Infinity) return;
    queue.timer = setTimeout(() => {
      queue.timer = undefined;
      admit(queue);
    }, Math.ceil(pauseMs));
  }

  /** How long a further task at this place waits for those that start before it, at the pace. */
  function waitMs(queue: Queue, place: Place, priority: Priority): number {
    const { foreground, background } = queue.waiting;
    // Where only concurrency limits, no number of tasks lets a wait be expected.
    const ahead = queue.paces.foreground.everyMs === 0
      ? 0
      : priority === "foreground"
      ? foreground.ahead(place)
      : foreground.size + background.ahead(place);
    const further = foreground.countOf(place);
    return queue.schedule.expectedMs(startPriority(queue, place, priority, further), ahead);
  }

  function run<T>(
    key: string,
    task: () => Promise<T>,
    { priority = "foreground", client = "", site, clients, rank, signal, onQueue }: WaitOptions =
      {},
  ): Promise<GateResult<T>> {
    const queue = queueOf(key);
    const waiting = queue.waiting[priority];
    const { promise, resolve, reject } = Promise.withResolvers<GateResult<T>>();
    const first: QueuedTask = {
      client,
      site,
      rank,
      start: () => (leave(), settle(task, resolve, reject)),
      reject: () => (leave(), resolve({ kind: "rejected" })),
    };
    const places = new Set([first]);
    let isWaiting = false;
    let expectedAt = Infinity;
    const stopWatching = clients?.watch((other) => {
      if (other.client === client) return () => {};
      const place = { ...first, ...other };
      places.add(place);
      if (isWaiting) {
        expect(waitMs(queue, place, priority));
        wait([place]);
      }
      return () => (places.delete(place), waiting.remove(place));
    });
    const expectedMs = () =>
      Math.min(...[...places].map((place) => waitMs(queue, place, priority)));

    function expect(ms: number): void {
      const at = monotonic() + ms;
      if (at >= expectedAt) return;
      expectedAt = at;
      onQueue?.(key, ms);
    }

    function wait(places: Iterable<QueuedTask>): void {
      for (const place of places) waiting.add(place);
      isWaiting = true;
      admit(queue);
      // A client that comes late waits as long as the first.
      if (isWaiting) waits.start(first.reject);
    }

    function leave(): void {
      isWaiting = false;
      waits.end(first.reject);
      stopWatching?.();
      signal?.removeEventListener("abort", first.reject);
      for (const place of places) waiting.remove(place);
    }

    const firstMs = expectedMs();
    if (closed || signal?.aborted || firstMs >= maxWaitMs) first.reject();
    else {
      expect(firstMs);
      signal?.addEventListener("abort", first.reject);
      wait(places);
    }
    return promise;
  }

  function retryMs(
    key: string,
    { client = "", site }: Pick<WaitOptions, "client" | "site">,
    leastMs = 0,
  ): number {
    const queue = queueOf(key);
    const [now, everyMs] = [monotonic(), queue.schedule.everyMs()];
    const soonestMs = Math.max(leastMs, everyMs, waitMs(queue, { client, site }, "foreground"));
    if (client === "") return soonestMs;
    const before = queue.comesBackAt.get(client) ?? -Infinity;
    const latest = now + soonestMs + LONGEST_SPREAD_MS;
    const at = Math.min(Math.max(now + soonestMs, before + SPARE * everyMs), latest);
    queue.comesBackAt.set(client, at);
    return at - now;
  }

  function clear(key: string): void {
    const queue = queues.get(key);
    if (queue === undefined) return;
    clearTimeout(queue.timer);
    queue.timer = undefined;
    for (const waiting of [queue.waiting.foreground, queue.waiting.background]) {
      for (const task of waiting.all()) task.reject();
    }
  }

  function close(): void {
    closed = true;
    for (const key of queues.keys()) clear(key);
  }

  return {
    run,
    note: (key, reception) => queueOf(key).schedule.note?.(reception),
    expectedWaitMs: (key, client = "", site) =>
      waitMs(queueOf(key), { client, site }, "foreground"),
    retryMs,
    clear,
    close,
  };
}

async function settle<T>(
  task: () => Promise<T>,
  resolve: (result: GateResult<T>) => void,
  reject: (reason: unknown) => void,
): Promise<void> {
  try {
    resolve({ kind: "ran", value: await task() });
  } catch (error) {
    reject(error);
  }
}
