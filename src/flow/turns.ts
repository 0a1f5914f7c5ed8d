/** A queue in which clients take turns (round robin), each with its own tasks in order of arrival. */
export interface Turns<Task> {
  /** Appends a task to those of its client; a client without any comes after all others. */
  add(client: string, task: Task): void;
  remove(client: string, task: Task): void;
  /** The task whose turn it is. */
  next(): Task | undefined;
  /** Puts the client whose turn it is behind all others. */
  passTurn(): void;
  /** How many tasks would start before a further one of this client, at most. */
  ahead(client: string): number;
  all(): Task[];
  readonly size: number;
}

/** Creates an empty queue. */
export function createTurns<Task>(): Turns<Task> {
  /** In order of turns: a `Map` and a `Set` iterate in order of insertion. */
  const tasksOf = new Map<string, Set<Task>>();
  let size = 0;

  function add(client: string, task: Task): void {
    const tasks = tasksOf.get(client);
    if (tasks === undefined) tasksOf.set(client, new Set([task]));
    else tasks.add(task);
    size++;
  }

  function remove(client: string, task: Task): void {
    const tasks = tasksOf.get(client);
    if (!tasks?.delete(task)) return;
    size--;
    if (tasks.size === 0) tasksOf.delete(client);
  }

  function next(): Task | undefined {
    const [tasks] = tasksOf.values();
    const [task] = tasks ?? [];
    return task;
  }

  function passTurn(): void {
    const [first] = tasksOf;
    if (first === undefined) return;
    const [client, tasks] = first;
    tasksOf.delete(client);
    tasksOf.set(client, tasks);
  }

  function ahead(client: string): number {
    const own = tasksOf.get(client)?.size ?? 0;
    let count = own;
    for (const [other, tasks] of tasksOf) {
      // In the time of `own + 1` turns, each other client has as many turns at most.
      if (other !== client) count += Math.min(tasks.size, own + 1);
    }
    return count;
  }

  return {
    add,
    remove,
    next,
    passTurn,
    ahead,
    all: () => [...tasksOf.values()].flatMap((tasks) => [...tasks]),
    get size() {
      return size;
    },
  };
}
