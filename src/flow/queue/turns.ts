import type { Clock } from "../clock.ts";
import { createFairQueue, type Place } from "./fair_queue.ts";

/** What begins in its turn; it calls `end` once the next one may begin. */
export type Begin = (end: () => void) => void;

/** Limits how many tasks are between their begin and their end; clients take turns. */
export interface Turns {
  /** Begins a task now or in its turn; returns what cancels the wait, undefined if it has begun. */
  take(place: Place, begin: Begin): (() => void) | undefined;
}

/** Creates them, for `atOnce` tasks. A task that waits is one object: nothing else of it has been created. */
export function createTurns(
  { atOnce, monotonic }: { atOnce: number } & Pick<Clock, "monotonic">,
): Turns {
  const waiting = createFairQueue<Place & { begin: Begin }>({ headStart: 0, turnMs: 0, monotonic });
  let active = 0;

  function run(begin: Begin): void {
    active++;
    let isOver = false;
    begin(() => {
      if (isOver) return;
      isOver = true;
      active--;
      admit();
    });
  }

  function admit(): void {
    for (let next = waiting.next(); next !== undefined && active < atOnce; next = waiting.next()) {
      waiting.start(next);
      run(next.begin);
    }
  }

  return {
    take(place, begin) {
      if (active < atOnce) return void run(begin);
      const waiter = { ...place, begin };
      waiting.add(waiter);
      return () => waiting.remove(waiter);
    },
  };
}
