/**
 * The TLDs that can be checked and their RDAP servers: the operator's own, or built in, then as stored in KV, then as IANA
 * lists them.
 *
 * A process that starts asks IANA only if the stored table is older than a day. A file that is broken or has lost an enabled TLD
 * changes nothing. A new server is used at once: tests belong to a server's URL, so nothing that it denies is believed
 * before it has passed its own.
 */
import type { Background, Report } from "../flow/process.ts";
import { withDeadline } from "../flow/deadline.ts";
import { createSingleFlight } from "../flow/cache/flight.ts";
import { createPolledCopy } from "../flow/cache/memory.ts";
import type { FileAnswer } from "../rules/answer.ts";
import type { ListedServers } from "../rules/coverage.ts";
import { isNewerEdition, readBootstrap, type TldEdition } from "../rules/readers/iana.ts";
import {
  BUILT_IN_PUBLICATION,
  BUILT_IN_TLDS,
  type TldRow,
  UNLISTED_TLDS,
} from "../rules/tables/tlds.ts";

/** The table in use. */
export type TldTable = ReturnType<typeof createTldTable>;

/** How long a check right after the start waits for IANA's table. */
const FIRST_WAIT_MS = 1_000;
/** A table that is older is refreshed: by a process that starts, or by the job. */
const DAY_MS = 24 * 60 * 60_000;
/** The maximum age of this process's copy of the table in KV, which any process refreshes once a day. */
const COPY_MS = 10 * 60_000;

/** Creates the table for the `wanted` TLDs. */
export function createTldTable(
  { wanted, extra, source, fetchFile, store, isAllowed, background, log, now }: {
    wanted: readonly string[];
    /** The operator's own servers, by TLD, which IANA's do not replace. */
    extra: ReadonlyMap<string, string>;
    /** The URL of IANA's file. */
    source: string;
    fetchFile: () => Promise<FileAnswer>;
    store: { get(): Promise<TldEdition | undefined>; set(edition: TldEdition): Promise<void> };
    /** Whether the service may send requests to a base. */
    isAllowed: (base: string) => boolean;
    background: Background;
    log: Readonly<Record<"info" | "warn", Report>>;
    now: () => number;
  },
) {
  const builtIn = new Map(BUILT_IN_TLDS.map(({ tld, rdapBase }) => [tld, rdapBase]));
  const copy = createPolledCopy(copyStored, { maxAgeMs: COPY_MS, now });
  const renewals = createSingleFlight<ReturnType<typeof state>>();
  let firstWait: Promise<unknown> | undefined;
  let edition: TldEdition | undefined;
  let problem: string | undefined;
  /** A server that a later table lacks is kept. */
  let listed: ListedServers = { bases: new Map(), date: BUILT_IN_PUBLICATION.slice(0, 10) };
  let rows = rowsOf(listed);

  function rowsOf({ bases }: ListedServers): readonly TldRow[] {
    return wanted.toSorted().flatMap((tld) => {
      const rdapBase = extra.get(tld) ?? bases.get(tld) ?? builtIn.get(tld);
      return rdapBase === undefined ? [] : [{ tld, rdapBase }];
    });
  }

  function adopt(next: TldEdition): void {
    edition = next;
    const allowed = Object.entries(next.bases).filter(([base]) => isAllowed(base));
    const newer = allowed.flatMap(([base, tlds]) => tlds.map((tld) => [tld, base] as const));
    listed = {
      bases: new Map([...listed.bases, ...newer]),
      date: next.publication.slice(0, 10),
    };
    rows = rowsOf(listed);
  }

  /** Adopts the table in KV. */
  async function copyStored(): Promise<void> {
    const stored = await store.get();
    if (stored === undefined) return;
    // This process could not write its own edition to KV.
    if (edition !== undefined && isNewerEdition(edition, stored, now())) return;
    // Another process has read IANA's table since.
    if (stored.refreshedAt !== edition?.refreshedAt) problem = undefined;
    adopt(stored);
  }

  /** Whether the table is younger, and of the same source. */
  function isYounger(maxAgeMs: number): boolean {
    if (edition?.source !== source) return false;
    // Math.abs: a clock that was set back must not delay what is due.
    return Math.abs(now() - Date.parse(edition.refreshedAt)) < maxAgeMs;
  }

  /** Adopts IANA's file; returns why not, if it is out of reach or looks broken. */
  async function fetchTable(): Promise<string | undefined> {
    const answer = await fetchFile();
    if (answer.kind === "failed") return answer.reason;
    const file = readBootstrap(answer.text, isAllowed);
    if (file === undefined) return "the file is not a valid RFC 9224 table";
    const inFile = new Set(Object.values(file.bases).flat());
    const lost = rows.find(({ tld }) =>
      !inFile.has(tld) && !extra.has(tld) && !UNLISTED_TLDS.has(tld)
    );
    if (lost !== undefined) return `the file has no usable RDAP server for ${lost.tld}`;
    const next = { ...file, refreshedAt: new Date(now()).toISOString(), source };
    adopt(next);
    log.info("tlds.refreshed", { publication: file.publication, tlds: rows.length });
    await store.set(next);
    return undefined;
  }

  /** Adopts the table in KV, then IANA's if that is older than `maxAgeMs`. */
  const renewTo = (maxAgeMs: number) =>
    renewals.run(`${maxAgeMs}`, async () => {
      await copy.read();
      if (!isYounger(maxAgeMs)) {
        problem = await fetchTable();
        if (problem !== undefined) log.info("tlds.refresh_failed", { reason: problem });
      }
      const { missing } = state();
      if (missing.length > 0) log.warn("tlds.missing", { tlds: missing.join(",") });
      return state();
    });

  /** The same, unless the table in KV is less than a day old: then IANA is not asked. */
  const renew = () => renewTo(DAY_MS);

  /** The rows after the first renewal, which this starts; after a second at most, for a check must not wait for a slow IANA. */
  async function fresh(): Promise<readonly TldRow[]> {
    if (firstWait === undefined) {
      const renewing = renew();
      background.run(renewing);
      firstWait = withDeadline(renewing, FIRST_WAIT_MS, undefined);
    }
    await firstWait;
    const refreshing = copy.refresh();
    if (refreshing !== undefined) background.run(refreshing);
    return rows;
  }

  /** A summary of the table in use. */
  function state() {
    return {
      publication: edition?.publication ?? BUILT_IN_PUBLICATION,
      /** Undefined before the first refresh has succeeded. */
      refreshedAt: edition?.refreshedAt,
      /** Why this process could not refresh it. */
      problem,
      /** TLDs in `TLDS` without a known server, such as a misspelt one. */
      missing: wanted.filter((tld) => !rows.some((row) => row.tld === tld)),
    };
  }

  return {
    fresh,
    state,
    /** The servers that IANA lists, also of TLDs that are not enabled; none before the first renewal. */
    listed: () => listed,
    /** The TLDs that can be checked, alphabetical; one without a known RDAP server cannot. */
    async enabled(): Promise<readonly string[]> {
      // The built-in rows are enough, unless `TLDS` names others.
      if (rows.length < wanted.length) await fresh();
      return rows.map(({ tld }) => tld);
    },
    /** Adopts the table in KV, then IANA's. */
    refresh: () => renewTo(0),
    renew,
    /** Whether the table in KV is a day old. */
    async isOld(): Promise<boolean> {
      await copy.read();
      return !isYounger(DAY_MS);
    },
  };
}
