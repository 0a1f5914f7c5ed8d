/** IANA's table of RDAP servers (RFC 9224): reading it, and deciding whether it may replace the one in use. */
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

/** Reads the file; undefined where any part is not of its form, for half a table is worse than yesterday's. */
export function readBootstrap(text: string): BootstrapFile | undefined {
  const file = parse(text);
  if (typeof file !== "object" || file === null) return undefined;
  const { publication, services } = file as Record<string, unknown>;
  if (typeof publication !== "string" || !Array.isArray(services)) return undefined;
  const bases = new Map<string, readonly string[]>();
  for (const service of services) {
    const [tlds, urls] = Array.isArray(service) ? service : [];
    if (!isStrings(tlds) || !isStrings(urls)) return undefined;
    for (const tld of tlds) bases.set(tld.toLowerCase(), urls);
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
  return { kind: "adopted", rows };
}

/** `domain/<name>` is appended, which a query or a fragment would swallow; a stray % is no URL to some servers. */
const UNUSABLE = /[?#]|%(?![0-9a-f]{2})/i;

/** RFC 9224 §3: prefer https; the trailing slash is required there and tolerated here. */
function chooseBase(
  urls: readonly string[],
  isAllowed: (base: string) => boolean,
): string | undefined {
  const allowed = urls.filter((url) => !UNUSABLE.test(url) && isAllowed(url));
  const base = allowed.find((url) => url.startsWith("https:")) ?? allowed[0];
  return base === undefined || base.endsWith("/") ? base : `${base}/`;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
