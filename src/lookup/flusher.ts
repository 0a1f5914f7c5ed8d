import { type Alarm, startAlarm } from "../flow/deadline.ts";

/** Writes collected values from time to time. */
interface Flusher {
  /** Writes once the interval is over. */
  soon(): void;
  /** Writes now; a write that is under way is joined. */
  flush(): Promise<void>;
  /** Writes for the last time. */
  stop(): Promise<void>;
}

/** Creates a flusher of `write`, which must not reject: a rejection in the alarm would end the process. */
export function createFlusher(write: () => Promise<void>, everyMs: number): Flusher {
  let alarm: Alarm | undefined;
  let flushing: Promise<void> | undefined;
  let stopped = false;

  function flush(): Promise<void> {
    alarm?.stop();
    alarm = undefined;
    return flushing ??= write().finally(() => flushing = undefined);
  }

  return {
    soon() {
      if (alarm === undefined && !stopped) alarm = startAlarm(flush, everyMs);
    },
    flush,
    async stop() {
      stopped = true;
      alarm?.stop();
      await flushing;
      await flush();
    },
  };
}
