/** Checks names by the look-ups of this process. */
import { asSettled } from "../flow/as_settled.ts";
import { createGate, type Pace } from "../flow/gate.ts";
import { hostPolicy } from "../rules/host_policies.ts";
import { BUILT_IN_TLDS } from "../rules/tlds.ts";
import type { Services } from "../wiring/services.ts";
import type { Checker, Pauses } from "./checker.ts";
import { ETH } from "./name_argument.ts";
import { type Row, rowState } from "./row.ts";

/** The services that look-ups need. */
export type CheckServices = Pick<Services, "checkDomain" | "ens" | "tlds" | "pauseOf">;

/** Enough to keep registries busy while other names are found in DNS. */
export const LOCAL_CONCURRENCY = 64;
/** Requests in flight for each one that an unpaced host allows at once. */
const ROUNDS = 8;
/** A paced host gets no more requests than it allows in this time; its canary checks wait in the same queue. */
const PACED_MS = 4_000;
/** The longest delay of a timer, and longer than any run. */
const MAX_WAIT_MS = 2 ** 31 - 1;
/** The total time that one name waits for a registry that asks for pauses. */
const MAX_PAUSES_MS = 90_000;

/**
 * Creates the checker. The service rejects a look-up that would wait too long for a registry's pace; a list of names has
 * time, so each registry gets only as many look-ups as it can answer soon. With `pauses`, the checker also waits for a
 * registry that asks for a pause; without, it reports that at once.
 */
export async function createLocalChecker(
  { checkDomain, ens, tlds, pauseOf }: CheckServices,
  { pauses, stop, monotonic }: {
    pauses: Pauses | undefined;
    stop: AbortSignal;
    monotonic: () => number;
  },
): Promise<Checker> {
  const gate = createGate({ paceOf, maxWaitMs: MAX_WAIT_MS, monotonic });

  async function checkWithPauses(label: string, tld: string): Promise<Row> {
    for (let waitedMs = 0;;) {
      const result = await checkDomain(label, tld);
      const row: Row = { kind: "domain", domain: result.domain, result };
      if (pauses === undefined || rowState(row) !== "unknown") return row;
      const { host, ms } = await pauseOf(tld);
      if (ms === 0 || waitedMs + ms > MAX_PAUSES_MS) return row;
      await pauses.wait(host, ms);
      if (stop.aborted) return row;
      waitedMs += ms;
    }
  }

  async function checkEth(label: string): Promise<Row> {
    const answer = await ens.check(label);
    const domain = `${label}.${ETH}`;
    if (answer.kind === "answered") return { kind: "eth", domain, result: answer.result };
    return { kind: "failed", domain, error: `Cannot check the name: ${answer.why}` };
  }

  async function checkInQueue(label: string, tld: string): Promise<Row> {
    const check = tld === ETH ? checkEth : checkWithPauses;
    const result = await gate.run(hostOf(tld), () => check(label, tld));
    if (result.kind === "ran") return result.value;
    return { kind: "failed", domain: `${label}.${tld}`, error: "Timed out in the queue" };
  }

  return {
    tlds: await tlds.enabled(),
    concurrency: LOCAL_CONCURRENCY,
    check: ({ label, tlds }) => asSettled(tlds.map((tld) => checkInQueue(label, tld))),
  };
}

/** TLDs whose registries share a host share a queue. */
function hostOf(tld: string): string {
  const row = BUILT_IN_TLDS.find((row) => row.tld === tld);
  return row === undefined ? tld : new URL(row.rdapBase).host;
}

/**
 * As many look-ups as a host answers long before the service's own gate rejects one, which it does after 15 s: eight
 * rounds of the slowest answers ever measured take 11 s, and names found in DNS need no round.
 */
function paceOf(host: string): Pace {
  const { concurrency, everyMs } = hostPolicy(host);
  const width = everyMs > 0 ? Math.floor(PACED_MS / everyMs) : concurrency * ROUNDS;
  return { concurrency: width, burst: width, everyMs: 0 };
}
