/** When a host gets a cooldown, and how long: its Retry-After, else a circuit breaker that opens on repeated faults. */
import type { RdapAnswer, RdapFault } from "./answer.ts";

/** The state of a host's circuit breaker. */
export interface HostHealth {
  /** Faults since the last good answer. */
  readonly faults: number;
  /** When the cooldown ends, in monotonic ms. */
  readonly coolUntil: number;
}

/** A host without known faults. */
export const HEALTHY: HostHealth = { faults: 0, coolUntil: 0 };

/** Consecutive faults that open the circuit. One "down" may be the network's; undefined: says nothing about the host. */
const FAULTS_TO_OPEN: Readonly<Record<RdapFault, number | undefined>> = {
  limited: 1,
  down: 5,
  unclear: undefined,
  unasked: undefined,
};
const FIRST_PAUSE_MS = 30_000;
const LONGEST_CIRCUIT_PAUSE_MS = 5 * 60_000;

/**
 * The state of a host after one more answer, at `now` in monotonic ms. Unclear content says nothing about the host's
 * health.
 */
export function afterAnswer(health: HostHealth, answer: RdapAnswer, now: number): HostHealth {
  // A good answer to an earlier request must not cancel the cooldown that a later one started.
  if (answer.kind !== "failed") return { faults: 0, coolUntil: health.coolUntil };
  const faultsToOpen = FAULTS_TO_OPEN[answer.fault];
  if (faultsToOpen === undefined) return health;
  const faults = health.faults + 1;
  // A Retry-After of 0 would mean to retry at once, which is what the host complained about.
  // `readRetryAfterMs` has capped it at one hour.
  const pauseMs = answer.retryAfterMs || circuitPauseMs(faults - faultsToOpen);
  return { faults, coolUntil: Math.max(health.coolUntil, pauseMs > 0 ? now + pauseMs : 0) };
}

function circuitPauseMs(times: number): number {
  return times < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** times, LONGEST_CIRCUIT_PAUSE_MS);
}
