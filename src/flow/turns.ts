/**
 * A queue in which clients of one level take turns (round robin), those of a higher level first. Each client's own tasks
 * start by rank, 0 first, and those of one rank in order of arrival.
 */
export interface Turns<Task> {
  /** Appends a task to those of its client and rank; a client without any comes after all others. */
  add(client: string, task: Task, rank?: number): void;
  remove(client: string, task: Task): void;
  /** The task whose turn it is. */
  next(): Task | undefined;
  /** Puts a client behind all others. */
  passTurn(client: string): void;
  /** How many of the queued tasks would start before a further one of this client and rank, at most. */
  ahead(client: string, rank?: number): number;
  /** How many tasks of this client are queued. */
  countOf(client: string): number;
  all(): Task[];
  readonly size: number;
}

/**
 * Creates an empty queue. `levelOf` is asked at each turn, and falls by one with each task of the client that starts. Ranks
 * are small: a client has one list for each.
 */
export function createTurns<Task>(levelOf?: (client: string) => number): Turns<Task> {
  /** In order of turns, with a `Set` for each rank: a `Map` and a `Set` iterate in order of insertion. */
  const ranksOf = new Map<string, Set<Task>[]>();
  let size = 0;

  function add(client: string, task: Task, rank = 0): void {
    const ranks = ranksOf.get(client) ?? [];
    while (ranks.length <= rank) ranks.push(new Set());
    ranks[rank]?.add(task);
    ranksOf.set(client, ranks);
    size++;
  }

  function remove(client: string, task: Task): void {
    const ranks = ranksOf.get(client);
    if (!ranks?.some((tasks) => tasks.delete(task))) return;
    size--;
    if (countUpTo(ranks) === 0) ranksOf.delete(client);
  }

  function next(): Task | undefined {
    const [task] = ranksOf.get(clientInTurn())?.find((tasks) => tasks.size > 0) ?? [];
    return task;
  }

  function clientInTurn(): string {
    const [first = ""] = ranksOf.keys();
    if (levelOf === undefined) return first;
    let best = { client: first, level: levelOf(first) };
    for (const client of ranksOf.keys()) {
      const level = levelOf(client);
      if (level > best.level) best = { client, level };
    }
    return best.client;
  }

  function passTurn(client: string): void {
    const ranks = ranksOf.get(client);
    if (ranks === undefined) return;
    ranksOf.delete(client);
    ranksOf.set(client, ranks);
  }

  function ahead(client: string, rank = 0): number {
    const own = countUpTo(ranksOf.get(client) ?? [], rank);
    const level = Math.max(0, (levelOf?.(client) ?? 0) - own);
    let count = own;
    for (const [other, ranks] of ranksOf) {
      if (other === client || (levelOf?.(other) ?? 0) < level) continue;
      // In the time of `own + 1` turns, each other client has as many turns at most.
      count += Math.min(countUpTo(ranks), own + 1);
    }
    return count;
  }

  return {
    add,
    remove,
    next,
    passTurn,
    ahead,
    countOf: (client) => countUpTo(ranksOf.get(client) ?? []),
    all: () => [...ranksOf.values()].flatMap((ranks) => ranks.flatMap((tasks) => [...tasks])),
    get size() {
      return size;
    },
  };
}

/** How many tasks have this rank or a better one. */
function countUpTo(ranks: readonly ReadonlySet<unknown>[], rank = Infinity): number {
  return ranks.reduce((sum, tasks, own) => own <= rank ? sum + tasks.size : sum, 0);
}
