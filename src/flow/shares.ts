/** What each client has used of a queue's pace: a token bucket for each. */
import type { Pace } from "./schedule.ts";

/** The clients of one queue. */
export interface Shares {
  /** How many tasks the client may start within its share; a whole burst for tasks without a client, such as tests. */
  left(client: string): number;
  /** Whether other clients were served within the last minute. */
  hasOthers(client: string): boolean;
  /** Counts a task of the client that starts. */
  spend(client: string): void;
}

const NO_CLIENT = "";
const REMEMBERED_MS = 60_000;
/** So slowly that a list uses up its share at once, and a person's is full again at the next name but one. */
const LEAST_PARTS = 10;

/**
 * Creates the shares of a queue with this pace: a burst, which fills with one of ten starts of the pace, or with the client's
 * part where more clients are served. It only decides who goes first: a client without a share takes what the others leave.
 */
export function createShares(
  { burst, everyMs }: Pick<Pace, "burst" | "everyMs">,
  { monotonic }: { monotonic: () => number },
): Shares {
  /** Those served longest ago come first: a `Map` iterates in order of insertion. */
  const clients = new Map<string, { left: number; servedAt: number }>();

  function forgetOld(): void {
    for (const [client, { servedAt }] of clients) {
      if (servedAt + REMEMBERED_MS > monotonic()) return;
      clients.delete(client);
    }
  }

  function left(client: string): number {
    forgetOld();
    const known = clients.get(client);
    if (known === undefined) return burst;
    const filled = (monotonic() - known.servedAt) / (everyMs * Math.max(LEAST_PARTS, clients.size));
    return Math.min(burst, known.left + filled);
  }

  return {
    left,
    hasOthers(client) {
      forgetOld();
      return clients.size > (clients.has(client) ? 1 : 0);
    },
    spend(client) {
      if (client === NO_CLIENT) return;
      const rest = Math.max(0, left(client) - 1);
      clients.delete(client);
      clients.set(client, { left: rest, servedAt: monotonic() });
    },
  };
}
