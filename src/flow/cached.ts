import { type Asker, type Flight, startFlight } from "./flight.ts";
import type { Turn } from "./gate.ts";

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

/** What came of a renewal. */
export type Renewal =
  | "renewed"
  /** The kept value will do for longer. */
  | "fresh"
  /** Somebody who waits for it has it looked up already. */
  | "busy"
  /** What was found is not to be kept; the value that was, stays. */
  | "unfounded";

/** By how much clocks of processes differ where they are kept as clocks are. */
const SKEW_MS = 30_000;

/** The two ways to a value. */
export interface Cached<Input, V> {
  answer(input: Input, asker?: Asker): Promise<Answer<V>>;
  /**
   * Looks up in the spare lane what is not kept until `until` (ms since 1970), and replaces it. Nobody who asks ever
   * waits for this.
   */
  renew(input: Input, until: number): Promise<Renewal>;
}

/**
 * Wraps a look-up so that equal keys share one flight and one kept value, which sets its own lifetime (0: not kept).
 * Whoever asks while a found value is being stored waits for that: "kept" is said only of what a crash would leave.
 * The turn that the look-up gets tells it how to wait, and when nobody waits for it any more.
 */
export function cached<Input, V>(
  lookup: (input: Input, turn: Turn) => Promise<V>,
  { keyOf, keep, lifetimeMs, now }: {
    keyOf: (input: Input) => string;
    keep: Keep<V>;
    lifetimeMs: (value: V) => number;
    now: () => number;
  },
): Cached<Input, V> {
  const flights = new Map<string, Flight<Answer<V>>>();

  /** What has longer to live than it can have been given was kept by another clock, or before ours was set back. */
  function isCurrent(kept: Kept<V> | undefined): kept is Kept<V> {
    if (kept === undefined) return false;
    const leftMs = kept.expiresAt - now();
    return leftMs > 0 && leftMs <= lifetimeMs(kept.value) + SKEW_MS;
  }

  async function fly(key: string, input: Input, abandoned: AbortSignal): Promise<Answer<V>> {
    const kept = await keep.get(key);
    if (isCurrent(kept)) {
      flights.delete(key);
      return { value: kept.value, kept: true };
    }
    const value = await lookup(input, { signal: abandoned });
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

  async function renew(input: Input, until: number): Promise<Renewal> {
    const key = keyOf(input);
    const kept = await keep.get(key);
    if (kept !== undefined && kept.expiresAt >= until) return "fresh";
    if (flights.has(key)) return "busy";
    const value = await lookup(input, { lane: "spare" });
    const lifetime = lifetimeMs(value);
    if (lifetime <= 0) return "unfounded";
    // A flight that has begun meanwhile finds out something newer.
    if (flights.has(key)) return "busy";
    await keep.set(key, { value, expiresAt: now() + lifetime });
    return "renewed";
  }

  function answer(input: Input, asker?: Asker): Promise<Answer<V>> {
    const key = keyOf(input);
    const recalled = keep.recall?.(key);
    if (isCurrent(recalled)) {
      return Promise.resolve({ value: recalled.value, kept: true });
    }
    return share(key, input, asker);
  }

  return { answer, renew };
}
