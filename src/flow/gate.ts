/** A queue per key that limits rate and concurrency. */
import {
  createOwnSchedule,
  type Pace,
  pacesByPriority,
  type Priority,
  type Schedule,
} from "./schedule.ts";

export type { Pace, Priority } from "./schedule.ts";

/** How a task waits. */
export interface WaitOptions {
  /** Default: `foreground`. */
  priority?: Priority;
  /** Aborts the wait: the task is rejected unless it is already running. */
  signal?: AbortSignal | undefined;
  /** Called by a gate with metrics, once the wait is over, with its length in ms. */
  onWait?: ((ms: number) => void) | undefined;
}

/** The outcome of a task: it ran, or it was rejected because it was cancelled or would have waited too long. */
export type GateResult<T> = { kind: "ran"; value: T } | { kind: "rejected" };

/** Runs tasks at the pace of their key. */
export interface Gate {
  run<T>(key: string, task: () => Promise<T>, wait?: WaitOptions): Promise<GateResult<T>>;
  /** Rejects the key's waiting tasks; running ones continue. */
  clear(key: string): void;
  /** Rejects all waiting and future tasks. */
  close(): void;
}

interface QueuedTask {
  start(): Promise<unknown>;
  giveUp(): void;
}

interface Queue {
  paces: Readonly<Record<Priority, Pace>>;
  schedule: Schedule;
  active: number;
  waiting: Record<Priority, Set<QueuedTask>>;
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
    const queue: Queue = {
      paces: pacesByPriority(pace),
      schedule: scheduleOf(key, pace, () => admit(queue)),
      active: 0,
      waiting: { foreground: new Set(), background: new Set() },
      timer: undefined,
    };
    queues.set(key, queue);
    return queue;
  }

  function admit(queue: Queue): void {
    for (;;) {
      const priority = queue.waiting.foreground.size > 0 ? "foreground" : "background";
      const [waiter] = queue.waiting[priority];
      if (waiter === undefined || queue.active >= queue.paces[priority].concurrency) return;
      const pauseMs = queue.schedule.take(priority, queue.waiting[priority].size);
      if (pauseMs > 0) return wake(queue, pauseMs);
      queue.active++;
      waiter.start().finally(() => {
        queue.active--;
        admit(queue);
      });
    }
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

  function wouldWaitTooLong(queue: Queue, priority: Priority): boolean {
    const { foreground, background } = queue.waiting;
    const ahead = foreground.size + (priority === "background" ? background.size : 0);
    return closed || ahead * queue.paces[priority].everyMs >= maxWaitMs;
  }

  function run<T>(
    key: string,
    task: () => Promise<T>,
    { priority = "foreground", signal }: WaitOptions = {},
  ): Promise<GateResult<T>> {
    const queue = queueOf(key);
    if (signal?.aborted || wouldWaitTooLong(queue, priority)) {
      return Promise.resolve({ kind: "rejected" });
    }
    const { promise, resolve, reject } = Promise.withResolvers<GateResult<T>>();
    const waiting = queue.waiting[priority];
    const leave = () => {
      clearTimeout(timeout);
      signal?.removeEventListener("abort", waiter.giveUp);
      waiting.delete(waiter);
    };
    const waiter: QueuedTask = {
      start: () => (leave(), settle(task, resolve, reject)),
      giveUp: () => (leave(), resolve({ kind: "rejected" })),
    };
    const timeout = setTimeout(waiter.giveUp, maxWaitMs);
    signal?.addEventListener("abort", waiter.giveUp);
    waiting.add(waiter);
    admit(queue);
    return promise;
  }

  function clear(key: string): void {
    const queue = queues.get(key);
    if (queue === undefined) return;
    clearTimeout(queue.timer);
    queue.timer = undefined;
    for (const waiter of [...queue.waiting.foreground, ...queue.waiting.background]) {
      waiter.giveUp();
    }
  }

  function close(): void {
    closed = true;
    for (const key of queues.keys()) clear(key);
  }

  return { run, clear, close };
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
