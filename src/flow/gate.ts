/** Tasks of a key start at its pace, as many at once as it allows, and clients that wait for one key take turns. */
import type { Reception } from "./learnt_pace.ts";
import {
  createOwnSchedule,
  type Pace,
  pacesByPriority,
  type Priority,
  type Schedule,
} from "./schedule.ts";
import { createTurns, type Turns } from "./turns.ts";

export type { Pace, Priority } from "./schedule.ts";

/** How a task waits. */
export interface WaitOptions {
  /** `foreground`, unless stated otherwise. */
  priority?: Priority;
  /** On whose behalf it waits; tasks of one client wait for each other, those of several take turns. */
  client?: string | undefined;
  /** Aborted when no client wants the task any more: it is rejected unless it runs already. */
  signal?: AbortSignal | undefined;
  /** Called by a gate that is measured, once the wait is over, with its length in ms. */
  onWait?: ((ms: number) => void) | undefined;
}

/**
 * What became of a task: it ran, or it was rejected before it started, because its turn would have come too late or no
 * client wanted it. A task that is submitted again after `retryAfterMs` is likely to start soon.
 */
export type GateResult<T> =
  | { kind: "ran"; value: T }
  | { kind: "rejected"; retryAfterMs: number };

/** A gate through which tasks pass at the pace of their key. */
export interface Gate {
  run<T>(key: string, task: () => Promise<T>, wait?: WaitOptions): Promise<GateResult<T>>;
  /** Reports how the other side took a task of the key, from which its pace may be learnt. */
  note(key: string, reception: Reception): void;
  /** How long a foreground task of this client would wait for its start now, in ms, as far as the pace tells. */
  expectedWaitMs(key: string, client?: string): number;
  /** Rejects all tasks that wait for the key; running tasks go on. */
  clear(key: string): void;
  /** Rejects all waiting tasks, now and from now on. */
  close(): void;
}

interface QueuedTask {
  start(): Promise<unknown>;
  reject(): void;
}

interface Queue {
  paces: Readonly<Record<Priority, Pace>>;
  schedule: Schedule;
  active: number;
  waiting: Record<Priority, Turns<QueuedTask>>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Creates a gate. A task that would start later than `maxWaitMs` is rejected: at once, where the pace tells so. */
export function createGate(
  {
    paceOf,
    maxWaitMs,
    monotonic,
    scheduleOf = (_, pace) => createOwnSchedule(pace, { monotonic }),
  }: {
    paceOf: (key: string) => Pace;
    maxWaitMs: number;
    /** A clock in ms that is never set back: setting back the wall clock would stop every task. */
    monotonic: () => number;
    /** The schedule of a key, if other gates share it; `wake` makes the gate ask it again. */
    scheduleOf?: (key: string, pace: Pace, wake: () => void) => Schedule;
  },
): Gate {
  const queues = new Map<string, Queue>();
  let closed = false;

  function queueOf(key: string): Queue {
    const known = queues.get(key);
    if (known !== undefined) return known;
    const pace = paceOf(key);
    const queue: Queue = {
      paces: pacesByPriority(pace),
      schedule: scheduleOf(key, pace, () => admit(queue)),
      active: 0,
      waiting: { foreground: createTurns(), background: createTurns() },
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
      const pauseMs = queue.schedule.take(priority, waiting.size);
      if (pauseMs > 0) return wake(queue, pauseMs);
      waiting.passTurn();
      queue.active++;
      task.start().finally(() => {
        queue.active--;
        admit(queue);
      });
    }
  }

  function wake(queue: Queue, pauseMs: number): void {
    // Until now only background tasks may have waited, whose start comes later.
    clearTimeout(queue.timer);
    queue.timer = undefined;
    if (pauseMs === Infinity) return;
    queue.timer = setTimeout(() => {
      queue.timer = undefined;
      admit(queue);
    }, Math.ceil(pauseMs));
  }

  /** How long the tasks that would start before another one of this client take at the pace. */
  function waitMs(queue: Queue, client: string, priority: Priority): number {
    const { foreground, background } = queue.waiting;
    const ahead = priority === "foreground"
      ? foreground.ahead(client)
      : foreground.size + background.ahead(client);
    return ahead * queue.paces[priority].everyMs;
  }

  function run<T>(
    key: string,
    task: () => Promise<T>,
    { priority = "foreground", client = "", signal }: WaitOptions = {},
  ): Promise<GateResult<T>> {
    const queue = queueOf(key);
    const rejection = (): GateResult<T> => ({
      kind: "rejected",
      retryAfterMs: Math.max(queue.paces[priority].everyMs, waitMs(queue, client, priority)),
    });
    if (closed || signal?.aborted || waitMs(queue, client, priority) >= maxWaitMs) {
      return Promise.resolve(rejection());
    }
    const { promise, resolve, reject } = Promise.withResolvers<GateResult<T>>();
    const leave = () => {
      clearTimeout(patience);
      signal?.removeEventListener("abort", queued.reject);
      queue.waiting[priority].remove(client, queued);
    };
    const queued: QueuedTask = {
      start: () => (leave(), settle(task, resolve, reject)),
      reject: () => (leave(), resolve(rejection())),
    };
    const patience = setTimeout(queued.reject, maxWaitMs);
    signal?.addEventListener("abort", queued.reject);
    queue.waiting[priority].add(client, queued);
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
