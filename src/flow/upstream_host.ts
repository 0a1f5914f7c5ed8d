/**
 * The hosts of upstreams: each with its queue, its circuit breaker, the pauses that it asked for, and its last state. The
 * one place that decides until when a host is not asked.
 */
import type { Clock } from "./clock.ts";
import type { Gate, WaitOptions } from "./queue/gate.ts";
import { pause as waitFor } from "./pause.ts";
import type { Report } from "./report.ts";

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
  /** `limited`: it asked for fewer questions; `down`: no answer, or a server error. `pauseMs`: the pause that comes with it. */
  | { kind: "limited" | "down"; why: string; pauseMs?: number | undefined }
  /** It answered, but nothing usable: that opens no circuit breaker. */
  | { kind: "unclear"; why: string }
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
  /** The pause doubles with each further fault, up to this length. */
  readonly longestPauseMs: number;
}

/** Pauses as all processes know them. */
export interface SharedPauses {
  pauseOf(host: string): Promise<Pause | undefined>;
  set(host: string, fault: PauseFault, pauseMs: number): Promise<void>;
}

/** How hosts of one kind are asked. */
export interface HostOptions {
  /** The queues, by host; absent: questions are sent at once. */
  gate?: Pick<Gate, "run" | "note" | "clear">;
  /** Absent: only answers that come with a pause start one. */
  breaker?: Breaker;
  /** A pause up to this length is waited for, and its question is then repeated once. */
  waitedPauseMs?: number;
  /** Absent: pauses are those of this process. */
  shared?: SharedPauses;
}

/** How one question is asked. */
export interface AskOptions<Answer> {
  outcomeOf: (answer: Answer) => Outcome;
  wait?: WaitOptions | undefined;
  /** A queue in place of the host's own. */
  queue?: { gate: Pick<Gate, "run">; key: string } | undefined;
}

/** The answer, or why the host was not asked. */
export type Asked<Answer> =
  | { kind: "answered"; answer: Answer }
  | { kind: "paused"; pause: Pause }
  /** The queue is too long, or the wait was cancelled. */
  | { kind: "rejected" };

/** A host that is in a pause or whose last answer was not usable. */
export interface HostProblem {
  kind: UpstreamKind;
  host: string;
  state: "cooling" | "failing";
  /** In words. */
  fault: string;
  /** When the problem began, in ms since 1970. */
  since: number;
  /** The rest of the pause in ms; 0 without one. */
  leftMs: number;
}

/** A host of an upstream. */
export interface UpstreamHost {
  /** Sends a question in its turn, unless the host is in a pause. */
  ask<Answer>(
    question: () => Promise<Answer>,
    options: AskOptions<Answer>,
  ): Promise<Asked<Answer>>;
  /** Records what an answer says about the host, for questions that are sent past `ask()` or read after it. */
  note(outcome: Outcome): void;
  /** The running pause, as far as this process knows. */
  pause(): Pause | undefined;
  /** The running pause of all processes. */
  sharedPause(): Promise<Pause | undefined>;
  /** Whether the last answer was not usable; undefined before the first. */
  isFailing(): boolean | undefined;
  problem(): HostProblem | undefined;
}

/** The hosts of all upstreams. */
export interface UpstreamHosts {
  /** Returns the hosts of a kind, by name. */
  ofKind(kind: UpstreamKind, options?: HostOptions): (host: string) => UpstreamHost;
  problems(): HostProblem[];
}

/** Problems are dated by the wall clock; setting it must not lengthen a pause. */
interface Environment extends Clock {
  report: Report;
}

/** Creates the hosts of all upstreams. */
export function createUpstreamHosts(environment: Environment): UpstreamHosts {
  const all: UpstreamHost[] = [];
  return {
    ofKind(kind, options = {}) {
      const known = new Map<string, UpstreamHost>();
      return (name) => {
        let host = known.get(name);
        if (host !== undefined) return host;
        host = createUpstreamHost({ kind, name, ...options }, environment);
        known.set(name, host);
        all.push(host);
        return host;
      };
    },
    problems: () => all.flatMap((host) => host.problem() ?? []),
  };
}

/** What a fault says about a host, to follow its name. */
export const FAULT_WORDS: Readonly<Record<PauseFault, string>> = {
  limited: "is rate-limiting us",
  down: "could not be reached",
};

