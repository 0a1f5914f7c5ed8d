/** IANA's table of RDAP servers (RFC 9224): reading it, and deciding whether it may replace the one in use. */
import type { TldRow } from "./tlds.ts";

/** IANA's table as read: TLD to the base URLs given for it. */
export interface BootstrapFile {
  publication: string;
  bases: ReadonlyMap<string, readonly string[]>;
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

/** RFC 9224 §3: prefer https; the trailing slash is required there and tolerated here. */
function chooseBase(
  urls: readonly string[],
  isAllowed: (base: string) => boolean,
): string | undefined {
  // `domain/<name>` is appended, which a query or a fragment would swallow.
  const allowed = urls.filter((url) => !/[?#]/.test(url) && isAllowed(url));
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
