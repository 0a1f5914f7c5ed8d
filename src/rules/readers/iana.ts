/** IANA's files: the table of RDAP servers (RFC 9224), and whether it may replace the one in use; the same of the list of TLDs. */
import { readObject } from "./http_message.ts";

/** The table after the last refresh. */
export interface TldEdition {
  readonly publication: string;
  readonly bases: ListedBases;
  /** When the file was read (ISO 8601), and its URL. */
  readonly refreshedAt: string;
  readonly source: string;
}

/** RFC 3339, as RFC 9224 §4 demands. It may lie in the future: it is displayed only, no decision uses it. */
const PUBLICATION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
/** Each service has one or two. */
const MAX_URLS = 8;

/** The RDAP server of every TLD that a file lists, by base: a twentieth of the file, which fits into one KV value. */
export type ListedBases = Readonly<Record<string, readonly string[]>>;

/** The most bytes of `ListedBases`, which take 20 KB today (2026-09). */
const MAX_LISTED_BYTES = 60_000;

/**
 * The servers of a file that may be asked; undefined if any part is malformed, because half a table is worse than yesterday's, or
 * if KV cannot take them.
 */
export function readBootstrap(
  text: string,
  isAllowed: (base: string) => boolean,
): Pick<TldEdition, "publication" | "bases"> | undefined {
  const { publication, services } = readObject(text) ?? {};
  if (!isPublication(publication) || !Array.isArray(services)) return undefined;
  if (services.length > MAX_ZONE_TLDS) return undefined;
  const bases: Record<string, string[]> = {};
  for (const service of services) {
    const [tlds, urls] = Array.isArray(service) ? service : [];
    if (!isStrings(tlds) || !isStrings(urls)) return undefined;
    const base = chooseBase(urls.slice(0, MAX_URLS), isAllowed);
    if (base === undefined) continue;
    for (const tld of tlds) (bases[base] ??= []).push(tld.toLowerCase());
  }
  return JSON.stringify(bases).length > MAX_LISTED_BYTES ? undefined : { publication, bases };
}

/**
 * `domain/<name>` is appended, so a query or a fragment would swallow it; some servers reject a stray %; and a URL is
 * printable ASCII, though the parser accepts more.
 */
const UNUSABLE = /[?#]|%(?![0-9a-f]{2})|[^!-~]/i;

/** RFC 9224 §3: prefer https; the trailing slash is required there and tolerated here. */
function chooseBase(
  urls: readonly string[],
  isAllowed: (base: string) => boolean,
): string | undefined {
  const allowed = urls.filter((url) => !UNUSABLE.test(url) && isAllowed(url));
  const base = allowed.find((url) => url.startsWith("https:")) ?? allowed[0];
  return base === undefined || base.endsWith("/") ? base : `${base}/`;
}

function isPublication(value: unknown): value is string {
  return typeof value === "string" && PUBLICATION.test(value) && !Number.isNaN(Date.parse(value));
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The TLDs of the root zone, as A-labels in lower case. */
export interface RootZone {
  /** The day of the list (ISO 8601). */
  readonly date: string;
  readonly tlds: ReadonlySet<string>;
}

/** Whether the first edition was refreshed later, and not by a clock that was set ahead of `now`. */
export function isNewerEdition(
  first: Pick<TldEdition, "refreshedAt">,
  second: Pick<TldEdition, "refreshedAt">,
  now: number,
): boolean {
  return first.refreshedAt > second.refreshedAt && Date.parse(first.refreshedAt) <= now + SKEW_MS;
}

/** A time that is later than now by more was written by a wrong clock. */
const SKEW_MS = 60_000;

/** The root has 1,437 TLDs (2026-09), of which 1,200 have a server. A list of less than two thirds of that is not whole. */
const MIN_ZONE_TLDS = 1_000;
const MAX_ZONE_TLDS = 5_000;
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
  const date = `${year}-${month}-${day}`;
  if (Number.isNaN(Date.parse(date)) || tlds.size < MIN_ZONE_TLDS || tlds.size > MAX_ZONE_TLDS) {
    return undefined;
  }
  return lines.every((line) => LINE.test(line)) ? { date, tlds } : undefined;
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
