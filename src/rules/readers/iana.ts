/** IANA's table of RDAP servers (RFC 9224). */
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
/** As A-labels in lower case. */
const TLD = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** The RDAP server of every TLD that a file lists, by base: a twentieth of the file, which fits into one KV value. */
type ListedBases = Readonly<Record<string, readonly string[]>>;

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
  const bases: Record<string, string[]> = {};
  for (const service of services) {
    const [tlds, urls] = Array.isArray(service) ? service : [];
    if (!isStrings(tlds) || !isStrings(urls)) return undefined;
    const base = chooseBase(urls.slice(0, MAX_URLS), isAllowed);
    if (base === undefined) continue;
    for (const tld of tlds.map((tld) => tld.toLowerCase())) {
      if (TLD.test(tld)) (bases[base] ??= []).push(tld);
    }
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
