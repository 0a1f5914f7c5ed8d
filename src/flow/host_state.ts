/**
 * What is known of a host: whether its last answer was usable, the pause that it is in, and whether it is slowed.
 *
 * A pause is one that the host asked for, or the circuit breaker's. A host that asks for fewer questions (429, a WHOIS
 * refusal) is slowed for an hour besides: half the pace, one by one. Of hosts that processes share, the others learn both
 * within three seconds.
 */
import type { Clock, Report } from "./process.ts";

/** What a host is asked for; part of the names of events, as in `rdap.cooldown`. */
export type UpstreamKind =
  | "dns"
  | "rdap"
  | "whois"
  | "registrar"
  | "rpc"
  | "gateway"
  | "iana"
  | "prices";

/** What an answer says about its host. */
export type Outcome =
  | { kind: "ok" }
  /**
   * `limited`: it asked for fewer questions; `down`: no answer, or a server error, `pauseMs`: the pause that comes with it;
   * `unclear`: it answered, but nothing usable, which starts no pause.
   */
  | { kind: "limited" | "down" | "unclear"; why: string; pauseMs?: number | undefined }
  /** Nothing was sent, or what the answer says is noted later. */
  | { kind: "unasked" };

/** What started a pause: an answer that asked for fewer questions or came with the pause, or answers that failed. */
export type PauseFault = "limited" | "down";

/** The rest of the time for which a host is not asked. */
export interface Pause {
  readonly fault: PauseFault;
  readonly leftMs: number;
}

/** When a circuit breaker opens, and for how long. */
export interface Breaker {
  /** Consecutive `down` answers that open it; a `limited` one opens it at once. */
  readonly faultsToOpen: number;
  readonly firstPauseMs: number;
  /** The pause doubles each time it opens again without a good answer in between, up to this length. */
  readonly longestPauseMs: number;
}

/** What processes know of a host together: how long it still pauses, and is slowed, in ms. */
export interface SharedState {
  readonly fault: PauseFault;
  readonly pauseMs: number;
  readonly slowMs: number;
}

/** The hosts that processes share, by name. */
export interface SharedStates {
  /** At most three seconds old. */
  stateOf(host: string): Promise<SharedState | undefined>;
  /** Adds to what is known: neither time becomes shorter. */
  note(host: string, state: SharedState): Promise<void>;
}

/** Problems are dated by the wall clock; setting it must not lengthen a pause. */
interface StateOptions extends Clock {
  readonly kind: UpstreamKind;
  readonly name: string;
  /** Absent: only answers that come with a pause start one. */
  readonly breaker?: Breaker | undefined;
  /** Absent: what this process notes is its own. */
  readonly shared?: SharedStates | undefined;
  readonly report: Report;
  /** Called with what an answer said about the host. */
  readonly onAnswer?: ((kind: Exclude<Outcome["kind"], "unasked">) => void) | undefined;
  /** Called when a pause of so many ms begins, or a running one is lengthened. */
  readonly onPause: (ms: number) => void;
}

const SLOW_MS = 60 * 60_000;
/** What another process has noted is read a little later: a difference below this is none. */
const SAME_MS = 1_000;

/** Creates the state of a host that was never asked. */
export function createHostState(
  { kind, name, breaker, shared, report, onAnswer, onPause, now, monotonic }: StateOptions,
) {
  let slowUntil = -Infinity;
  /** Since the last good answer. */
  let faults = 0;
  let isFailing: boolean | undefined;
  let openedBy: PauseFault = "down";
  let openUntil = -Infinity;
  let why = "";
  let since = 0;

  /** The running pause, as far as this process knows. */
  function pause(): Pause | undefined {
    const leftMs = openUntil - monotonic();
    return leftMs > 0 ? { fault: openedBy, leftMs } : undefined;
  }

  /** A pause, or a last answer that was not usable. */
  function problem() {
    const { leftMs } = pause() ?? { leftMs: 0 };
    if (leftMs === 0 && !isFailing) return undefined;
    const state: "cooling" | "failing" = leftMs > 0 ? "cooling" : "failing";
    // Since when in ms since 1970; the rest of the pause, 0 without one.
    return { kind, host: name, state, fault: why, since, leftMs };
  }

  function noteProblem(words: string): void {
    if (problem() === undefined) since = now();
    why = words;
  }

  /** Starts a pause; returns whether it ends later than a running one, which is never shortened. */
  function open(fault: PauseFault, words: string, ms: number): boolean {
    const until = monotonic() + ms;
    if (ms <= 0 || until <= openUntil) return false;
    noteProblem(words);
    openedBy = fault;
    openUntil = until;
    onPause(ms);
    return true;
  }

  async function noteFault(outcome: Extract<Outcome, { why: string }>): Promise<void> {
    // The question was sent before the pause: the fault is the one that started it.
    const isKnown = pause() !== undefined;
    if (!isKnown) noteProblem(outcome.why);
    isFailing = true;
    if (outcome.kind === "unclear") return;
    if (!isKnown) faults++;
    const isLimited = outcome.kind === "limited";
    if (isLimited) slowUntil = monotonic() + SLOW_MS;
    // A pause of 0 ms would mean to ask again at once, which is what the host complained about.
    const ms = outcome.pauseMs || (isKnown ? 0 : breakerPauseMs(breaker, outcome.kind, faults));
    const fault = outcome.pauseMs ? "limited" : outcome.kind;
    const isOpened = open(fault, outcome.why, ms);
    if (isOpened) report(`${kind}.cooldown`, { host: name, reason: outcome.why, ms });
    if (isOpened || isLimited) {
      await shared?.note(name, { fault, pauseMs: ms, slowMs: isLimited ? SLOW_MS : 0 });
    }
  }

  /** Records what an answer says about the host; settles once other processes may know. */
  async function note(outcome: Outcome): Promise<void> {
    if (outcome.kind === "unasked") return;
    onAnswer?.(outcome.kind);
    if (outcome.kind !== "ok") return await noteFault(outcome);
    // A good answer to an earlier question must not end the pause that a later one started.
    faults = 0;
    isFailing = false;
  }

  /** The running pause of all processes. */
  async function sharedPause(): Promise<Pause | undefined> {
    const other = await shared?.stateOf(name);
    if (other === undefined) return pause();
    slowUntil = Math.max(slowUntil, monotonic() + other.slowMs);
    // One that this process has noted, too, ends when it says.
    if (monotonic() + other.pauseMs > openUntil + SAME_MS) {
      open(other.fault, FAULT_WORDS[other.fault], other.pauseMs);
    }
    return pause();
  }

  return {
    note,
    /** Slows it for an hour, as one that asked for fewer questions. */
    slow(): void {
      slowUntil = monotonic() + SLOW_MS;
      void shared?.note(name, { fault: "limited", pauseMs: 0, slowMs: SLOW_MS });
    },
    isSlow: () => monotonic() < slowUntil,
    pause,
    sharedPause,
    /** Whether the last answer was not usable; undefined before the first. */
    isFailing: () => isFailing,
    problem,
  };
}

/** What a fault says about a host, to follow its name. */
export const FAULT_WORDS: Readonly<Record<PauseFault, string>> = {
  limited: "asks us to pause",
  down: "gives no usable answer",
};

function breakerPauseMs(breaker: Breaker | undefined, fault: PauseFault, faults: number): number {
  if (breaker === undefined) return 0;
  const times = faults - (fault === "limited" ? 1 : breaker.faultsToOpen);
  return times < 0 ? 0 : Math.min(breaker.firstPauseMs * 2 ** times, breaker.longestPauseMs);
}
