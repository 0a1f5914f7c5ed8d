import type { Waiter } from "../flow/cache/flight.ts";
import type { Turns } from "../flow/queue/turns.ts";
import { wantedRank } from "../rules/tables/tlds.ts";

/** What is looked up; without a label, nothing is. */
interface MaybeDomain {
  readonly tld: string;
  readonly label?: string;
}

/**
 * Starts one look-up for each item: what is in memory at once, then those of `WANTED_TLDS`, then the others; returns their
 * results in the order of the items. A look-up calls `onStart` once it has left its first queue; then the next one of the
 * request waits for its turn. One whose turn does not come in time is started for a waiter that has left: what is neither
 * cached nor in flight is unknown.
 */
export type StartLookUps = <Item extends MaybeDomain, Result>(
  items: readonly Item[],
  waiter: Waiter | undefined,
  lookUp: (item: Item, waiter: Waiter | undefined, onStart: () => void) => Promise<Result>,
) => Promise<Result>[];

/** Creates it. */
export function createStartLookUps(
  { expect, turns, maxWaitMs }: {
    /** Announces a look-up to the cache; returns whether the answer is in memory. */
    expect: (label: string, tld: string) => boolean;
    turns: Turns;
    /** The longest that a request waits for turns. */
    maxWaitMs: number;
  },
): StartLookUps {
  return <Item extends MaybeDomain, Result>(
    items: readonly Item[],
    waiter: Waiter | undefined,
    lookUp: (item: Item, waiter: Waiter | undefined, onStart: () => void) => Promise<Result>,
  ) => {
    const results: Promise<Result>[] = [];
    const queue: { item: Item; result: PromiseWithResolvers<Result> }[] = [];
    for (const [place, item] of items.entries()) {
      if (item.label === undefined || expect(item.label, item.tld)) {
        results[place] = lookUp(item, waiter, () => {});
        continue;
      }
      const result = Promise.withResolvers<Result>();
      results[place] = result.promise;
      queue.push({ item, result });
    }
    if (queue.length === 0) return results;
    const waiting = queue.toSorted((a, b) => wantedRank(a.item.tld) - wantedRank(b.item.tld))
      .values();
    const place = { client: waiter?.client ?? "", site: waiter?.site };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let startLate: (() => void) | undefined;
    let isLate = false;

    function startNext(): void {
      const { value: task } = waiting.next();
      if (task === undefined) return clearTimeout(timer);
      if (isLate) return start(task, { ...place, signal: AbortSignal.abort() });
      const cancel = turns.take(place, (end) => {
        startLate = undefined;
        start(task, waiter, end);
      });
      if (cancel === undefined) return;
      startLate = () => {
        cancel();
        start(task, { ...place, signal: AbortSignal.abort() });
      };
      timer ??= setTimeout(() => {
        isLate = true;
        startLate?.();
      }, maxWaitMs);
    }

    function start(
      { item, result }: typeof queue[number],
      waiter: Waiter | undefined,
      end = () => {},
    ): void {
      let isNext = true;
      const goOn = () => {
        end();
        if (isNext) startNext();
        isNext = false;
      };
      const looking = Promise.try(lookUp, item, waiter, goOn);
      result.resolve(looking);
      looking.then(goOn, goOn);
    }

    startNext();
    return results;
  };
}
