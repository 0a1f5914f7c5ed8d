/**
 * Between which days a taken name could become free, from its registry's record: a range, never a promise. And names that a
 * registry has just deleted: some registries hold such a name back for up to a day and sell it to one applicant; meanwhile
 * their RDAP servers deny it like a name that was never registered, and only a WHOIS server tells, if there is one.
 */
import type { RestrictingRule } from "./answer.ts";
import type { RegistryDetails } from "./readers/registry_details.ts";
import { dayOf } from "./prices.ts";
import { hostPolicy } from "./tables/hosts.ts";
import { tldOf, type TldRow, tldType } from "./tables/tlds.ts";

/** How long a name stays with its registry after its registration has ended. */
interface DropRule {
  /** For people; `estimate` where the registry's own rule is not known. */
  readonly rule: string;
  /** From the end of the registration until the name can be registered again, at the earliest and at the latest. */
  readonly days: Range;
  /**
   * Whether the name goes through redemption and pending delete, which its status shows, as with generic TLDs. Other
   * registries count from the end of the registration alone.
   */
  readonly hasPhases?: true;
  /** The longest time in which a name has the status `pending delete`, if not as with generic TLDs. */
  readonly pendingDeleteDays?: number;
}

type Range = readonly [earliest: number, latest: number];

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

/** Of generic TLDs: RFC 3915; ICANN's Expired Registration Recovery Policy; held back for a day at most. */
const GENERIC_RULE: DropRule = {
  rule: "generic TLDs: up to 45 days of renewal, 30 of redemption, 5 of pending delete",
  days: [DELETED_DAYS, AUTO_RENEW_DAYS + DELETED_DAYS + HELD_BACK_DAYS],
  hasPhases: true,
};

/** Of country codes without a row: most use the same software and the same phases. */
const ESTIMATED_RULE: DropRule = { ...GENERIC_RULE, rule: "estimate" };

/** Of country codes with calendars of their own, by TLD. */
export const DROP_RULES: ReadonlyMap<string, DropRule> = new Map<string, DropRule>([
  // auDA's Domain Renewal, Expiry and Deletion Policy, as Afilias explains it (2018-07-16); read in 2026.
  ["au", {
    rule: ".au: 30 days, then a day on the published drop list, then the next daily purge",
    days: [31, 33],
    // A name that auDA itself deletes waits for 14 days, one that its holder deletes for 3.
    pendingDeleteDays: 14,
  }],
  // Observed by third parties, 2026.
  ["eu", { rule: ".eu: 40 days of quarantine", days: [40, 41] }],
  // Traficom, read in 2026.
  ["fi", { rule: ".fi: one month", days: [30, 32] }],
  // PANDI, read in 2026.
  ["id", { rule: ".id: 35, 30 and 7 days", days: [37, 72], pendingDeleteDays: 7 }],
  // Help pages of registrars and the registries' own, read on 2026-11-29, as all that follow without another day.
  ["br", { rule: ".br: about three months, then a release process", days: [90, 240] }],
  ["ca", {
    rule: ".ca: up to 45 days, 30 of redemption, then a weekly sale of what was deleted",
    days: [59, 86],
    pendingDeleteDays: 10,
  }],
  ["ee", { rule: ".ee: 45 days, then an auction", days: [45, 60] }],
  ...["fr", "pm", "re", "tf", "wf", "yt"].map((tld) =>
    [tld, {
      rule: `.${tld}: 30 days after the deletion`,
      days: [30, 81],
      pendingDeleteDays: 0,
    }] as const
  ),
  ["is", { rule: ".is: 60 days on hold", days: [60, 105] }],
  ...["ru", "su", "xn--p1ai"].map((tld) =>
    [tld, { rule: `.${tld}: 30 days, then the next working day`, days: [30, 40] }] as const
  ),
  ["si", { rule: ".si: 30 days of quarantine", days: [30, 33] }],
  ["tw", { rule: ".tw: about 33 days, without redemption", days: [30, 35] }],
  // dns.pl, read in 2026.
  ["pl", { rule: ".pl: 30 and 5 days", days: [30, 36] }],
  // The registry, read in 2026; the last day is an estimate.
  ["se", {
    rule: ".se: deactivated after 10 days, then released on a day that the registry publishes",
    days: [10, 90],
  }],
  // Observed by third parties, 2026.
  ["uk", { rule: ".uk: about 90 days", days: [90, 97] }],
]);

