/** The steps in the life of a name, as registries and contracts show them, and the log of those that were seen. */
import type { Drop, DropPhase } from "./drop_dates.ts";
import type { EnsDates } from "./ens.ts";
import type { RegistryDetails } from "./readers/registry_details.ts";
import type { State } from "./verdict.ts";

/** The steps. Those until `grace` are of a registered name, those after it of one that has dropped. */
export const STEPS = [
  ...["registered", "auto_renew", "redemption", "pending_delete"] as const satisfies DropPhase[],
  /** A .eth name has expired, can be renewed, and is still its holder's. */
  "grace",
  /** The registry denies a name that was registered a moment ago, and may hold it back. */
  "purged",
  /** Sold by some registrars only, at a fee that falls daily. */
  "expiry_access",
  /** Sold by application or auction. */
  "auction",
  "reserved",
  "premium",
  "available",
] as const;

/** A step of `STEPS`. */
export type Step = typeof STEPS[number];

/** A date that a step may have. */
export type DateKind = keyof ReturnType<typeof allDates>;

/** Days as YYYY-MM-DD in UTC. */
export type StepDates = Readonly<Partial<Record<DateKind, string>>>;

/** What was seen of a name. */
export interface Observation {
  readonly step: Step;
  readonly dates: StepDates;
  /** When the oldest of the questions was sent that it rests on, in ms since 1970. */
  readonly at: number;
  /** Whether only DNS shows that the name is registered, so that neither step nor dates are certain. */
  readonly isByDns?: true;
}

/** A step that was seen to begin, or whose expiry was seen to move. */
export interface Change extends Omit<Observation, "isByDns"> {
  /** How many changes came before, also those that are no longer in the log. */
  readonly number: number;
}

/** What is read of the details of a name. */
export interface SeenDetails extends EnsDates, Partial<Pick<RegistryDetails, "status">> {
  readonly state: State;
  /** When it could become free if it is neither renewed nor restored. */
  readonly drop?: Drop | undefined;
  /** Why it cannot be registered although it is not taken. */
  readonly reason?: string | undefined;
  /** Why the state is unknown, or why the registry's record of a taken name is missing. */
  readonly error?: string | undefined;
}

/** Of a name; some hundred bytes each. */
const MAX_CHANGES = 30;
/** Three years: feeds tell what happened since; the present step is always kept. */
const KEPT_MS = 3 * 366 * 86_400_000;
/** A time that is later than now by more was written by a wrong clock. */
const SKEW_MS = 30_000;

const IS_REGISTERED: ReadonlySet<Step> = new Set(STEPS.slice(0, STEPS.indexOf("grace") + 1));
/** A name in them was registered at some time. Others are those of names that were always free, too. */
const SHOWS_HISTORY: ReadonlySet<Step> = new Set([
  ...IS_REGISTERED,
  "purged",
  "expiry_access",
]);

/** What the details show of a name at `at`; undefined where they are uncertain, so that a log keeps what it has. */
export function observationOf(details: SeenDetails, at: number): Observation | undefined {
  const step = stepOf(details, at);
  const isByDns = details.state === "taken" && details.error !== undefined;
  return step && { step, dates: datesOf(details), at, ...(isByDns && { isByDns }) };
}

function stepOf(
  { state, reason = "", status = [], drop, expiresAt = "", graceEndsAt }: SeenDetails,
  at: number,
): Step | undefined {
  switch (state) {
    case "available":
    case "premium":
      return state;
    case "reserved":
      if (/\bexpiry access period\b/i.test(reason)) return "expiry_access";
      return /\bdrop ?zone\b|\bauction/i.test(reason) ? "auction" : "reserved";
    case "unknown":
      return drop?.phase === "purged" ? "purged" : undefined;
    case "taken":
      // It is being restored: what follows is either redemption or a registration.
      if (status.includes("pending restore")) return undefined;
      if (graceEndsAt !== undefined && Date.parse(expiresAt) < at) return "grace";
      return drop?.phase ?? "registered";
  }
}

function allDates(
  { expiresAt, drop, graceEndsAt, premiumEndsAt, premiumBelow = [] }: SeenDetails,
) {
  const below = (usd: number) => premiumBelow.find((one) => one.usd === usd)?.on;
  return {
    expires: expiresAt,
    drop_earliest: drop?.earliest,
    drop_latest: drop?.latest,
    grace_ends: graceEndsAt,
    below_1000_usd: below(1_000),
    below_100_usd: below(100),
    below_10_usd: below(10),
    premium_ends: premiumEndsAt,
  };
}

function datesOf(details: SeenDetails): StepDates {
  return Object.fromEntries(
    Object.entries(allDates(details)).flatMap(([kind, date]) =>
      date === undefined ? [] : [[kind, date.slice(0, 10)]]
    ),
  );
}

/** Whether a log may begin with the observation: that of a name which was always free would tell who else looks at it. */
export function mayBegin({ step, dates }: Pick<Observation, "step" | "dates">): boolean {
  return SHOWS_HISTORY.has(step) || dates.grace_ends !== undefined;
}

/** The log with what was seen, if that is news; the same array if not. */
export function withObservation(
  log: readonly Change[],
  seen: Observation | undefined,
  now: number,
): readonly Change[] {
  if (seen === undefined || seen.at > now + SKEW_MS) return log;
  const { step, dates, at, isByDns } = seen;
  const last = log.at(-1);
  if (last === undefined) return mayBegin(seen) ? [{ step, dates, at, number: 0 }] : log;
  // An answer that was asked for earlier is no news. A change from the future has a wrong clock's time.
  if (log.some((one) => at <= one.at && one.at <= now + SKEW_MS)) return log;
  if (isByDns && IS_REGISTERED.has(last.step)) return log;
  const isSameDate = dates.expires === undefined || dates.expires === last.dates.expires;
  if (step === last.step && (isSameDate || last.dates.expires === undefined)) {
    return isSameDate ? log : [...log.slice(0, -1), { ...last, dates }];
  }
  const change = { step, dates, at, number: last.number + 1 };
  return [...log.filter((one) => one.at > now - KEPT_MS), change].slice(-MAX_CHANGES);
}