function createUpstreamHost(
  { kind, name, gate, breaker, waitedPauseMs = 0, shared }: HostOptions & {
    kind: UpstreamKind;
    name: string;
  },
  { report, now, monotonic }: Environment,
): UpstreamHost {
  /** Since the last good answer. */
  let faults = 0;
  let isFailing: boolean | undefined;
  let openedBy: PauseFault = "down";
  let openUntil = -Infinity;
  let why = "";
  let since = 0;

  function pause(): Pause | undefined {
    const leftMs = openUntil - monotonic();
    return leftMs > 0 ? { fault: openedBy, leftMs } : undefined;
  }

  function problem(): HostProblem | undefined {
    const { leftMs } = pause() ?? { leftMs: 0 };
    if (leftMs === 0 && !isFailing) return undefined;
    const state = leftMs > 0 ? "cooling" : "failing";
    return { kind, host: name, state, fault: why, since, leftMs };
  }

  function noteProblem(words: string): void {
    if (problem() === undefined) since = now();
    // During a pause the problem is what started it.
    if (pause() === undefined) why = words;
  }

  /** Starts a pause; returns whether it ends later than a running one, which is never shortened. */
  function open(fault: PauseFault, words: string, ms: number): boolean {
    const until = monotonic() + ms;
    if (ms <= 0 || until <= openUntil) return false;
    noteProblem(words);
    why = words;
    openedBy = fault;
    openUntil = until;
    return true;
  }

  async function noteFault(outcome: Extract<Outcome, { why: string }>): Promise<void> {
    noteProblem(outcome.why);
    isFailing = true;
    if (outcome.kind === "unclear") return;
    faults++;
    // A pause of 0 ms would mean to ask again at once, which is what the host complained about.
    const ms = outcome.pauseMs || breakerPauseMs(breaker, outcome.kind, faults);
    const fault = outcome.pauseMs ? "limited" : outcome.kind;
    if (!open(fault, outcome.why, ms)) return;
    report(`${kind}.cooldown`, { host: name, reason: outcome.why, ms });
    if (ms <= waitedPauseMs) return;
    gate?.clear(name);
    await shared?.set(name, fault, ms);
  }

  async function learn(outcome: Outcome): Promise<void> {
    switch (outcome.kind) {
      case "ok":
        // A good answer to an earlier question must not end the pause that a later one started.
        faults = 0;
        isFailing = false;
        gate?.note(name, "clean");
        return;
      case "limited":
        gate?.note(name, "limited");
        return await noteFault(outcome);
      case "down":
      case "unclear":
        return await noteFault(outcome);
      case "unasked":
        return;
      default:
        return outcome satisfies never;
    }
  }

  async function sharedPause(): Promise<Pause | undefined> {
    const own = pause();
    if (own !== undefined || shared === undefined) return own;
    const other = await shared.pauseOf(name);
    if (other !== undefined) open(other.fault, FAULT_WORDS[other.fault], other.leftMs);
    // An answer that starts a pause may have arrived meanwhile.
    return pause();
  }

  /** A pause that is not waited for. */
  const longOf = (pause: Pause | undefined): Pause | undefined =>
    pause !== undefined && pause.leftMs > waitedPauseMs ? pause : undefined;

  /** Asks after a short pause if there is one, and once more if the answer asks for a short pause. */
  async function askInTurn<Answer>(
    question: () => Promise<Answer>,
    { outcomeOf, wait }: AskOptions<Answer>,
  ): Promise<Asked<Answer>> {
    const signal = wait?.signal ?? new AbortController().signal;
    for (let isRepeated = false;; isRepeated = true) {
      // The host may have asked this process or another one for a pause while the question waited.
      const before = await sharedPause();
      const long = longOf(before);
      if (long !== undefined) return { kind: "paused", pause: long };
      if (before !== undefined) await waitFor(before.leftMs, signal);
      if (signal.aborted) return { kind: "rejected" };
      const answer = await question();
      const outcome = outcomeOf(answer);
      await learn(outcome);
      const asksForPause = (outcome.kind === "limited" || outcome.kind === "down") &&
        (outcome.pauseMs ?? 0) > 0;
      if (isRepeated || !asksForPause || longOf(pause()) !== undefined) {
        return { kind: "answered", answer };
      }
    }
  }

  return {
    async ask(question, options) {
      const before = longOf(await sharedPause());
      if (before !== undefined) return { kind: "paused", pause: before };
      const { queue = gate && { gate, key: name }, wait } = options;
      if (queue === undefined) return await askInTurn(question, options);
      const result = await queue.gate.run(queue.key, () => askInTurn(question, options), wait);
      if (result.kind === "ran") return result.value;
      const meanwhile = longOf(pause());
      return meanwhile === undefined ? result : { kind: "paused", pause: meanwhile };
    },
    note: (outcome) => void learn(outcome),
    pause,
    sharedPause,
    isFailing: () => isFailing,
    problem,
  };
}

function breakerPauseMs(breaker: Breaker | undefined, fault: PauseFault, faults: number): number {
  if (breaker === undefined) return 0;
  const times = faults - (fault === "limited" ? 1 : breaker.faultsToOpen);
  return times < 0 ? 0 : Math.min(breaker.firstPauseMs * 2 ** times, breaker.longestPauseMs);
}