/**
 * The phases of a registration that a record shows, in their order, and `purged`: the registry has deleted the name and may hold
 * it back.
 */
export const DROP_PHASES = [
  "registered",
  "auto_renew",
  "redemption",
  "pending_delete",
  "purged",
] as const;

/** A phase of `DROP_PHASES`. */
export type DropPhase = typeof DROP_PHASES[number];

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

/** The range at `now` (ms since 1970); undefined where the record's dates or its phase give none. */
export function dropOf(suffix: string, record: Dated, now: number): Drop | undefined {
  const rule = ruleOf(suffix);
  const phase = phaseOf(record);
  const range = phase && rangeOf(phase, record, rule, now);
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
  const tld = tldOf(suffix);
  const isGeneric = tldType(tld) === "gTLD" && !tld.startsWith("xn--");
  return DROP_RULES.get(tld) ?? (isGeneric ? GENERIC_RULE : ESTIMATED_RULE);
}

/** The phase; undefined while a deletion is being undone. In redemption a name has `pending delete`, too (RFC 3915). */
function phaseOf({ status }: Dated): DropPhase | undefined {
  if (status.includes("pending restore")) return undefined;
  if (status.includes("redemption period")) return "redemption";
  if (status.includes("pending delete")) return "pending_delete";
  return status.includes("auto renew period") ? "auto_renew" : "registered";
}

/** The range in ms since 1970 that follows from a record in a phase; undefined where its dates cannot be. */
function rangeOf(phase: DropPhase, record: Dated, rule: DropRule, now: number): Range | undefined {
  const { createdAt, updatedAt = "", expiresAt = "" } = record;

  /**
   * After the last change, which in redemption and in pending delete is the beginning of the phase: nothing else changes such
   * a record. `lasts`, `least` and `most` count days from then. Where the record does not show it, the phase may begin or end now.
   */
  function inDeletion(lasts: number, [least, most]: Range): Range {
    const since = Date.parse(updatedAt);
    // A change that is older than the phase lasts did not begin it.
    const isKnown = rule.hasPhases && since <= now && since + lasts * DAY_MS >= now;
    const began: Range = isKnown ? [since, since] : [now - lasts * DAY_MS, now];
    return after(began, [least, most + HELD_BACK_DAYS]);
  }

  const purgeDays = rule.pendingDeleteDays ?? PENDING_DELETE_DAYS;
  // The row has the longest; the first day must not be told too late.
  const least = Math.min(purgeDays, PENDING_DELETE_DAYS);
  const untilDrop: Range = [REDEMPTION_DAYS + least, REDEMPTION_DAYS + purgeDays];
  if (phase === "redemption") return inDeletion(REDEMPTION_DAYS, untilDrop);
  if (phase === "pending_delete") return inDeletion(purgeDays, [purgeDays, purgeDays]);
  const end = Date.parse(expiresAt);
  // The registry has renewed the name already, and takes the year back if the registrar deletes it.
  const endsAt = phase === "auto_renew" ? yearBefore(end) : end;
  const isPossible = endsAt < now + LONGEST_MS &&
    (createdAt === undefined || endsAt >= Date.parse(createdAt));
  return isPossible ? after([endsAt, endsAt], rule.days) : undefined;
}

/** The range that begins so many days after a range of times. */
function after([first, last]: Range, [earliestDays, latestDays]: Range): Range {
  return [first + earliestDays * DAY_MS, last + latestDays * DAY_MS];
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
