import { type Asker, type Flight, startFlight } from "./flight.ts";

/** A value and until when it may be answered, in ms since 1970. */
export interface Kept<V> {
  value: V;
  expiresAt: number;
}

/** Where values are kept. No function may throw: a store that fails is a store without the value. */
export interface Keep<V> {
  /** What is at hand without asking anybody: most answers need no flight. */
  recall?(key: string): Kept<V> | undefined;
  get(key: string): Promise<Kept<V> | undefined>;
  /** Settles once the value would survive the end of the process. */
  set(key: string, kept: Kept<V>): Promise<void>;
}

/** A value, and whether it came from the store. */
export interface Answer<V> {
  value: V;
  kept: boolean;
}

/**
 * Wraps a look-up so that equal keys share one flight and one kept value, which sets its own lifetime (0: not kept).
 * Whoever asks while a found value is being stored waits for that: "kept" is said only of what a crash would leave.
 * The signal that the look-up gets tells it that nobody waits any more.
 */
export function cached<Input, V>(
  lookup: (input: Input, abandoned: AbortSignal) => Promise<V>,
  { keyOf, keep, lifetimeMs, now }: {
    keyOf: (input: Input) => string;
    keep: Keep<V>;
    lifetimeMs: (value: V) => number;
    now: () => number;
  },
): (input: Input, asker?: Asker) => Promise<Answer<V>> {
  const flights = new Map<string, Flight<Answer<V>>>();

  async function fly(key: string, input: Input, abandoned: AbortSignal): Promise<Answer<V>> {
    const kept = await keep.get(key);
    if (kept !== undefined && kept.expiresAt > now()) {
      flights.delete(key);
      return { value: kept.value, kept: true };
    }
    const value = await lookup(input, abandoned);
    const lifetime = lifetimeMs(value);
    if (lifetime <= 0) flights.delete(key);
    else {
      const storing = store(key, { value, expiresAt: now() + lifetime });
      flights.set(key, startFlight(() => storing));
    }
    return { value, kept: false };
  }

  async function store(key: string, kept: Kept<V>): Promise<Answer<V>> {
    await keep.set(key, kept);
    flights.delete(key);
    return { value: kept.value, kept: true };
  }

  function takeOff(key: string, input: Input): Flight<Answer<V>> {
    const flight = startFlight(async (abandoned) => {
      try {
        return await fly(key, input, abandoned);
      } catch (error) {
        flights.delete(key);
        throw error;
      }
    });
    flights.set(key, flight);
    return flight;
  }

  async function share(key: string, input: Input, asker?: Asker): Promise<Answer<V>> {
    for (;;) {
      const flight = flights.get(key) ?? takeOff(key, input);
      const wasAbandoned = flight.isAbandoned();
      const answer = await flight.join(asker);
      // A flight that nobody waited for may have left questions out: whoever came later asks them again.
      if (!wasAbandoned || answer.kept || lifetimeMs(answer.value) > 0) return answer;
    }
  }

  return (input, asker) => {
    const key = keyOf(input);
    const recalled = keep.recall?.(key);
    if (recalled !== undefined && recalled.expiresAt > now()) {
      return Promise.resolve({ value: recalled.value, kept: true });
    }
    return share(key, input, asker);
  };
}
