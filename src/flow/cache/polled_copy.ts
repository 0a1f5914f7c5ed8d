import { createSingleFlight } from "./single_flight.ts";

/** When a process reads its copy of data that other processes change too. */
interface PolledCopy {
  /** Reads the data unless the copy is young enough. */
  refresh(): Promise<void>;
  /** Reads the data; a read in flight is joined. */
  read(): Promise<void>;
  /** Since the start of the last read. */
  ageMs(): number;
}

/** Polls by `read`, which must not reject: a copy that could not be read is not read more often than any other. */
export function createPolledCopy(
  read: () => Promise<void>,
  { maxAgeMs, now }: { maxAgeMs: number; now: () => number },
): PolledCopy {
  const reads = createSingleFlight<void>();
  let readAt = -Infinity;

  // Math.abs: a clock that was set back must not keep an old copy in use.
  const ageMs = () => Math.abs(now() - readAt);

  const readNow = () =>
    reads.run("", async () => {
      const startedAt = now();
      await read();
      readAt = startedAt;
    });

  return {
    ageMs,
    read: readNow,
    async refresh() {
      if (ageMs() >= maxAgeMs) await readNow();
    },
  };
}
