/** What checks names: the look-ups of this process, or a running service. */
import { pause } from "../flow/pause.ts";
import type { CheckRequest } from "./name_argument.ts";
import type { Row } from "./row.ts";

/** Checks names. */
export interface Checker {
  /** The TLDs that it can check. */
  tlds: readonly string[];
  /** The hosts that answer the parts of a request; each part waits in the queue of its host only. */
  hostsOf(request: CheckRequest): readonly string[];
  /** The part at this place among the hosts. */
  partOf(request: CheckRequest, place: number): CheckRequest;
  /** How many parts of a host to check at once, where the user has chosen a number or undefined. */
  atOnce(host: string, chosen: number | undefined): number;
  /** Yields a row for each TLD as it settles. */
  check(request: CheckRequest): AsyncIterable<Row>;
}

/** A checker, or an error message for the user. */
export type CheckerOpening =
  | { kind: "checker"; checker: Checker }
  | { kind: "refused"; message: string };

/** Waits for hosts that ask for a pause. */
export interface Pauses {
  /** Waits at least `ms` for the host; less when the run is stopped. */
  wait(host: string, ms: number): Promise<void>;
}

/** A pause that is not over. */
export interface CurrentPause {
  host: string;
  seconds: number;
}

/** Pauses that the progress line shows. */
export interface ShownPauses extends Pauses {
  /** The pause that ends next; undefined when no host is waited for. */
  current(): CurrentPause | undefined;
}

/** Pauses that end this close to each other are noted once. */
const SAME_MS = 2_000;
/** Jitter: names that resumed at the same moment would be refused at the same moment, always because of the same one. */
const JITTER_MS = 2_000;

/** Creates pauses; `note` is called once for all names that wait for the same. */
export function createPauses(
  { note, stop, now }: { note: (line: string) => void; stop: AbortSignal; now: () => number },
): ShownPauses {
  const noted = new Map<string, number>();
  return {
    async wait(host, ms) {
      const until = now() + ms;
      if (until > (noted.get(host) ?? -Infinity) + SAME_MS) {
        note(`${host} is rate-limiting us; waiting ${Math.ceil(ms / 1_000)} s`);
        noted.set(host, until);
      }
      await pause(ms + Math.random() * JITTER_MS, stop);
    },
    current() {
      const time = now();
      const [next] = [...noted].filter(([, until]) => until > time).toSorted((a, b) => a[1] - b[1]);
      if (next === undefined) return undefined;
      const [host, until] = next;
      return { host, seconds: Math.ceil((until - time) / 1_000) };
    },
  };
}
