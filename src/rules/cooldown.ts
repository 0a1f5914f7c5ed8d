/** When a host is left alone, and for how long: its own Retry-After, else a circuit that opens on repeated faults. */
import type { RdapAnswer } from "./answer.ts";

/** What is remembered of a host's behaviour. */
export interface HostHealth {
  /** Faults since the last good answer. */
  readonly faults: number;
  /** Until when it is left alone, in ms since 1970. */
  readonly coolUntil: number;
}

/** A host of which nothing bad is known. */
export const HEALTHY: HostHealth = { faults: 0, coolUntil: 0 };

/** Faults in a row that open the circuit; a single one may be the network's. */
const FAULTS_TO_OPEN = 5;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_CIRCUIT_PAUSE_MS = 5 * 60_000;
/** No host is silenced for longer, whatever it writes: it may say so again. */
const LONGEST_PAUSE_MS = 60 * 60_000;

/** What is known of a host after one more answer. Content that makes no sense says nothing about its health. */
export function afterAnswer(health: HostHealth, answer: RdapAnswer, now: number): HostHealth {
  // A good answer to an earlier question does not take back the pause that a later one was told to make.
  if (answer.kind !== "failed") return { faults: 0, coolUntil: health.coolUntil };
  if (answer.fault !== "limited" && answer.fault !== "down") return health;
  const faults = health.faults + 1;
  // A Retry-After of 0 would have us ask again at once, which is what it complained of.
  const pauseMs = answer.retryAfterMs || circuitPauseMs(answer.fault, faults);
  const coolUntil = now + Math.min(pauseMs, LONGEST_PAUSE_MS);
  return { faults, coolUntil: Math.max(health.coolUntil, pauseMs > 0 ? coolUntil : 0) };
}

function circuitPauseMs(fault: "limited" | "down", faults: number): number {
  const times = fault === "limited" ? faults - 1 : faults - FAULTS_TO_OPEN;
  return times < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** times, LONGEST_CIRCUIT_PAUSE_MS);
}
