/** Tasks of a key start at its pace, as many at once as it allows. */
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
  /** `foreground`, unless told otherwise. */
  priority?: Priority;
  /** Aborted: nobody wants the task any more, and it is turned away unless it runs already. */
  signal?: AbortSignal | undefined;
  /** Called by a gate that is measured, once the wait is over, with its length in ms. */
  onWait?: ((ms: number) => void) | undefined;
}

/** What became of a task: it ran, or it was not started, for its turn would have come too late or was not wanted. */
export type GateResult<T> = { kind: "ran"; value: T } | { kind: "rejected" };

/** A gate through which tasks pass at the pace of their key. */
export interface Gate {
  run<T>(key: string, task: () => Promise<T>, wait?: WaitOptions): Promise<GateResult<T>>;
  /** Turns away all that wait for the key; what runs goes on. */
  clear(key: string): void;
  /** Turns away all that wait, for good. */
  close(): void;
}

interface QueuedTask {
  start(): Promise<unknown>;
  turnAway(): void;
}

interface Queue {
  paces: Readonly<Record<Priority, Pace>>;
  schedule: Schedule;
  active: number;
  waiting: Record<Priority, Set<QueuedTask>>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Creates a gate. A task whose turn does not come within `maxWaitMs` is turned away, at once where that is plain. */
export function createGate(
  {
    paceOf,
    maxWaitMs,
    monotonic,
    scheduleOf = (_, pace) => createOwnSchedule(pace, { monotonic }),
  }: {
    paceOf: (key: string) => Pace;
    maxWaitMs: number;
    /** Milliseconds of a clock that is never set: with the wall clock, setting it back would stop every task. */
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
    // Until now only background tasks may have waited, whose start comes later.
    clearTimeout(queue.timer);
    queue.timer = undefined;
    if (pauseMs === Infinity) return;
    queue.timer = setTimeout(() => {
      queue.timer = undefined;
      admit(queue);
    }, Math.ceil(pauseMs));
  }

  function isHopeless(queue: Queue, priority: Priority): boolean {
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
    if (signal?.aborted || isHopeless(queue, priority)) {
      return Promise.resolve({ kind: "rejected" });
    }
    const { promise, resolve, reject } = Promise.withResolvers<GateResult<T>>();
    const line = queue.waiting[priority];
    const leave = () => {
      clearTimeout(patience);
      signal?.removeEventListener("abort", waiter.turnAway);
      line.delete(waiter);
    };
    const waiter: QueuedTask = {
      start: () => (leave(), settle(task, resolve, reject)),
      turnAway: () => (leave(), resolve({ kind: "rejected" })),
    };
    const patience = setTimeout(waiter.turnAway, maxWaitMs);
    signal?.addEventListener("abort", waiter.turnAway);
    line.add(waiter);
    admit(queue);
    return promise;
  }

  function clear(key: string): void {
    const queue = queues.get(key);
    if (queue === undefined) return;
    clearTimeout(queue.timer);
    queue.timer = undefined;
    for (const waiter of [...queue.waiting.foreground, ...queue.waiting.background]) {
      waiter.turnAway();
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
  resolve: (passage: GateResult<T>) => void,
  reject: (reason: unknown) => void,
): Promise<void> {
  try {
    resolve({ kind: "ran", value: await task() });
  } catch (error) {
    reject(error);
  }
}
