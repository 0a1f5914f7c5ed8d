/** How fast something goes on at present. */

/** Counts, and tells the rate of the last seconds: what came from the cache at once says nothing of the rest. */
export interface Meter {
  readonly count: number;
  add(): void;
  /** Undefined until there is enough to tell it from. */
  perSecond(): number | undefined;
}

const SAMPLE_MS = 500;
/** Ten seconds: long enough for a registry that answers once a second. */
const SAMPLES = 20;

/** Creates a meter that starts now. */
export function createMeter(now: () => number): Meter {
  let count = 0;
  const samples = [{ at: now(), count }];

  function sample(): void {
    const at = now();
    if (at - (samples.at(-1)?.at ?? 0) < SAMPLE_MS) return;
    samples.push({ at, count });
    if (samples.length > SAMPLES) samples.shift();
  }

  return {
    get count() {
      return count;
    },
    add() {
      count++;
    },
    perSecond() {
      sample();
      const [first] = samples;
      if (first === undefined || count === first.count || samples.length < 2) return undefined;
      return (count - first.count) / (now() - first.at) * 1_000;
    },
  };
}
