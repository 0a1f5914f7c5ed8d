/** The TLDs that can be checked and their RDAP servers: built in, then as stored in KV, then as IANA lists them. */
import type { Background } from "../flow/background.ts";
import type { Report } from "../flow/report.ts";
import { withDeadline } from "../flow/deadline.ts";
import { createPolledCopy } from "../flow/cache/polled_copy.ts";
import type { TldEdition } from "../rules/readers/bootstrap.ts";
import { BUILT_IN_PUBLICATION, BUILT_IN_TLDS, type TldRow } from "../rules/tables/tlds.ts";
import type { RefreshTable } from "./tld_refresh.ts";

/** The table in use. */
export interface TldTable {
  /** The TLDs that can be checked, alphabetical; one without a known RDAP server cannot. */
  enabled(): Promise<readonly string[]>;
  /**
   * The rows after the first renewal, which this starts; after a second at most, for a check must not wait for a slow
   * IANA, nor for the test of a new server.
   */
  fresh(): Promise<readonly TldRow[]>;
  /** The rows in use, which may be about to be renewed. */
  current(): readonly TldRow[];
  /** Adopts the table in KV, then IANA's, then those of its servers that had to be tested first. */
  refresh(): Promise<TableState>;
  /** The same, unless the table in KV is less than a day old and has no problem: then IANA is not asked. */
  renew(): Promise<TableState>;
  /** The edition in use, and the problem of the last refresh. */
  state(): TableState;
}

/** A summary of the table in use. */
export type TableState = Pick<TldEdition, "publication" | "problem"> & {
  /** Absent before the first refresh has succeeded. */
  refreshedAt?: string;
  /** TLDs in `TLDS` without a known server, such as a misspelt one. */
  missing: readonly string[];
};

interface Refreshing {
  readonly maxAgeMs: number;
  /** Settles once only canary tests are left. */
  adopted: Promise<void>;
  over: Promise<TableState>;
}

/** How long a check right after the start waits for IANA's table. */
const FIRST_WAIT_MS = 1_000;
/** The daily job has missed a table that is older; the process that finds it refreshes it. */
const DAY_MS = 24 * 60 * 60_000;
/** The maximum age of this process's copy of the table in KV, which other processes refresh too. */
const COPY_MS = 60_000;
/** While a wanted TLD has no row, a failed refresh is retried after this time and not only by the daily job. */
const RETRY_MS = 5 * 60_000;

/** Creates the table for the `wanted` TLDs. */
export function createTldTable(
  { wanted, refreshTable, store, isAllowed, background, report, now }: {
    wanted: readonly string[];
    refreshTable: RefreshTable;
    store: { get(): Promise<TldEdition | undefined> };
    /** Whether the service may send requests to a base. */
    isAllowed: (base: string) => boolean;
    background: Background;
    /** Called where a wanted TLD has no server. */
    report: Report;
    now: () => number;
  },
): TldTable {
  let firstWait: Promise<void> | undefined;
  let last: Refreshing | undefined;
  let running: Refreshing | undefined;
  const copy = createPolledCopy(copyStored, { maxAgeMs: COPY_MS, now });
  /** When the last refresh failed; undefined if it succeeded. */
  let failedAt: number | undefined;
  let edition: TldEdition | undefined;
  let problem: string | undefined;
  /** The missing TLDs that were reported last. */
  let reported = "";
  let rows: readonly TldRow[] = [];
  let names: readonly string[] = [];
  useRows(BUILT_IN_TLDS.filter(({ tld }) => wanted.includes(tld)));

  function useRows(next: readonly TldRow[]): void {
    rows = next.toSorted((a, b) => (a.tld < b.tld ? -1 : 1));
    names = rows.map(({ tld }) => tld);
  }

  function useEdition(next: TldEdition): void {
    edition = next;
    problem = next.problem;
    useRows(next.rows);
  }

  /** Adopts the table in KV. */
  async function copyStored(): Promise<void> {
    const stored = await store.get();
    if (stored === undefined) return;
    // This process could not write its own edition to KV.
    if (edition !== undefined && stored.refreshedAt < edition.refreshedAt) return;
    const isUsable = (row: TldRow) => wanted.includes(row.tld) && isAllowed(row.rdapBase);
    const usable = stored.rows.filter(isUsable);
    // Stored rows replace rows one by one: a TLD that was enabled since has none among them.
    const merged = [...new Map([...rows, ...usable].map((row) => [row.tld, row])).values()];
    // With rows left out, a conditional request would be wrong: "not modified" says nothing of the missing rows.
    const isWhole = usable.length === stored.rows.length;
    useEdition({
      ...stored,
      rows: merged,
      contested: stored.contested?.filter(isUsable) ?? [],
      origin: isWhole ? stored.origin : "",
    });
  }

  /** Refreshes a table that is older than `maxAgeMs`. */
  function begin(maxAgeMs: number): Refreshing {
    const adoption = Promise.withResolvers<void>();
    failedAt = undefined;
    const over = (async () => {
      await copy.read();
      for await (const step of refreshTable({ rows, edition }, maxAgeMs)) {
        if (step.kind === "failed") {
          problem = step.reason;
          failedAt = now();
        } else {
          useEdition(step.edition);
          adoption.resolve();
        }
      }
      reportMissing();
      return state();
    })().finally(() => {
      adoption.resolve();
      running = undefined;
    });
    background.run(over);
    return last = running = { maxAgeMs, adopted: adoption.promise, over };
  }

  /** Starts what is due in the background. */
  function catchUp(): void {
    // Math.abs: a clock that was set back must not delay what is due.
    const isDue = failedAt !== undefined && Math.abs(now() - failedAt) >= RETRY_MS;
    if (isDue && rows.length < wanted.length) begin(0);
    else if (copy.ageMs() >= COPY_MS) background.run(copy.read());
  }

  async function fresh(): Promise<readonly TldRow[]> {
    await (firstWait ??= withDeadline(
      (last ?? begin(DAY_MS)).adopted,
      FIRST_WAIT_MS,
      undefined,
    ));
    if (running === undefined) catchUp();
    return rows;
  }

  async function refresh(): Promise<TableState> {
    // A renewal may have found the table young enough.
    while (running !== undefined && running.maxAgeMs > 0) await running.over;
    return await (running ?? begin(0)).over;
  }

  /** Reports a misspelt TLD once: the service starts without it. */
  function reportMissing(): void {
    const missing = state().missing.join(",");
    if (missing !== reported && missing !== "") report("tlds.missing", { tlds: missing });
    reported = missing;
  }

  function state(): TableState {
    return {
      publication: edition?.publication ?? BUILT_IN_PUBLICATION,
      ...(edition?.refreshedAt !== undefined && { refreshedAt: edition.refreshedAt }),
      ...(problem !== undefined && { problem }),
      missing: wanted.filter((tld) => !names.includes(tld)),
    };
  }

  return {
    fresh,
    current: () => rows,
    state,
    // The built-in rows are enough, unless `TLDS` names others.
    async enabled() {
      if (rows.length < wanted.length) await fresh();
      return names;
    },
    refresh,
    renew: () => (running ?? begin(DAY_MS)).over,
  };
}
