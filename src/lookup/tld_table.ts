/**
 * The TLDs that can be checked and their RDAP servers: the operator's own, or built in, then as stored in KV, then as IANA
 * lists them.
 *
 * A process that starts asks IANA only if the stored table is older than a day, has a problem or is of other TLDs. A file that is
 * broken or has lost a TLD changes nothing. A server that has passed its test is replaced only by one that has passed, too; one
 * that was never tested at once: tests belong to a server's URL, so that the new one is trusted only once it has passed.
 */
import type { Background, Report } from "../flow/process.ts";
import { withDeadline } from "../flow/deadline.ts";
import { createPolledCopy } from "../flow/cache/memory.ts";
import {
  type BootstrapAnswer,
  isNewerEdition,
  listBases,
  type ListedBases,
  refreshRows,
  type TldEdition,
} from "../rules/readers/iana.ts";
import {
  BUILT_IN_PUBLICATION,
  BUILT_IN_TLDS,
  type TldRow,
  UNLISTED_TLDS,
} from "../rules/tables/tlds.ts";
import type { ServerTests } from "./server_tests.ts";

/** The table in use. */
export type TldTable = ReturnType<typeof createTldTable>;

/** A summary of the table in use. */
export type TableState = Pick<TldEdition, "publication" | "problem"> & {
  /** Absent before the first refresh has succeeded. */
  refreshedAt?: string;
  /** TLDs in `TLDS` without a known server, such as a misspelt one. */
  missing: readonly string[];
};

