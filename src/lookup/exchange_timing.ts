/** Times the exchange with a witness, without the wait in a queue. */
import type { Spent } from "../flow/cache/flight.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { Exchange } from "../rules/evidence.ts";

/** Runs a question and adds its time to `spent`; the wait in the queue counts as `gate`. */
export async function timed<Answer extends Witnessed>(
  on: "dns" | "rdap",
  { host, wait, spent, now }: { host: string; wait: WaitOptions; spent: Spent; now: () => number },
  ask: (wait: WaitOptions) => Promise<Answer>,
): Promise<Exchange<Answer>> {
  const timing = startTiming(wait, now);
  try {
    return timing.exchange(await ask(timing.wait), host);
  } finally {
    spent.gate += timing.waitedMs();
    spent[on] += timing.tookMs();
  }
}

/** What an exchange takes from an answer. */
interface Witnessed {
  readonly kind: string;
  readonly askedAt?: number;
  readonly said?: string;
}

/** Times an exchange, without the wait in a queue, which `wait` counts. */
export function startTiming(wait: WaitOptions, now: () => number) {
  const [startedAt, calledAt] = [performance.now(), now()];
  let waitedMs = 0;
  const tookMs = () => Math.max(0, performance.now() - startedAt - waitedMs);
  return {
    wait: {
      ...wait,
      onWait(ms: number) {
        waitedMs += ms;
        wait.onWait?.(ms);
      },
    },
    waitedMs: () => waitedMs,
    tookMs,
    exchange: <Answer extends Witnessed>(answer: Answer, host: string): Exchange<Answer> => {
      const { askedAt = calledAt, said } = answer;
      return { answer, host, said, askedAt, ms: tookMs() };
    },
  };
}
