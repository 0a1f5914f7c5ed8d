/** IANA's list of the root zone's TLDs: parses it and decides whether it may replace the one in use. */

/** The TLDs of the root zone, as A-labels in lower case. */
export interface RootZone {
  /** The day of the list (ISO 8601). */
  readonly date: string;
  readonly tlds: ReadonlySet<string>;
}

/** The list, or why it could not be fetched. */
export type ZoneAnswer = { kind: "zone"; zone: RootZone } | { kind: "failed"; reason: string };

/** The root has 1,437 TLDs (2026-09). A list of less than two thirds of that is not whole. */
const MIN_TLDS = 1_000;
const MAX_TLDS = 5_000;
/** The most TLDs that may leave between two lists: four left in the year to 2026-09. */
const MAX_LOST = 50;

/** The first line: `# Version 2026093003, Last Updated Wed Sep 30 07:07:01 2026 UTC`. */
const VERSION = /^# version (\d{4})(\d\d)(\d\d)\d\d,/;
const LINE = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** Parses the list; undefined if any line is malformed. */
export function readRootZone(text: string): RootZone | undefined {
  const [first = "", ...lines] = text.trim().toLowerCase().split("\n").map((line) => line.trim());
  const [, year, month, day] = VERSION.exec(first) ?? [];
  const tlds = new Set(lines);
  if (year === undefined || tlds.size < MIN_TLDS || tlds.size > MAX_TLDS) return undefined;
  return lines.every((line) => LINE.test(line))
    ? { date: `${year}-${month}-${day}`, tlds }
    : undefined;
}

/** Why a list may not replace another; undefined if it may. `enabled` must stay. */
export function refuseRootZone(
  next: RootZone,
  { inUse, enabled }: { inUse: RootZone; enabled: readonly string[] },
): string | undefined {
  if (next.date < inUse.date) return `the list of ${next.date} is older than that of ${inUse.date}`;
  const missing = enabled.find((tld) => !next.tlds.has(tld));
  if (missing !== undefined) return `the list has lost ${missing}`;
  const lost = inUse.tlds.difference(next.tlds).size;
  return lost > MAX_LOST ? `the list has lost ${lost} TLDs` : undefined;
}
