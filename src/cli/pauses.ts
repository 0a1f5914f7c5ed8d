/** Waiting for whoever asks for a pause. */
import { pause } from "../flow/pause.ts";

/** Waits, and says so once for all who wait for the same. */
export interface Pauses {
  /** Waits at least `ms` for `whom`; less where the run is stopped. */
  wait(whom: string, ms: number): Promise<void>;
}

/** Two waits that end this close to each other are one to a person. */
const SAME_MS = 2_000;
/** Over how long those who wait come back: all at once would be refused at once, and always by the same one's fault. */
const SPREAD_MS = 2_000;

/** Creates the waiting. */
export function createPauses(
  { note, stop, now }: { note: (line: string) => void; stop: AbortSignal; now: () => number },
): Pauses {
  const noted = new Map<string, number>();
  return {
    async wait(whom, ms) {
      const until = now() + ms;
      if (until > (noted.get(whom) ?? -Infinity) + SAME_MS) {
        note(`Waiting ${Math.ceil(ms / 1_000)} s until ${whom} may be asked again`);
        noted.set(whom, until);
      }
      await pause(ms + Math.random() * SPREAD_MS, stop);
    },
  };
}
