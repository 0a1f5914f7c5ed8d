/** Between which days a taken name could become free, from its registry's record: a range, never a promise. */
import type { RegistryDetails } from "./readers/registry_details.ts";
import {
  DROP_RULES,
  type DropRule,
  ESTIMATED_RULE,
  GENERIC_RULE,
  HELD_BACK_DAYS,
  PENDING_DELETE_DAYS,
  REDEMPTION_DAYS,
} from "./tables/drop_rules.ts";
import { dayOf } from "./prices.ts";
import { HELD_BACK_MS, lastRegisteredAt } from "./just_dropped.ts";
import { tldType } from "./tables/tlds.ts";

/** The phases of a registration that a record shows, in their order, and the one after them. */
export const DROP_PHASES = [
  ...["registered", "auto_renew", "redemption", "pending_delete"] as const,
  /** The registry has deleted the name and may hold it back. */
  "purged",
] as const;

/** A phase of `DROP_PHASES`. */
export type DropPhase = typeof DROP_PHASES[number];

/** A phase that a record shows. */
type RecordedPhase = Exclude<DropPhase, "purged">;

/** When a name could drop if it is neither renewed nor restored; days as YYYY-MM-DD in UTC. */
export interface Drop {
  readonly phase: DropPhase;
  readonly earliest: string;
  readonly latest: string;
  /** The registry's rule, or `estimate`. */
  readonly rule: string;
}

const DAY_MS = 24 * 60 * 60_000;
/** Registrations last ten years at most, but some registrars sell more in advance. */
const LONGEST_MS = 101 * 366 * DAY_MS;
/** From the deletion until the purge. */
const DELETED_DAYS = REDEMPTION_DAYS + PENDING_DELETE_DAYS;

type Dated = Pick<RegistryDetails, "status" | "createdAt" | "updatedAt" | "expiresAt">;
/** In ms since 1970. */
type Range = readonly [earliest: number, latest: number];

interface Context {
  readonly rule: DropRule;
  readonly now: number;
}

/** How the range follows from a record in each phase; undefined where its dates cannot be. */
const RANGES: Readonly<
  Record<RecordedPhase, (record: Dated, context: Context) => Range | undefined>
> = {
  registered: (record, context) => afterEnd(endOf(record), record, context),
  auto_renew: (record, context) => afterEnd(endBeforeRenewal(record), record, context),
  redemption: (record, context) =>
    afterBeginning(record, context, { lasts: REDEMPTION_DAYS, untilDrop: DELETED_DAYS }) ??
      [context.now + PENDING_DELETE_DAYS * DAY_MS, lastDay(DELETED_DAYS, context.now)],
  pending_delete(record, context) {
    const days = { lasts: PENDING_DELETE_DAYS, untilDrop: PENDING_DELETE_DAYS };
    const { rule, now } = context;
    return afterBeginning(record, context, days) ??
      [now, lastDay(rule.pendingDeleteDays ?? PENDING_DELETE_DAYS, now)];
  },
};

/** The range at `now` (ms since 1970); undefined where the record's dates or its phase give none. */
export function dropOf(suffix: string, record: Dated, now: number): Drop | undefined {
  const rule = ruleOf(suffix);
  const phase = phaseOf(record);
  const range = phase && RANGES[phase](record, { rule, now });
  if (phase === undefined || range === undefined || range[1] < now) return undefined;
  const [earliest, latest] = range;
  return {
    phase,
    earliest: dayOf(Math.max(earliest, now)),
    latest: dayOf(latest),
    rule: rule.rule,
  };
}

/** The same of a name that has just dropped, by the reason why it is unknown; undefined for another reason. */
export function purgedOf(error: string | undefined, now: number): Drop | undefined {
  const registeredAt = lastRegisteredAt(error ?? "");
  if (registeredAt === undefined) return undefined;
  return {
    phase: "purged",
    earliest: dayOf(now),
    latest: dayOf(Math.max(now, registeredAt + HELD_BACK_MS)),
    rule: "some registries hold a deleted name back for a day",
  };
}

function ruleOf(suffix: string): DropRule {
  const tld = suffix.slice(suffix.lastIndexOf(".") + 1);
  const isGeneric = tldType(tld) === "gTLD" && !tld.startsWith("xn--");
  return DROP_RULES.get(tld) ?? (isGeneric ? GENERIC_RULE : ESTIMATED_RULE);
}

/** The phase; undefined while a deletion is being undone. In redemption a name has `pending delete`, too (RFC 3915). */
function phaseOf({ status }: Dated): RecordedPhase | undefined {
  if (status.includes("pending restore")) return undefined;
  if (status.includes("redemption period")) return "redemption";
  if (status.includes("pending delete")) return "pending_delete";
  return status.includes("auto renew period") ? "auto_renew" : "registered";
}

/** After the end of the registration, unless no registration can end then. */
function afterEnd(
  endsAt: number,
  { createdAt }: Dated,
  { rule, now }: Context,
): Range | undefined {
  const isPossible = endsAt < now + LONGEST_MS &&
    (createdAt === undefined || endsAt >= Date.parse(createdAt));
  return isPossible
    ? [endsAt + rule.earliestDays * DAY_MS, endsAt + rule.latestDays * DAY_MS]
    : undefined;
}

/** When the record says that the registration ends; NaN if it does not. */
function endOf({ expiresAt = "" }: Dated): number {
  return Date.parse(expiresAt);
}

/** The registry has renewed the name already, and takes the year back if the registrar deletes it. */
function endBeforeRenewal(record: Dated): number {
  const end = new Date(endOf(record));
  return end.setUTCFullYear(end.getUTCFullYear() - 1);
}

/**
 * After the last change, which in redemption and in pending delete is the beginning of the phase: nothing else changes such a
 * record. `lasts` and `untilDrop` count days from then.
 */
function afterBeginning(
  { updatedAt = "" }: Dated,
  { rule, now }: Context,
  { lasts, untilDrop }: { lasts: number; untilDrop: number },
): Range | undefined {
  const since = Date.parse(updatedAt);
  // A change that is older than the phase lasts did not begin it.
  return rule.hasPhases && since <= now && since + lasts * DAY_MS >= now
    ? [since + untilDrop * DAY_MS, lastDay(untilDrop, since)]
    : undefined;
}

/** The last day of a phase of so many days that has begun at `since`. */
function lastDay(days: number, since: number): number {
  return since + (days + HELD_BACK_DAYS) * DAY_MS;
}
