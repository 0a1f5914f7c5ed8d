/** The TLDs that can be checked and their RDAP servers: built in, as kept, as IANA has them now. */
import type { Background } from "../flow/background.ts";
import { withFallbackAfter } from "../flow/with_fallback_after.ts";
import type { TldEdition } from "../rules/bootstrap.ts";
import { BUILT_IN_PUBLICATION, BUILT_IN_TLDS, type TldRow } from "../rules/tlds.ts";
import type { RefreshRows, TableInUse } from "./tld_refresh.ts";

/** The table in use. */
export interface TldTable {
  /** The TLDs that can be checked, alphabetical; one without a known RDAP server cannot. */
  enabled(): Promise<readonly string[]>;
  /**
   * The rows once the first refresh has come to a table, which this starts, or after a moment: nobody waits long for
   * IANA, and never for the test of a new server.
   */
  fresh(): Promise<readonly TldRow[]>;
  /** Takes over the kept table, then IANA's, then what of it had to be tested first. */
  refresh(): Promise<TableState>;
  /** What the table in use is, and how it got on at the last refresh. */
  state(): TableState;
}

/** The table in use, in short. */
export type TableState = Pick<TldEdition, "publication" | "problem"> & {
  /** Absent before the first refresh that came to an end. */
  refreshedAt?: string;
  /** TLDs that were asked for and have no server; nobody else would miss one that is misspelt. */
  missing: readonly string[];
};

interface Refreshing {
  /** Settles once only tests are left to wait for. */
  adopted: Promise<void>;
  over: Promise<TableState>;
}

/** How long a check made right after the start waits for a table that may be newer than ours. */
const MOMENT_MS = 1_000;
/** How old this process's copy of the kept table may be: others refresh it too. */
const COPY_MS = 60_000;
/** After how long a refresh that failed is tried again while a wanted TLD has no row: not only by the daily job. */
const RETRY_MS = 5 * 60_000;

/** Creates the table for the `wanted` TLDs. */
export function createTldTable(
  { wanted, refreshRows, store, isAllowed, background, now }: {
    wanted: readonly string[];
    refreshRows: RefreshRows;
    store: { get(): Promise<TldEdition | undefined> };
    /** Whether a base may be asked at all. */
    isAllowed: (base: string) => boolean;
    background: Background;
    now: () => number;
  },
): TldTable {
  let moment: Promise<void> | undefined;
  let last: Refreshing | undefined;
  let running: Refreshing | undefined;
  let copiedAt = -Infinity;
  /** When the last refresh failed; absent where it did not. */
  let failedAt: number | undefined;
  let edition: TldEdition | undefined;
  let problem: string | undefined;
  let rows: readonly TldRow[] = [];
  let names: readonly string[] = [];
  useRows(BUILT_IN_TLDS.filter(({ tld }) => wanted.includes(tld)));

  function useRows(next: readonly TldRow[]): void {
    rows = next.toSorted((a, b) => (a.tld < b.tld ? -1 : 1));
    names = rows.map(({ tld }) => tld);
  }

  const inUse: TableInUse = {
    rows: () => rows,
    edition: () => edition,
    use(next) {
      edition = next;
      problem = next.problem;
      useRows(next.rows);
    },
    fail(why) {
      problem = why;
      failedAt = now();
    },
  };

  async function peek(): Promise<void> {
    copiedAt = now();
    const kept = await store.get();
    if (kept === undefined) return;
    // KV did not take what this process has.
    if (edition !== undefined && kept.refreshedAt < edition.refreshedAt) return;
    const isUsable = (row: TldRow) => wanted.includes(row.tld) && isAllowed(row.rdapBase);
    const usable = kept.rows.filter(isUsable);
    // Kept rows replace single rows: a TLD that was enabled since has none among them.
    const merged = [...new Map([...rows, ...usable].map((row) => [row.tld, row])).values()];
    // Where rows were left out, "not modified" would be no answer to what we have.
    const isWhole = usable.length === kept.rows.length;
    inUse.use({
      ...kept,
      rows: merged,
      contested: kept.contested?.filter(isUsable) ?? [],
      origin: isWhole ? kept.origin : "",
    });
  }

  function begin(): Refreshing {
    const adoption = Promise.withResolvers<void>();
    failedAt = undefined;
    const over = (async () => {
      await peek();
      await refreshRows(inUse, adoption.resolve);
      return state();
    })().finally(() => {
      adoption.resolve();
      running = undefined;
    });
    background.run(over);
    return last = running = { adopted: adoption.promise, over };
  }

  /** Nobody waits for it. */
  function catchUp(): void {
    // Either way: a clock that was set back must not put off what is due.
    const isDue = failedAt !== undefined && Math.abs(now() - failedAt) >= RETRY_MS;
    if (isDue && rows.length < wanted.length) begin();
    else if (Math.abs(now() - copiedAt) > COPY_MS) background.run(peek());
  }

  async function fresh(): Promise<readonly TldRow[]> {
    await (moment ??= withFallbackAfter((last ?? begin()).adopted, MOMENT_MS, undefined));
    if (running === undefined) catchUp();
    return rows;
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
    state,
    async enabled() {
      // The built-in rows are enough to tell what is enabled, unless more of IANA's table was asked for.
      if (rows.length !== wanted.length) await fresh();
      return names;
    },
    refresh: () => (running ?? begin()).over,
  };
}
