/** What feeds say of watched names: an entry for each step that was seen, and a calendar's event for each date. */
import { dayOf } from "./prices.ts";
import type { State } from "./verdict.ts";
import type { Change, DateKind, Step, StepDates } from "./watch_log.ts";

/** What a feed shows of a name. */
export interface WatchedName {
  readonly domain: string;
  readonly state: State;
  /** Of a name that was registered at some time, the oldest first; of others none. */
  readonly changes: readonly Change[];
}

/** A step or a date of a name, in words. */
export interface FeedEvent {
  /** The same at each reading. */
  readonly id: string;
  readonly domain: string;
  readonly title: string;
  readonly text: string;
  /** When it was seen, in ms since 1970. */
  readonly at: number;
  /** Grows with each change of what the id stands for. */
  readonly revision: number;
  /** The days of a calendar's event, as YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

const STEP_WORDS: Readonly<Record<Step, string>> = {
  registered: "registered",
  auto_renew: "expired, and renewed by the registry until its registrar deletes it or is paid",
  redemption: "deleted; its holder can still restore it",
  pending_delete: "about to be removed by the registry",
  grace: "expired; it can be renewed, and is still its holder's",
  purged: "just dropped; the registry may hold it back for a day",
  expiry_access:
    "dropped; sold by some registrars at a fee that falls daily (Expiry Access Period)",
  auction: "dropped; sold by application or auction",
  reserved: "not registered, and not sold by the registry",
  premium: "available at a premium price",
  available: "available",
};

const STATE_WORDS: Readonly<Record<State, string>> = {
  available: STEP_WORDS.available,
  premium: STEP_WORDS.premium,
  reserved: "cannot be registered",
  taken: STEP_WORDS.registered,
  unknown: "unknown at present",
};

/** Each date as a sentence, and as the summary of an event; a range of two dates is one event. */
const DATE_WORDS: Readonly<Record<Exclude<DateKind, "drop_latest">, string>> = {
  expires: "expires",
  drop_earliest: "could be free",
  grace_ends: "grace ends",
  below_1000_usd: "premium falls below 1,000 USD",
  below_100_usd: "premium falls below 100 USD",
  below_10_usd: "premium falls below 10 USD",
  premium_ends: "premium ends",
};

/** The entries of all names, the latest first: their steps. */
export function entriesOf(names: readonly WatchedName[], now: number): FeedEvent[] {
  return names.flatMap((name) => stepsOf(name, now)).toSorted((a, b) => b.at - a.at);
}

/** The events of all names: their steps on the days on which they were seen, and the dates of the latest. */
export function eventsOf(names: readonly WatchedName[], now: number): FeedEvent[] {
  return names.flatMap((name) => [...stepsOf(name, now), ...upcomingOf(name)]);
}

/**
 * A name without a log has its present state as of the day: nothing in it depends on who has looked at the name, or when.
 */
function stepsOf({ domain, state, changes }: WatchedName, now: number): FeedEvent[] {
  if (changes.length === 0) {
    const days = Math.floor(now / DAY_MS);
    return [{
      id: `${domain}/now`,
      domain,
      title: `${domain}: ${STATE_WORDS[state]}`,
      text: state === "taken" ? "" : "Changes are listed once the name has been registered.",
      revision: days,
      ...seenAt(days * DAY_MS),
    }];
  }
  return changes.map(({ step, dates, at }, place) => {
    const before = changes[place - 1];
    const isMoved = before?.step === step && dates.expires !== undefined;
    const words = isMoved ? `now expires ${dates.expires}` : STEP_WORDS[step];
    return {
      id: `${domain}/${new Date(at).toISOString()}/${step}`,
      domain,
      title: `${domain}: ${words}`,
      text: sentencesOf(dates),
      revision: 0,
      ...seenAt(at),
    };
  });
}

/** A time and its day. */
function seenAt(at: number): Pick<FeedEvent, "at" | "from" | "to"> {
  return { at, from: dayOf(at), to: dayOf(at) };
}

function sentencesOf(dates: StepDates): string {
  const sentences = knownDates(dates).map(([kind, from, to]) => {
    const words = DATE_WORDS[kind];
    const days = to === from ? from : `${from} to ${to}`;
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${days}.`;
  });
  return sentences.join(" ");
}

function upcomingOf({ domain, changes }: WatchedName): FeedEvent[] {
  const last = changes.at(-1);
  if (last === undefined) return [];
  const { dates, at, number: revision } = last;
  return knownDates(dates).map(([kind, from, to]) => ({
    id: `${domain}/${kind}`,
    domain,
    title: `${domain}: ${DATE_WORDS[kind]}`,
    text: kind === "drop_earliest" ? "A range by the registry's rule, never a promise." : "",
    at,
    revision,
    from,
    to,
  }));
}

function knownDates(
  dates: StepDates,
): (readonly [kind: keyof typeof DATE_WORDS, from: string, to: string])[] {
  return Object.keys(DATE_WORDS).flatMap((word) => {
    const kind = word as keyof typeof DATE_WORDS;
    const from = dates[kind];
    if (from === undefined) return [];
    return [[kind, from, kind === "drop_earliest" ? dates.drop_latest ?? from : from] as const];
  });
}
