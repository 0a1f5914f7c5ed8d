/** A queue per key that limits rate and concurrency, and in which clients take turns. */
import type { Reception } from "./learnt_pace.ts";
import {
  createOwnSchedule,
  type Pace,
  pacesByPriority,
  type Priority,
  type Schedule,
  type StartPriority,
} from "./schedule.ts";
import { createShares, type Shares } from "./shares.ts";
import { createTurns, type Turns } from "./turns.ts";

export type { Pace, Priority } from "./schedule.ts";

/** How a task waits. */
export interface WaitOptions {
  /** Default: `foreground`. */
  priority?: Priority;
  /** Who waits: tasks of one client wait for each other, those of several clients take turns. */
  client?: string | undefined;
  /** Tasks of one client start in the order of their ranks, which are small: 0, the default, first. */
  rank?: number;
  /** Aborts the wait: the task is rejected unless it is already running. */
  signal?: AbortSignal | undefined;
  /** Called by a gate with metrics, once the wait is over, with its length in ms. */
  onWait?: ((ms: number) => void) | undefined;
  /** Called before a task that is not rejected at once waits, with the wait that its queue lets expect, in ms. */
  onQueue?: ((key: string, expectedMs: number) => void) | undefined;
}

/**
 * The outcome of a task: it ran, or it was rejected because it was cancelled or would have waited too long. After
 * `retryAfterMs` it is likely to start soon.
 */
export type GateResult<T> =
  | { kind: "ran"; value: T }
  | { kind: "rejected"; retryAfterMs: number };

/** Runs tasks at the pace of their key. */
export interface Gate {
  run<T>(key: string, task: () => Promise<T>, wait?: WaitOptions): Promise<GateResult<T>>;
  /** Reports how the other side received a task of the key; a pace with `firstBurst` learns from it. */
  note(key: string, reception: Reception): void;
  /** How long a foreground task of this client would wait now, in ms, at the key's pace. */
  expectedWaitMs(key: string, client?: string): number;
  /** Rejects the key's waiting tasks; running ones continue. */
  clear(key: string): void;
  /** Rejects all waiting and future tasks. */
  close(): void;
}

interface QueuedTask {
  client: string;
  start(): Promise<unknown>;
  reject(): void;
}

interface Queue {
  paces: Readonly<Record<StartPriority, Pace>>;
  schedule: Schedule;
  /** Absent where only concurrency limits: such waits are short. */
  shares: Shares | undefined;
  active: number;
  waiting: Record<Priority, Turns<QueuedTask>>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Creates a gate. Rejects a task that waits longer than `maxWaitMs`; at once if that is certain. */
export function createGate(
  {
    paceOf,
    maxWaitMs,
    monotonic,
    scheduleOf = (_, pace) => createOwnSchedule(pace, { monotonic }),
  }: {
    paceOf: (key: string) => Pace;
    maxWaitMs: number;
    /** A monotonic clock, in ms: a wall clock that is set back would stop all tasks. */
    monotonic: () => number;
    /** The schedule of a key, if it is shared with other gates; `wake` makes the gate ask it again. */
    scheduleOf?: (key: string, pace: Pace, wake: () => void) => Schedule;
  },
): Gate {
  const queues = new Map<string, Queue>();
  let closed = false;

  function queueOf(key: string): Queue {
    const known = queues.get(key);
    if (known !== undefined) return known;
    const pace = paceOf(key);
    const shares = pace.everyMs > 0 ? createShares(pace, { monotonic }) : undefined;
    const levelOf = shares && ((client: string) => Math.floor(shares.left(client)));
    const queue: Queue = {
      paces: pacesByPriority(pace),
      schedule: scheduleOf(key, pace, () => admit(queue)),
      shares,
      active: 0,
      waiting: { foreground: createTurns(levelOf), background: createTurns() },
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
      const { client } = task;
      const start = startPriority(queue, client, priority);
      const count = Math.min(waiting.countOf(client), sparingStarts(queue, client));
      const pauseMs = queue.schedule.take(start, count);
      if (pauseMs > 0) return wake(queue, pauseMs);
      waiting.passTurn(client);
      if (priority === "foreground") queue.shares?.spend(client);
      queue.active++;
      task.start().finally(() => {
        queue.active--;
        admit(queue);
      });
    }
  }

  function startPriority(queue: Queue, client: string, priority: Priority): StartPriority {
    if (priority === "background" || sparingStarts(queue, client) > 0) return priority;
    return (queue.shares?.left(client) ?? 0) >= 1 ? "moderate" : "bulk";
  }

  /** How many tasks of this client may start as if it were alone: until half of its share is used. */
  function sparingStarts({ shares, paces }: Queue, client: string): number {
    if (shares === undefined || !shares.hasOthers(client)) return Infinity;
    return Math.floor(shares.left(client) - paces.foreground.burst / 2);
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

  /** How long a further task of this client and rank waits for those that start before it, at the pace. */
  function waitMs(queue: Queue, client: string, priority: Priority, rank = 0): number {
    const { foreground, background } = queue.waiting;
    const ahead = priority === "foreground"
      ? foreground.ahead(client, rank)
      : foreground.size + background.ahead(client, rank);
    return queue.schedule.expectedMs(startPriority(queue, client, priority), ahead);
  }

  function run<T>(
    key: string,
    task: () => Promise<T>,
    { priority = "foreground", client = "", rank, signal, onQueue }: WaitOptions = {},
  ): Promise<GateResult<T>> {
    const queue = queueOf(key);
    const rejection = (): GateResult<T> => ({
      kind: "rejected",
      retryAfterMs: Math.max(queue.paces[priority].everyMs, waitMs(queue, client, priority, rank)),
    });
    const expectedMs = waitMs(queue, client, priority, rank);
    if (closed || signal?.aborted || expectedMs >= maxWaitMs) {
      return Promise.resolve(rejection());
    }
    onQueue?.(key, expectedMs);
    const { promise, resolve, reject } = Promise.withResolvers<GateResult<T>>();
    const leave = () => {
      clearTimeout(timeout);
      signal?.removeEventListener("abort", queued.reject);
      queue.waiting[priority].remove(client, queued);
    };
    const queued: QueuedTask = {
      client,
      start: () => (leave(), settle(task, resolve, reject)),
      reject: () => (leave(), resolve(rejection())),
    };
    const timeout = setTimeout(queued.reject, maxWaitMs);
    signal?.addEventListener("abort", queued.reject);
    queue.waiting[priority].add(client, queued, rank);
    admit(queue);
    return promise;
  }

  function clear(key: string): void {
    const queue = queues.get(key);
    if (queue === undefined) return;
    clearTimeout(queue.timer);
    queue.timer = undefined;
    for (const turns of [queue.waiting.foreground, queue.waiting.background]) {
      for (const task of turns.all()) task.reject();
    }
  }

  function close(): void {
    closed = true;
    for (const key of queues.keys()) clear(key);
  }

  return {
    run,
    note: (key, reception) => queueOf(key).schedule.note?.(reception),
    expectedWaitMs: (key, client = "") => waitMs(queueOf(key), client, "foreground"),
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
