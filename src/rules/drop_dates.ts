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
import { tldType } from "./tables/tlds.ts";

/** The phases of a registration that a record shows, in their order. */
export const DROP_PHASES = ["registered", "auto_renew", "redemption", "pending_delete"] as const;

/** A phase of `DROP_PHASES`. */
export type DropPhase = typeof DROP_PHASES[number];

/** When a name could drop if nobody renews or restores it; days as YYYY-MM-DD in UTC. */
export interface Drop {
  readonly phase: DropPhase;
  readonly earliest: string;
  readonly latest: string;
  /** The registry's rule, or `estimate`. */
  readonly rule: string;
}

const DAY_MS = 24 * 60 * 60_000;
/** Nobody registers for longer than ten years, but some contracts end later. */
const LONGEST_MS = 101 * 366 * DAY_MS;

type Record = Pick<RegistryDetails, "status" | "createdAt" | "updatedAt" | "expiresAt">;
/** In ms since 1970. */
type Range = readonly [earliest: number, latest: number];

/** The range at `now` (ms since 1970); undefined where the record's dates or its phase give none. */
export function dropOf(suffix: string, record: Record, now: number): Drop | undefined {
  const rule = ruleOf(suffix);
  const phase = phaseOf(record);
  const range = phase && rangeOf(phase, record, { rule, now });
  if (phase === undefined || range === undefined || range[1] < now) return undefined;
  const [earliest, latest] = range;
  return {
    phase,
    earliest: dayOf(Math.max(earliest, now)),
    latest: dayOf(latest),
    rule: rule.rule,
  };
}

function ruleOf(suffix: string): DropRule {
  const tld = suffix.slice(suffix.lastIndexOf(".") + 1);
  const isGeneric = tldType(tld) === "gTLD" && !tld.startsWith("xn--");
  return DROP_RULES.get(tld) ?? (isGeneric ? GENERIC_RULE : ESTIMATED_RULE);
}

/** The phase; undefined while a deletion is being undone. In redemption a name has `pending delete`, too (RFC 3915). */
function phaseOf({ status }: Record): DropPhase | undefined {
  if (status.includes("pending restore")) return undefined;
  if (status.includes("redemption period")) return "redemption";
  if (status.includes("pending delete")) return "pending_delete";
  return status.includes("auto renew period") ? "auto_renew" : "registered";
}

function rangeOf(
  phase: DropPhase,
  record: Record,
  { rule, now }: { rule: DropRule; now: number },
): Range | undefined {
  const deletedAt = rule.hasPhases ? pastOf(record.updatedAt, now) : undefined;
  switch (phase) {
    case "redemption":
      return afterDeletion(deletedAt, REDEMPTION_DAYS + PENDING_DELETE_DAYS, now) ??
        [now + PENDING_DELETE_DAYS * DAY_MS, inDays(REDEMPTION_DAYS + PENDING_DELETE_DAYS, now)];
    case "pending_delete":
      return [now, inDays(PENDING_DELETE_DAYS, now)];
    case "auto_renew":
    case "registered": {
      const endsAt = endOf(phase, record, now);
      return endsAt === undefined
        ? undefined
        : [endsAt + rule.earliestDays * DAY_MS, endsAt + rule.latestDays * DAY_MS];
    }
    default:
      return phase satisfies never;
  }
}

/** After a deletion on a known day: nothing changes a deleted name but its restoration, so its last change is that. */
function afterDeletion(
  deletedAt: number | undefined,
  days: number,
  now: number,
): Range | undefined {
  if (deletedAt === undefined) return undefined;
  const earliest = deletedAt + days * DAY_MS;
  const latest = inDays(days, deletedAt);
  // A change that is older than redemption lasts was not the deletion.
  return earliest - PENDING_DELETE_DAYS * DAY_MS >= now ? [earliest, latest] : undefined;
}

/** The last day of a phase of so many days that has begun at `since`. */
function inDays(days: number, since: number): number {
  return since + (days + HELD_BACK_DAYS) * DAY_MS;
}

/** When the registration ends, or has ended; undefined if that cannot be. */
function endOf(
  phase: DropPhase,
  { createdAt, expiresAt }: Record,
  now: number,
): number | undefined {
  if (expiresAt === undefined) return undefined;
  const ends = new Date(expiresAt);
  // The registry has renewed the name already, and takes the year back if the registrar deletes it.
  if (phase === "auto_renew") ends.setUTCFullYear(ends.getUTCFullYear() - 1);
  const endsAt = ends.getTime();
  const isPossible = endsAt < now + LONGEST_MS &&
    (createdAt === undefined || endsAt >= Date.parse(createdAt));
  return isPossible ? endsAt : undefined;
}

function pastOf(date: string | undefined, now: number): number | undefined {
  const time = date === undefined ? Infinity : Date.parse(date);
  return time <= now ? time : undefined;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
