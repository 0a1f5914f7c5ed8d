/** What checks names: the look-ups of this process, or a running service. */
import type { CheckRequest, SupportedTlds } from "./name_argument.ts";
import type { Row } from "./row.ts";

/** Checks names. */
export interface Checker extends SupportedTlds {
  /** How many requests may be in flight, in sizes of requests. */
  readonly inFlight: { readonly most: number; sizeOf(request: CheckRequest): number };
  /** Yields a row for each TLD as it settles. */
  check(request: CheckRequest): AsyncIterable<Row>;
}

/** Rows in flight here: a fast registry may be so far ahead of a slow one. They wait in the queues of hosts, as in the service. */
export const LOCAL_ROWS = 4_000;
/** Names in flight to a service: those of the next request are known when one is sent. */
export const REMOTE_NAMES = 400;

/** A checker, or an error message for the user. */
export type CheckerOpening =
  | { kind: "checker"; checker: Checker }
  | { kind: "refused"; message: string };

/** A pause that is not over. */
export interface CurrentPause {
  host: string;
  seconds: number;
}

/** Pauses that a service asks for. */
export type Pauses = Pick<ReturnType<typeof createPauses>, "wait">;

/** Jitter: names that resumed at the same moment would be refused at the same moment, always because of the same one. */
const JITTER_MS = 2_000;

/** Creates pauses; `note` is called once for all names that wait until the time that it names. */
export function createPauses(
  { note, stop, now, pause }: {
    note: (line: string) => void;
    stop: AbortSignal;
    now: () => number;
    /** Resolves after `ms`, or once the signal is aborted. */
    pause: (ms: number, signal: AbortSignal) => Promise<void>;
  },
) {
  let last = { host: "", end: -Infinity };
  let notedEnd = -Infinity;
  return {
    /** Waits at least `ms` for the host; less when the run is stopped. */
    async wait(host: string, ms: number): Promise<void> {
      const time = now();
      last = { host, end: Math.max(last.end, time + ms) };
      if (time >= notedEnd) {
        note(`Too many requests to ${host}; waiting ${Math.ceil(ms / 1_000)} s`);
        notedEnd = time + ms;
      }
      await pause(ms + Math.random() * JITTER_MS, stop);
    },
    /** The pause that the progress line shows; undefined when none is waited for. */
    current(): CurrentPause | undefined {
      const leftMs = last.end - now();
      return leftMs > 0 ? { host: last.host, seconds: Math.ceil(leftMs / 1_000) } : undefined;
    },
  };
}
