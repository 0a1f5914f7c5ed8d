/** IANA's table of RDAP servers (RFC 9224): reading it, and deciding whether it may replace the one in use. */
import { parseJson } from "./parse_json.ts";
import type { TldRow } from "./tlds.ts";

/** IANA's table as read: TLD to the base URLs given for it. */
export interface BootstrapFile {
  publication: string;
  bases: ReadonlyMap<string, readonly string[]>;
}

/** What a source says of an edition of a file, by which it can be asked whether there is another. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** The table as it came out of the last refresh. */
export interface TldEdition {
  readonly publication: string;
  /** The rows in use. */
  readonly rows: readonly TldRow[];
  /** Rows of the file that are not in use: the TLD's server of until now has proved itself, and this one has not. */
  readonly contested: readonly TldRow[];
  /** When the source was last heard to have nothing newer (ISO 8601). */
  readonly refreshedAt: string;
  readonly validators: Validators;
  /** What the validators are good for: that source, read for those TLDs. */
  readonly origin: string;
  /** What is wrong with the file or with a row of it. */
  readonly problem?: string;
}

/** What a new file does to the table in use. */
export type Refresh =
  | { kind: "adopted"; rows: readonly TldRow[] }
  | { kind: "refused"; why: string };

/** RFC 3339, as RFC 9224 §4 demands. It may lie in the future: it is shown, and nothing is decided by it. */
const PUBLICATION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
/** The root has 1,440 TLDs (2026-09), of which 1,200 are in the file. */
const MOST_LISTED = 5_000;
/** Each service has one or two; every URL costs a parse for each wanted TLD. */
const MOST_URLS = 8;

/**
 * How many bytes the rows of an edition may take in KV, where a value has 64 KiB: they stand there twice when all are
 * contested, beside 13 KB of wanted TLDs. 200 rows of the usual 80 bytes are 16 KB.
 */
const LARGEST_ROWS = 20_000;
/** What a row takes besides its two texts, which are ASCII. */
const ROW_BYTES = 25;

/** Reads the file; undefined where any part is not of its form, for half a table is worse than yesterday's. */
export function readBootstrap(text: string): BootstrapFile | undefined {
  const file = parseJson(text);
  if (typeof file !== "object" || file === null) return undefined;
  const { publication, services } = file as Record<string, unknown>;
  if (!isPublication(publication) || !Array.isArray(services)) return undefined;
  const bases = new Map<string, readonly string[]>();
  for (const service of services) {
    const [tlds, urls] = Array.isArray(service) ? service : [];
    if (!isStrings(tlds) || !isStrings(urls)) return undefined;
    for (const tld of tlds) bases.set(tld.toLowerCase(), urls.slice(0, MOST_URLS));
    if (bases.size > MOST_LISTED) return undefined;
  }
  return { publication, bases };
}

/**
 * The rows that `wanted` TLDs get from a file. A TLD that the rows in use know keeps its row where the file never had
 * it (`pinned`); one that the file has lost makes it a shrunken file, which is refused whole.
 */
export function refreshRows(
  file: BootstrapFile,
  { wanted, inUse, pinned, isAllowed }: {
    wanted: readonly string[];
    inUse: readonly TldRow[];
    pinned: ReadonlySet<string>;
    isAllowed: (base: string) => boolean;
  },
): Refresh {
  const known = new Map(inUse.map((row) => [row.tld, row.rdapBase]));
  const rows: TldRow[] = [];
  for (const tld of wanted) {
    const base = chooseBase(file.bases.get(tld) ?? [], isAllowed);
    const kept = known.get(tld);
    if (base === undefined && kept !== undefined && !pinned.has(tld)) {
      return { kind: "refused", why: `the file has no usable RDAP server for ${tld}` };
    }
    const rdapBase = base ?? kept;
    if (rdapBase !== undefined) rows.push({ tld, rdapBase });
  }
  // What KV does not take would be lost, and fetched again, at each start.
  const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0);
  if (bytes > LARGEST_ROWS) {
    return { kind: "refused", why: `the RDAP servers take ${bytes} bytes, more than are kept` };
  }
  return { kind: "adopted", rows };
}

function bytesOf({ tld, rdapBase }: TldRow): number {
  return ROW_BYTES + tld.length + rdapBase.length;
}

/**
 * `domain/<name>` is appended, which a query or a fragment would swallow; a stray % is no URL to some servers; and a URL
 * is printable ASCII, though its parser takes more.
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
