/**
 * Between which days a taken name could become free, from its registry's record: a range, never a promise. And names that a
 * registry has just deleted: some registries hold such a name back for up to a day and sell it to one applicant; meanwhile
 * their RDAP servers deny it like a name that was never registered, and only a WHOIS server tells, if there is one.
 */
import type { RestrictingRule } from "./answer.ts";
import type { RegistryDetails } from "./readers/registry_details.ts";
import { dayOf } from "./prices.ts";
import { hostPolicy } from "./tables/hosts.ts";
import { type TldRow, tldType } from "./tables/tlds.ts";

/** The days from the end of a registration until the name can be registered again. */
interface DropRule {
  /** For people; `estimate` where the registry's own rule is not known. */
  readonly rule: string;
  readonly earliestDays: number;
  readonly latestDays: number;
  /**
   * Whether the name goes through redemption and pending delete, which its status shows, as with generic TLDs. Other
   * registries count from the end of the registration alone.
   */
  readonly hasPhases: boolean;
  /** The longest time in which a name has the status `pending delete`, if not as with generic TLDs. */
  readonly pendingDeleteDays?: number;
  readonly source: string;
}

/** After the deletion: 30 days in which it can be undone, then 5 until the purge. */
const REDEMPTION_DAYS = 30;
/** The same of the last phase alone. */
const PENDING_DELETE_DAYS = 5;
/** From the deletion until the purge. */
const DELETED_DAYS = REDEMPTION_DAYS + PENDING_DELETE_DAYS;
/** For how long a registry may hold a purged name back, or for how long its purge takes. */
const HELD_BACK_DAYS = 1;
/** The longest time from the end until a registrar deletes the name: the registry renews it meanwhile. */
const AUTO_RENEW_DAYS = 45;

const PHASES = {
  earliestDays: DELETED_DAYS,
  latestDays: AUTO_RENEW_DAYS + DELETED_DAYS + HELD_BACK_DAYS,
  hasPhases: true,
};

/** Of generic TLDs. */
export const GENERIC_RULE: DropRule = {
  ...PHASES,
  rule: "generic TLDs: up to 45 days of renewal, 30 of redemption, 5 of pending delete",
  source: "RFC 3915; ICANN's Expired Registration Recovery Policy; held back for a day at most",
};

/** Of country codes without a row: most use the same software and the same phases. */
export const ESTIMATED_RULE: DropRule = { ...PHASES, rule: "estimate", source: "none was found" };

const calendar = (
  rule: string,
  [earliestDays, latestDays]: readonly [number, number],
  source: string,
): DropRule => ({ rule, earliestDays, latestDays, hasPhases: false, source });

/** Of country codes with calendars of their own, by TLD. */
export const DROP_RULES: ReadonlyMap<string, DropRule> = new Map(
  Object.entries<DropRule>({
    au: {
      ...calendar(
        ".au: 30 days, then a day on the published drop list, then the next daily purge",
        [31, 33],
        "auDA's Domain Renewal, Expiry and Deletion Policy, as Afilias explains it (2018-07-16); read in 2026",
      ),
      // A name that auDA itself deletes waits for 14 days, one that its holder deletes for 3.
      pendingDeleteDays: 14,
    },
    eu: calendar(".eu: 40 days of quarantine", [40, 41], "observed by third parties, 2026"),
    fi: calendar(".fi: one month", [30, 32], "Traficom, read in 2026"),
    id: calendar(".id: 35, 30 and 7 days", [37, 72], "PANDI, read in 2026"),
    pl: calendar(".pl: 30 and 5 days", [30, 36], "dns.pl, read in 2026"),
    se: calendar(
      ".se: deactivated after 10 days, then released on a day that the registry publishes",
      [10, 90],
      "the registry, read in 2026; the last day is an estimate",
    ),
    uk: calendar(".uk: about 90 days", [90, 97], "observed by third parties, 2026"),
  }),
);

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

type Dated = Pick<RegistryDetails, "status" | "createdAt" | "updatedAt" | "expiresAt">;
/** In ms since 1970. */
type Range = readonly [earliest: number, latest: number];

interface Context {
  readonly rule: DropRule;
  readonly now: number;
}

/** The range at `now` (ms since 1970); undefined where the record's dates or its phase give none. */
export function dropOf(suffix: string, record: Dated, now: number): Drop | undefined {
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

/** The same of a name that has just dropped, by the reason why it is unknown; undefined for another reason. */
export function purgedOf(error: string | undefined, now: number): Drop | undefined {
  // The words of `ruleForDropped()`.
  const until = /^Just dropped: registered until (\S+) at least,/.exec(error ?? "")?.[1];
  if (until === undefined) return undefined;
  return {
    phase: "purged",
    earliest: dayOf(now),
    latest: dayOf(Math.max(now, Date.parse(until) + HELD_BACK_MS)),
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

/** The range that follows from a record in a phase; undefined where its dates cannot be. */
function rangeOf(phase: RecordedPhase, record: Dated, context: Context): Range | undefined {
  const endsAt = Date.parse(record.expiresAt ?? "");
  const purgeDays = context.rule.pendingDeleteDays ?? PENDING_DELETE_DAYS;
  switch (phase) {
    case "registered":
      return afterEnd(endsAt, record, context);
    case "auto_renew":
      // The registry has renewed the name already, and takes the year back if the registrar deletes it.
      return afterEnd(yearBefore(endsAt), record, context);
    case "redemption":
      return inDeletion(record, context, { lasts: REDEMPTION_DAYS, untilDrop: DELETED_DAYS });
    case "pending_delete":
      return inDeletion(record, context, { lasts: purgeDays, untilDrop: purgeDays });
  }
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

/**
 * After the last change, which in redemption and in pending delete is the beginning of the phase: nothing else changes such a
 * record. `lasts` and `untilDrop` count days from then. Where the record does not show it, the phase may begin or end now.
 */
function inDeletion(
  { updatedAt = "" }: Dated,
  { rule, now }: Context,
  { lasts, untilDrop }: { lasts: number; untilDrop: number },
): Range {
  const since = Date.parse(updatedAt);
  // A change that is older than the phase lasts did not begin it.
  const isKnown = rule.hasPhases && since <= now && since + lasts * DAY_MS >= now;
  const [first, last] = isKnown ? [since, since] : [now - lasts * DAY_MS, now];
  return [first + untilDrop * DAY_MS, last + (untilDrop + HELD_BACK_DAYS) * DAY_MS];
}

function yearBefore(time: number): number {
  const date = new Date(time);
  return date.setUTCFullYear(date.getUTCFullYear() - 1);
}

/** For how long a name counts as just deleted after it was seen registered: the start of the registry's own hold cannot be seen. */
export const HELD_BACK_MS = 48 * 60 * 60_000;

/** Whether the TLD's registry may hold deleted names back: its rule is for generic TLDs only. */
export function holdsDeletedBack({ tld, rdapBase }: TldRow): boolean {
  return tldType(tld) === "gTLD" && hostPolicy(new URL(rdapBase).host).holdsDeletedBack === true;
}

/** The rule for a denied name of such a TLD, by when it was last seen registered; undefined if that is too long ago. */
export function ruleForDropped(registeredAt: number, now: number): RestrictingRule | undefined {
  // Math.abs: a clock that was set back must not hold a name for longer.
  if (Math.abs(now - registeredAt) >= HELD_BACK_MS) return undefined;
  const until = new Date(registeredAt).toISOString();
  return {
    kind: "unknown",
    isJustDropped: true,
    why:
      `Just dropped: registered until ${until} at least, and the registry may hold a name back after its deletion`,
  };
}
