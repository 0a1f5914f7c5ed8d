/** How fast tasks of one key may start. */
export interface Pace {
  /** Tasks at the same time. */
  readonly concurrency: number;
  /** Tasks that may start without a pause between them. */
  readonly burst: number;
  /** Time after which one more may start, in ms; 0: `concurrency` is the only limit. */
  readonly everyMs: number;
}

/**
 * Who goes first: `spare` tasks start only where no `now` task waits, and use at most half of the places and of the
 * burst, so that whoever comes meanwhile seldom finds a key used up.
 */
export type Lane = "now" | "spare";

/** How a task waits. */
export interface Turn {
  /** `now`, unless told otherwise. */
  lane?: Lane;
  /** Aborted: nobody wants the task any more, and it is turned away unless it runs already. */
  signal?: AbortSignal | undefined;
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
  active: number;
  /** When the paced starts so far are used up (GCRA's theoretical arrival time). */
  spentUntil: number;
  waiting: Record<Lane, Set<Waiter>>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Creates a gate. A task whose turn does not come within `maxWaitMs` is turned away, at once where that is plain. */
export function createGate(
  { paceOf, maxWaitMs, now }: {
    paceOf: (key: string) => Pace;
    maxWaitMs: number;
    now: () => number;
  },
): Gate {
  const doors = new Map<string, Door>();
  let closed = false;

  function doorOf(key: string): Door {
    const door = doors.get(key) ?? openDoor(paceOf(key));
    doors.set(key, door);
    return door;
  }

  function admit(door: Door): void {
    for (;;) {
      const lane = door.waiting.now.size > 0 ? "now" : "spare";
      const { concurrency, burst, everyMs } = door.paces[lane];
      const [waiter] = door.waiting[lane];
      if (waiter === undefined || door.active >= concurrency) return;
      const pauseMs = door.spentUntil - (burst - 1) * everyMs - now();
      if (pauseMs > 0) return wake(door, pauseMs);
      door.spentUntil = Math.max(door.spentUntil, now()) + everyMs;
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

function openDoor(pace: Pace): Door {
  return {
    paces: {
      now: pace,
      spare: {
        ...pace,
        concurrency: Math.ceil(pace.concurrency / 2),
        burst: Math.floor(pace.burst / 2),
      },
    },
    active: 0,
    spentUntil: 0,
    waiting: { now: new Set(), spare: new Set() },
    timer: undefined,
  };
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
