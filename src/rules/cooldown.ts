/** When a host is left alone, and for how long: its own Retry-After, else a circuit that opens on repeated faults. */
import type { RdapAnswer, RdapFault } from "./answer.ts";

/** What is remembered of a host's behaviour. */
export interface HostHealth {
  /** Faults since the last good answer. */
  readonly faults: number;
  /** Until when it is left alone, in monotonic ms. */
  readonly coolUntil: number;
}

/** A host of which nothing bad is known. */
export const HEALTHY: HostHealth = { faults: 0, coolUntil: 0 };

/** Faults in a row that open the circuit: "down" may be the network's once; what says nothing of the host has none. */
const FAULTS_TO_OPEN: Readonly<Record<RdapFault, number | undefined>> = {
  limited: 1,
  stall: 1,
  down: 5,
  unclear: undefined,
  unasked: undefined,
};
const FIRST_PAUSE_MS = 30_000;
const LONGEST_CIRCUIT_PAUSE_MS = 5 * 60_000;

/**
 * What is known of a host after one more answer, at `now` in monotonic ms. Content that makes no sense says nothing
 * about its health.
 */
export function afterAnswer(health: HostHealth, answer: RdapAnswer, now: number): HostHealth {
  // A good answer to an earlier question does not take back the pause that a later one was told to make.
  if (answer.kind !== "failed") return { faults: 0, coolUntil: health.coolUntil };
  const faultsToOpen = FAULTS_TO_OPEN[answer.fault];
  if (faultsToOpen === undefined) return health;
  const faults = health.faults + 1;
  // A Retry-After of 0 would have us ask again at once, which is what it complained of. One of more than
  // an hour was shortened when it was read, for it is passed on too.
  const pauseMs = answer.retryAfterMs || circuitPauseMs(faults - faultsToOpen);
  return { faults, coolUntil: Math.max(health.coolUntil, pauseMs > 0 ? now + pauseMs : 0) };
}

function circuitPauseMs(times: number): number {
  return times < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** times, LONGEST_CIRCUIT_PAUSE_MS);
}