interface Refreshing {
  readonly maxAgeMs: number;
  /** Settles once the table is in use, before it is in KV. */
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

/** Characters of the reasons why new servers were refused: KV stores this text in one value with the table. */
const LONGEST_PROBLEM = 1_000;

/** Creates the table for the `wanted` TLDs. */
export function createTldTable(
  { wanted, extra, source, fetchFile, store, canary, isAllowed, background, log, now }: {
    wanted: readonly string[];
    /** The operator's own servers, by TLD, which IANA's do not replace. */
    extra: ReadonlyMap<string, string>;
    /** The URL of IANA's file. */
    source: string;
    fetchFile: () => Promise<BootstrapAnswer>;
    store: {
      get(): Promise<TldEdition | undefined>;
      set(edition: TldEdition): Promise<void>;
      setListed(bases: ListedBases): Promise<void>;
    };
    canary: Pick<ServerTests<TldRow>, "isProven" | "prove">;
    /** Whether the service may send requests to a base. */
    isAllowed: (base: string) => boolean;
    background: Background;
    log: Readonly<Record<"info" | "warn", Report>>;
    now: () => number;
  },
) {
  const own = wanted.flatMap((tld) => {
    const rdapBase = extra.get(tld);
    return rdapBase === undefined ? [] : [{ tld, rdapBase }];
  });
  const ofIana = wanted.filter((tld) => !extra.has(tld));
  const origin = `${source} ${ofIana.join(",")}`;
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
  useRows(BUILT_IN_TLDS);

  function useRows(next: readonly TldRow[]): void {
    const listed = next.filter(({ tld }) => ofIana.includes(tld));
    rows = [...listed, ...own].toSorted((a, b) => (a.tld < b.tld ? -1 : 1));
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
    if (edition !== undefined && isNewerEdition(edition, stored, now())) return;
    const usable = stored.rows.filter(({ rdapBase }) => isAllowed(rdapBase));
    // Stored rows replace rows one by one: a TLD that was enabled since has none among them.
    const before = rows.filter(({ tld }) => ofIana.includes(tld));
    const merged = [...new Map([...before, ...usable].map((row) => [row.tld, row])).values()];
    useEdition({ ...stored, rows: merged });
  }

  /** Whether the table is younger, without a problem, and of the same source and TLDs. */
  function isYounger(maxAgeMs: number): boolean {
    if (edition?.origin !== origin || edition.problem !== undefined) return false;
    // Math.abs: a clock that was set back must not delay what is due.
    return Math.abs(now() - Date.parse(edition.refreshedAt)) < maxAgeMs;
  }

  async function fail(reason: string): Promise<void> {
    log.info("tlds.refresh_failed", { reason });
    problem = reason;
    failedAt = now();
    if (edition !== undefined) await store.set({ ...edition, problem: reason });
  }

  /** The rows of a file with the proven servers that it replaces by others which do not pass, and why those do not. */
  async function prove(next: readonly TldRow[]) {
    const before = new Map(rows.map((row) => [row.tld, row]));
    const problems: string[] = [];
    const proven: TldRow[] = [];
    for (const row of next) {
      const old = before.get(row.tld);
      const isNew = old !== undefined && old.rdapBase !== row.rdapBase;
      const result = isNew && await canary.isProven(old) ? await canary.prove(row) : undefined;
      const isRefused = result !== undefined && result.kind !== "passed";
      if (result !== undefined) {
        log.info(isRefused ? "tlds.server_refused" : "tlds.server_adopted", { ...row });
      }
      if (isRefused) {
        problems.push(`the new RDAP server for ${row.tld} is not used: ${result.why}`);
      }
      proven.push(isRefused && old !== undefined ? old : row);
    }
    return { rows: proven, problem: problems.join("; ").slice(0, LONGEST_PROBLEM) };
  }

  /** Adopts IANA's file; calls `adopted` once that is done but for KV. */
  async function fetchTable(adopted: () => void): Promise<void> {
    const answer = await fetchFile();
    if (answer.kind === "failed") return await fail(answer.reason);
    const { file, file: { publication } } = answer;
    const refresh = refreshRows(file, {
      wanted: ofIana,
      inUse: rows,
      pinned: UNLISTED_TLDS,
      isAllowed,
    });
    if (refresh.kind === "refused") return await fail(refresh.why);
    log.info("tlds.refreshed", { publication, tlds: refresh.rows.length });
    const { rows: proven, problem } = await prove(refresh.rows);
    const refreshedAt = new Date(now()).toISOString();
    const found = { publication, rows: proven, refreshedAt, origin };
    const next = { ...found, ...(problem !== "" && { problem }) };
    useEdition(next);
    adopted();
    const listed = listBases(file, isAllowed);
    if (listed !== undefined) await store.setListed(listed);
    await store.set(next);
  }

  /** Refreshes a table that is older than `maxAgeMs`. */
  function begin(maxAgeMs: number): Refreshing {
    const adoption = Promise.withResolvers<void>();
    failedAt = undefined;
    const over = (async () => {
      await copy.read();
      if (!isYounger(maxAgeMs)) await fetchTable(adoption.resolve);
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

  /**
   * The rows after the first renewal, which this starts; after a second at most, for a check must not wait for a slow
   * IANA, nor for the test of a new server.
   */
  async function fresh(): Promise<readonly TldRow[]> {
    await (firstWait ??= withDeadline(
      (last ?? begin(DAY_MS)).adopted,
      FIRST_WAIT_MS,
      undefined,
    ));
    if (running === undefined) catchUp();
    return rows;
  }

  /** Adopts the table in KV, then IANA's. */
  async function refresh(): Promise<TableState> {
    // A renewal may have found the table young enough.
    while (running !== undefined && running.maxAgeMs > 0) await running.over;
    return await (running ?? begin(0)).over;
  }

  /** Reports a misspelt TLD once: the service starts without it. */
  function reportMissing(): void {
    const missing = state().missing.join(",");
    if (missing !== reported && missing !== "") log.warn("tlds.missing", { tlds: missing });
    reported = missing;
  }

  /** The edition in use, and the problem of the last refresh. */
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
    /** The rows in use, which may be about to be renewed. */
    current: () => rows,
    state,
    /** The TLDs that can be checked, alphabetical; one without a known RDAP server cannot. */
    async enabled(): Promise<readonly string[]> {
      // The built-in rows are enough, unless `TLDS` names others.
      if (rows.length < wanted.length) await fresh();
      return names;
    },
    refresh,
    /** The same, unless the table in KV is less than a day old and has no problem: then IANA is not asked. */
    renew: () => (running ?? begin(DAY_MS)).over,
  };
}
