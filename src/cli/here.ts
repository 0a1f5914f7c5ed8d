/** The look-ups of this process as an asker. */
import { asSettled } from "../flow/as_settled.ts";
import { createGate, type Pace } from "../flow/gate.ts";
import { hostPolicy } from "../rules/host_policies.ts";
import { BUILT_IN_TLDS } from "../rules/tlds.ts";
import type { Services } from "../wiring/services.ts";
import type { Checker } from "./asker.ts";
import type { Pauses } from "./pauses.ts";
import { type Row, rowState } from "./row.ts";
import { ETH } from "./wish.ts";

/** The services that look-ups need. */
export type Checks = Pick<Services, "checkDomain" | "ens" | "tlds" | "pauseOf">;

/** Enough for registries to be busy while others of the names are in DNS. */
const AT_ONCE = 64;
const ROUNDS = 8;
/** Of a paced host no more than it lets through in that time: what tests it stands in the same line. */
const PACED_MS = 4_000;
/** Longer than any run; timers cannot wait longer. */
const FOR_EVER_MS = 2 ** 31 - 1;
/** How long one name waits in all for a registry that asks for pauses. */
const PATIENCE_MS = 90_000;

/**
 * Creates the asker. A service turns away what would wait for a registry's pace for too long, and rightly so; a list of
 * names has time, so it asks each registry for no more than it can answer soon. With `pauses`, it also waits for a
 * registry that asks for a pause, where a person would rather be told at once.
 */
export async function createHere(
  { checkDomain, ens, tlds, pauseOf }: Checks,
  { pauses, stop, monotonic }: {
    pauses: Pauses | undefined;
    stop: AbortSignal;
    monotonic: () => number;
  },
): Promise<Checker> {
  const priorities = createGate({ paceOf: laneOf, maxWaitMs: FOR_EVER_MS, monotonic });

  async function checkWithPatience(label: string, tld: string): Promise<Row> {
    for (let waitedMs = 0;;) {
      const result = await checkDomain(label, tld);
      const row: Row = { kind: "domain", domain: result.domain, result };
      if (pauses === undefined || rowState(row) !== "unknown") return row;
      const { host, ms } = await pauseOf(tld);
      if (ms === 0 || waitedMs + ms > PATIENCE_MS) return row;
      await pauses.wait(host, ms);
      if (stop.aborted) return row;
      waitedMs += ms;
    }
  }

  async function checkEth(label: string): Promise<Row> {
    const answer = await ens.check(label);
    const domain = `${label}.${ETH}`;
    if (answer.kind === "answered") return { kind: "eth", domain, result: answer.result };
    return { kind: "failed", domain, why: `The name could not be checked: ${answer.why}` };
  }

  async function checkInTurn(label: string, tld: string): Promise<Row> {
    const check = tld === ETH ? checkEth : checkWithPatience;
    const passage = await priorities.run(laneNameOf(tld), () => check(label, tld));
    if (passage.kind === "ran") return passage.value;
    return { kind: "failed", domain: `${label}.${tld}`, why: "Its turn did not come for 24 days" };
  }

  return {
    tlds: await tlds.enabled(),
    atOnce: AT_ONCE,
    ask: ({ label, tlds }) => asSettled(tlds.map((tld) => checkInTurn(label, tld))),
  };
}

/** All names whose registries share a host go through one lane. */
function laneNameOf(tld: string): string {
  const row = BUILT_IN_TLDS.find((row) => row.tld === tld);
  return row === undefined ? tld : new URL(row.rdapBase).host;
}

/**
 * As many as a host answers long before its gate turns anybody away, which it does after 15 s: eight rounds of the
 * slowest answers ever measured take 11 s, and whatever turns out to be in DNS takes no round at all.
 */
function laneOf(host: string): Pace {
  const { concurrency, everyMs } = hostPolicy(host);
  const width = everyMs > 0 ? Math.floor(PACED_MS / everyMs) : concurrency * ROUNDS;
  return { concurrency: width, burst: width, everyMs: 0 };
}
