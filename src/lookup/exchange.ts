/** How long an exchange with a witness takes, what its question waits for, and how long a client does. */
import { ANSWER_MS, type Waiter } from "../flow/cache/flight.ts";
import { startAlarm } from "../flow/deadline.ts";
import type { Queued, WaitOptions } from "../flow/upstream_host.ts";
import type { Exchange } from "../rules/evidence.ts";

/** What a question waits for that has no answer yet. */
export interface Waiting extends Pick<Queued, "host" | "why"> {
  /** When it leaves its queue, in ms of `performance.now()`: clients may be told later. Absent: it is under way. */
  readonly expectedAt?: number;
}

/** The wait of a question that is put into a queue now. */
export function waitingFor({ host, expectedMs, why }: Queued): Required<Waiting> {
  return { host, expectedAt: performance.now() + expectedMs, why };
}

/** The ms until a time in ms of `performance.now()`; 0 if it has passed. */
export function msUntil(at: number): number {
  return Math.max(0, at - performance.now());
}

/** How long a look-up goes on after its request, in ms. */
const LOOK_UP_MS = 60_000;

/**
 * Waits for a look-up in place of a client that wants an answer by a time. It leaves with its client, or, if it stays, a minute
 * after the request. With `no-legacy-abort` Deno aborts the signal of a request only where its client disconnects before the
 * answer.
 */
export function standInFor({ signal, answerBy = 0, client, site, isList }: Waiter) {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);
  return {
    waiter: { signal: leaving.signal, client, site, isList },
    /** Lets the look-up go on for a client that is answered now, so that asking again finds its answer. */
    stay(): void {
      if (!signal.aborted) startAlarm(leave, msUntil(answerBy - ANSWER_MS + LOOK_UP_MS));
    },
  };
}

/** Times an exchange, without the wait in a queue, which `wait` counts. */
export function startTiming(wait: WaitOptions, now: () => number) {
  const [startedAt, calledAt] = [performance.now(), now()];
  let waitedMs = 0;
  return {
    wait: { ...wait, onWait: (ms: number) => void (waitedMs += ms) },
    exchange: <Answer extends { kind: string; askedAt?: number; said?: string }>(
      answer: Answer,
      host: string,
    ): Exchange<Answer> => {
      const { askedAt = calledAt, said } = answer;
      const ms = Math.max(0, performance.now() - startedAt - waitedMs);
      return { answer, host, said, askedAt, ms };
    },
  };
}
