/** Checks domains again that a busy registry left unknown. */
import type { Checker, Pauses } from "./checker.ts";
import type { CheckRequest } from "./name_argument.ts";
import type { Retry, Row } from "./row.ts";

const MAX_RETRIES = 3;

/** How long a name waits in all, in ms: in a list for the pause of a registry, in the arguments only for its queue. */
export const MAX_WAIT_MS = { listed: 90_000, typed: 20_000 };

/**
 * Wraps a checker: a row with `retry` is held back and its domain checked again after that time, all such TLDs of a name
 * together. Once the retries are used up, or the name would wait for longer than `maxWaitMs`, the row is yielded as it is.
 */
export function withRetries(
  checker: Checker,
  { pauses, maxWaitMs, stop }: { pauses: Pauses; maxWaitMs: number; stop: AbortSignal },
): Checker {
  async function* check(request: CheckRequest): AsyncGenerator<Row> {
    const { label } = request;
    let asked = request;
    for (let retries = 0, waitedMs = 0;; retries++) {
      const tlds: string[] = [];
      let longest: Retry | undefined;
      for await (const row of checker.check(asked)) {
        const retry = row.kind === "domain" && retries < MAX_RETRIES ? row.retry : undefined;
        if (retry === undefined || waitedMs + retry.ms > maxWaitMs) {
          yield row;
          continue;
        }
        tlds.push(row.domain.slice(label.length + 1));
        if (longest === undefined || retry.ms > longest.ms) longest = retry;
      }
      // A look-up that the end of the run has cancelled has a retry, too.
      if (longest === undefined || stop.aborted) return;
      await pauses.wait(longest.host, longest.ms);
      if (stop.aborted) return;
      waitedMs += longest.ms;
      asked = { label, tlds };
    }
  }

  return { ...checker, check };
}
