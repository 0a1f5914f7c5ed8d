/** Counts what look-ups show about the registries, and adds it to KV once a minute. */
import { createFlusher } from "./flusher.ts";
import {
  addHours,
  type DatedHour,
  disagreementOf,
  EMPTY_HOUR,
  type Hour,
  hourOf,
  hourWith,
  type Incident,
  lastDay,
  type LookedUp,
} from "../rules/accuracy.ts";

/** The last 24 hours of all processes. */
export interface AccuracyLog {
  /** Counts a look-up; the name is only stored as a hash, and only if witnesses disagree on it. */
  note(answer: LookedUp & { readonly label: string }): void;
  /** Notes that a registry failed a test that it had passed. */
  noteWithdrawal(tld: string, why: string): void;
  /** The last 24 hours, in order, also those without look-ups. */
  lastDay(): Promise<DatedHour[]>;
  /** Writes what is counted for the last time. */
  stop(): Promise<void>;
}

/** A crash loses the counts of this time. It costs KV one commit, and none without look-ups. */
const FLUSH_MS = 60_000;

/** Creates the log. */
export function createAccuracyLog(
  { store, now }: {
    /** Must not reject. */
    store: { add(hour: DatedHour): Promise<boolean>; list(): Promise<DatedHour[]> };
    now: () => number;
  },
): AccuracyLog {
  /** Hashed with each name, so that the name cannot be found by hashing guesses. */
  const salt = crypto.randomUUID();
  let unwritten = new Map<number, Hour>();
  const { soon, flush, stop } = createFlusher(write, FLUSH_MS);

  function add(hour: Hour, startsAt = hourOf(now())): void {
    unwritten.set(startsAt, addHours(unwritten.get(startsAt) ?? EMPTY_HOUR, hour));
    soon();
  }

  function noteIncident(incident: Incident): void {
    add({ tlds: {}, incidents: [incident] });
  }

  async function write(): Promise<void> {
    const taken = unwritten;
    unwritten = new Map();
    for (const [startsAt, hour] of taken) {
      if (!await store.add({ startsAt, ...hour })) add(hour, startsAt);
    }
  }

  return {
    note({ label, ...answer }) {
      // The registry was not to be asked, or its answer was no longer wanted.
      if (answer.cause === "dns_only" || answer.cause === "cancelled") return;
      add(hourWith(answer));
      const between = disagreementOf(answer.cause);
      if (between === undefined) return;
      const { tld } = answer;
      const at = now();
      void hashed(`${salt} ${label}.${tld}`)
        .then((name) => noteIncident({ kind: "disagreement", at, tld, name, between }));
    },
    noteWithdrawal: (tld, why) => noteIncident({ kind: "withdrawal", at: now(), tld, why }),
    async lastDay() {
      await flush();
      const stored = new Map((await store.list()).map((hour) => [hour.startsAt, hour]));
      return lastDay(now()).map((startsAt) => ({
        startsAt,
        // Where KV fails, what this process has counted is all that is known.
        ...addHours(stored.get(startsAt) ?? EMPTY_HOUR, unwritten.get(startsAt) ?? EMPTY_HOUR),
      }));
    },
    stop,
  };
}

async function hashed(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest, 0, 8).toHex();
}
