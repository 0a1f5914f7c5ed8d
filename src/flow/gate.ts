/** Tasks of a key start at its pace, as many at once as it allows. */
import { createOwnSchedule, type Lane, lanePaces, type Pace, type Schedule } from "./schedule.ts";

export type { Lane, Pace } from "./schedule.ts";

/** How a task waits. */
export interface Turn {
  /** `now`, unless told otherwise. */
  lane?: Lane;
  /** Aborted: nobody wants the task any more, and it is turned away unless it runs already. */
  signal?: AbortSignal | undefined;
  /** Called by a gate that is measured, once the wait is over, with its length in ms. */
  onWait?: ((ms: number) => void) | undefined;
}

/** What became of a task: it ran, or it was not started, for its turn would have come too late or was not wanted. */
export type Passage<T> = { kind: "ran"; value: T } | { kind: "turnedAway" };

/** A gate through which tasks pass at the pace of their key. */
export interface Gate {
  run<T>(key: string, task: () => Promise<T>, turn?: Turn): Promise<Passage<T>>;
  /** Turns away all that wait for the key; what runs goes on. */
  clear(key: string): void;
  /** Turns away all that wait, for good. */
  close(): void;
}

interface Waiter {
  start(): Promise<unknown>;
  turnAway(): void;
}

interface Door {
  paces: Readonly<Record<Lane, Pace>>;
  schedule: Schedule;
  active: number;
  waiting: Record<Lane, Set<Waiter>>;
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
  const doors = new Map<string, Door>();
  let closed = false;

  function doorOf(key: string): Door {
    const known = doors.get(key);
    if (known !== undefined) return known;
    const pace = paceOf(key);
    const door: Door = {
      paces: lanePaces(pace),
      schedule: scheduleOf(key, pace, () => admit(door)),
      active: 0,
      waiting: { now: new Set(), spare: new Set() },
      timer: undefined,
    };
    doors.set(key, door);
    return door;
  }

  function admit(door: Door): void {
    for (;;) {
      const lane = door.waiting.now.size > 0 ? "now" : "spare";
      const [waiter] = door.waiting[lane];
      if (waiter === undefined || door.active >= door.paces[lane].concurrency) return;
      const pauseMs = door.schedule.take(lane, door.waiting[lane].size);
      if (pauseMs > 0) return wake(door, pauseMs);
      door.active++;
      waiter.start().finally(() => {
        door.active--;
        admit(door);
      });
    }
  }

  function wake(door: Door, pauseMs: number): void {
    // What waits may have been spare until now, whose turn comes later.
    clearTimeout(door.timer);
    door.timer = undefined;
    if (pauseMs === Infinity) return;
    door.timer = setTimeout(() => {
      door.timer = undefined;
      admit(door);
    }, Math.ceil(pauseMs));
  }

  function isHopeless(door: Door, lane: Lane): boolean {
    const { now, spare } = door.waiting;
    const ahead = now.size + (lane === "spare" ? spare.size : 0);
    return closed || ahead * door.paces[lane].everyMs >= maxWaitMs;
  }

  function run<T>(
    key: string,
    task: () => Promise<T>,
    { lane = "now", signal }: Turn = {},
  ): Promise<Passage<T>> {
    const door = doorOf(key);
    if (signal?.aborted || isHopeless(door, lane)) return Promise.resolve({ kind: "turnedAway" });
    const { promise, resolve, reject } = Promise.withResolvers<Passage<T>>();
    const line = door.waiting[lane];
    const leave = () => {
      clearTimeout(patience);
      signal?.removeEventListener("abort", waiter.turnAway);
      line.delete(waiter);
    };
    const waiter: Waiter = {
      start: () => (leave(), settle(task, resolve, reject)),
      turnAway: () => (leave(), resolve({ kind: "turnedAway" })),
    };
    const patience = setTimeout(waiter.turnAway, maxWaitMs);
    signal?.addEventListener("abort", waiter.turnAway);
    line.add(waiter);
    admit(door);
    return promise;
  }

  function clear(key: string): void {
    const door = doors.get(key);
    if (door === undefined) return;
    clearTimeout(door.timer);
    door.timer = undefined;
    for (const waiter of [...door.waiting.now, ...door.waiting.spare]) waiter.turnAway();
  }

  function close(): void {
    closed = true;
    for (const key of doors.keys()) clear(key);
  }

  return { run, clear, close };
}

async function settle<T>(
  task: () => Promise<T>,
  resolve: (passage: Passage<T>) => void,
  reject: (reason: unknown) => void,
): Promise<void> {
  try {
    resolve({ kind: "ran", value: await task() });
  } catch (error) {
    reject(error);
  }
}
