/** The TLDs that can be checked and their RDAP servers: built in, as kept, as IANA has them now. */
import { deadline } from "../flow/deadline.ts";
import type { Report } from "../flow/report.ts";
import { type BootstrapFile, refreshRows } from "../rules/bootstrap.ts";
import { BUILT_IN_TLDS, type TldRow } from "../rules/tlds.ts";

/** The table in use. */
export interface TldTable {
  /** The TLDs that can be checked, alphabetical; one without a known RDAP server cannot. */
  enabled(): Promise<readonly string[]>;
  /** The rows once the first refresh has settled, which this starts, or after a moment: nobody waits long for IANA. */
  fresh(): Promise<readonly TldRow[]>;
  /** Takes over the kept table, then IANA's. */
  refresh(): Promise<void>;
}

/** How long a check made right after the start waits for a table that may be newer than ours. */
const MOMENT_MS = 1_000;
/** IANA has never listed these; the built-in row stands until it does. */
const PINNED: ReadonlySet<string> = new Set(["io", "me"]);

/** Creates the table for the `wanted` TLDs. */
export function createTldTable(
  { wanted, fetchFile, store, isAllowed, report }: {
    wanted: readonly string[];
    fetchFile: () => Promise<
      { kind: "file"; file: BootstrapFile } | { kind: "failed"; why: string }
    >;
    store: {
      get(): Promise<{ publication: string; rows: readonly TldRow[] } | undefined>;
      set(kept: { publication: string; rows: readonly TldRow[] }): Promise<void>;
    };
    /** Whether a base may be asked at all. */
    isAllowed: (base: string) => boolean;
    report: Report;
  },
): TldTable {
  let first: Promise<void> | undefined;
  let moment: Promise<void> | undefined;
  let rows: readonly TldRow[] = [];
  let names: readonly string[] = [];
  use(BUILT_IN_TLDS.filter(({ tld }) => wanted.includes(tld)));

  function use(next: readonly TldRow[]): void {
    rows = next.toSorted((a, b) => (a.tld < b.tld ? -1 : 1));
    names = rows.map(({ tld }) => tld);
  }

  async function recall(): Promise<void> {
    const kept = await store.get();
    const usable = kept?.rows.filter((row) => wanted.includes(row.tld) && isAllowed(row.rdapBase));
    // Kept rows replace single rows: a TLD that was enabled since has none among them.
    use([...new Map([...rows, ...usable ?? []].map((row) => [row.tld, row])).values()]);
  }

  async function adopt(): Promise<void> {
    const answer = await fetchFile();
    if (answer.kind === "failed") return report("tlds.refresh_failed", { why: answer.why });
    const { file } = answer;
    const refresh = refreshRows(file, { wanted, inUse: rows, pinned: PINNED, isAllowed });
    if (refresh.kind === "refused") return report("tlds.refresh_failed", { why: refresh.why });
    use(refresh.rows);
    report("tlds.refreshed", { publication: file.publication, tlds: rows.length });
    await store.set({ publication: file.publication, rows });
  }

  async function refresh(): Promise<void> {
    await recall();
    await adopt();
  }

  async function fresh(): Promise<readonly TldRow[]> {
    await (moment ??= deadline(first ??= refresh(), MOMENT_MS, undefined));
    return rows;
  }

  return {
    fresh,
    async enabled() {
      // The built-in rows are enough to tell what is enabled, unless more of IANA's table was asked for.
      if (rows.length !== wanted.length) await fresh();
      return names;
    },
    refresh: () => first = refresh(),
  };
}
