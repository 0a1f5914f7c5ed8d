/** Deno KV behind a deadline: a store that fails or hangs costs a check nothing but its cache. */
import { createDeadlines } from "../flow/deadlines.ts";
import type { Report } from "../flow/report.ts";

/** Runs an operation on KV, or answers `fallback` where KV fails, hangs, or did so a moment ago. */
export interface GuardedKv {
  attempt<T, F>(operation: (kv: Deno.Kv) => Promise<T>, fallback: F): Promise<T | F>;
  /** Whether the last operation failed; undefined before the first one. */
  isFailing(): boolean | undefined;
  /** Settles once no operation is under way that may still be answered, so that KV may be closed. */
  settled(): Promise<void>;
}

/** A local commit takes a millisecond and one across regions 100, but a busy machine may stop for longer. */
const DEADLINE_MS = 1_000;
/** How long a KV that hung is left alone, so that it does not cost every request the deadline. */
const PAUSE_MS = 5_000;
const LATE = Symbol("late");

/** Guards a KV store. Each change between working and failing is reported once. */
export function guardKv(
  kv: Deno.Kv,
  { report, now }: { report: Report; now: () => number },
): GuardedKv {
  const deadlines = createDeadlines(DEADLINE_MS);
  const underWay = new Set<Promise<unknown>>();
  let failing: boolean | undefined;
  let pausedUntil = 0;

  function noteFailure(reason: string): void {
    if (failing !== true) report("kv.failing", { reason });
    failing = true;
  }

  function noteSuccess(): void {
    if (failing === true) report("kv.working", {});
    failing = false;
  }

  async function attempt<T, F>(operation: (kv: Deno.Kv) => Promise<T>, fallback: F) {
    const pauseMs = pausedUntil - now();
    // A clock that was set back must not make an hour of it.
    if (pauseMs > 0 && pauseMs <= PAUSE_MS) return fallback;
    const running = Promise.try(operation, kv);
    const tracked = running.then(() => {}, () => {}).finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    try {
      const value = await deadlines.meet(running, LATE);
      if (value !== LATE) return noteSuccess(), value;
      pausedUntil = now() + PAUSE_MS;
      noteFailure(`no answer within ${DEADLINE_MS} ms`);
    } catch (error) {
      noteFailure(String(error));
    }
    return fallback;
  }

  return {
    attempt,
    isFailing: () => failing,
    async settled() {
      // What KV never answers must not keep a process from its end.
      await deadlines.meet(Promise.all(underWay), undefined);
      deadlines.stop();
    },
  };
}
