/**
 * Refreshes the TLD table from IANA's file. A new RDAP server must pass its canary where the old one has passed.
 *
 * The table is built in, then as stored, then as IANA has it. A process that starts asks IANA only if the stored table is
 * older than a day, has a problem or is of other TLDs. A file that is broken or has lost a TLD changes nothing. A server that
 * was never tested is replaced at once, and the new one is trusted only once it has passed: tests belong to a server's URL.
 */
import type { Report } from "../flow/report.ts";
import type { Canary } from "../rules/answer.ts";
import {
  type BootstrapAnswer,
  listBases,
  type ListedBases,
  refreshRows,
  type TldEdition,
  type Validators,
} from "../rules/readers/bootstrap.ts";
import { type TldRow, UNLISTED_TLDS } from "../rules/tables/tlds.ts";

/** The table before a refresh. */
interface CurrentTable {
  rows: readonly TldRow[];
  /** Undefined while only the built-in rows are in use. */
  edition: TldEdition | undefined;
}

/** A step of a refresh: an edition to use from now on, or the reason why there is no newer one. */
export type RefreshStep =
  | { kind: "edition"; edition: TldEdition }
  | { kind: "failed"; reason: string };

/**
 * Refreshes a table that is older than `maxAgeMs` or has a problem; yields nothing for any other. After the first edition
 * that it yields, only canary tests are left.
 */
export type RefreshTable = (
  current: CurrentTable,
  maxAgeMs: number,
) => AsyncIterable<RefreshStep>;

/** Characters of the reasons why new servers were refused: KV stores this text in one value with the table. */
const LONGEST_PROBLEM = 1_000;

/** Creates the refresh. */
export function createTldRefresh(
  { wanted, source, fetchFile, store, canary, isAllowed, report, now }: {
    wanted: readonly string[];
    /** The URL of the file. */
    source: string;
    fetchFile: (known: Validators | undefined) => Promise<BootstrapAnswer>;
    store: {
      set(edition: TldEdition): Promise<void>;
      setListed(bases: ListedBases): Promise<void>;
    };
    canary: {
      isProven(row: TldRow): Promise<boolean>;
      prove(row: TldRow): Promise<Canary>;
    };
    isAllowed: (base: string) => boolean;
    report: Report;
    now: () => number;
  },
): RefreshTable {
  const origin = `${source} ${wanted.join(",")}`;

  function failed(reason: string): RefreshStep {
    report("tlds.refresh_failed", { reason });
    return { kind: "failed", reason };
  }

  /**
   * A server that has passed its canary is replaced only by one that has passed too. An untested server is replaced at
   * once: IANA's is the better guess of the two, so that a check right after the first start asks it, and its own canary,
   * which runs beside the question, keeps the answer from being wrong.
   */
  async function withoutContested(current: CurrentTable, next: readonly TldRow[]) {
    const before = new Map(current.rows.map((row) => [row.tld, row]));
    const contested: TldRow[] = [];
    const rows = await Promise.all(next.map(async (row) => {
      const old = before.get(row.tld);
      if (old === undefined || old.rdapBase === row.rdapBase) return row;
      if (!await canary.isProven(old)) return row;
      contested.push(row);
      return old;
    }));
    return { rows, contested };
  }

  /** The edition of IANA's file; undefined if the file is unchanged and no edition of it is known. */
  async function fetchEdition(
    current: CurrentTable,
  ): Promise<RefreshStep & { listed?: ListedBases | undefined } | undefined> {
    const before = current.edition;
    const isKnown = before?.origin === origin;
    const answer = await fetchFile(isKnown ? before.validators : undefined);
    const refreshedAt = new Date(now()).toISOString();
    if (answer.kind === "failed") return failed(answer.reason);
    if (answer.kind === "unchanged") {
      report("tlds.unchanged", { publication: before?.publication });
      return before && { kind: "edition", edition: { ...withoutProblem(before), refreshedAt } };
    }
    const { file: { publication }, file, validators } = answer;
    const refresh = refreshRows(file, {
      wanted,
      inUse: current.rows,
      pinned: UNLISTED_TLDS,
      isAllowed,
    });
    if (refresh.kind === "refused") return failed(refresh.why);
    report("tlds.refreshed", { publication, tlds: refresh.rows.length });
    const { rows, contested } = await withoutContested(current, refresh.rows);
    const edition = { publication, rows, contested, refreshedAt, validators, origin };
    return { kind: "edition", edition, listed: listBases(file, isAllowed) };
  }

  /** Tests the contested rows one after the other; yields an edition for each that passes, then the final one. */
  async function* prove(edition: TldEdition): AsyncGenerator<RefreshStep> {
    const problems: string[] = [];
    let { rows, contested } = edition;
    for (const row of edition.contested) {
      const result = await canary.prove(row);
      report(result.kind === "passed" ? "tlds.server_adopted" : "tlds.server_refused", { ...row });
      if (result.kind !== "passed") {
        problems.push(`the new RDAP server for ${row.tld} is not used: ${result.why}`);
        continue;
      }
      contested = contested.filter(({ tld }) => tld !== row.tld);
      rows = [...rows.filter(({ tld }) => tld !== row.tld), row];
      yield { kind: "edition", edition: { ...edition, rows, contested } };
    }
    const problem = problems.join("; ").slice(0, LONGEST_PROBLEM);
    const refreshedAt = new Date(now()).toISOString();
    const proven = { ...edition, refreshedAt, rows, contested, ...(problem !== "" && { problem }) };
    yield { kind: "edition", edition: proven };
    await store.set(proven);
  }

  /** Whether the edition is younger, for the same source and TLDs, and no server waits for its test. */
  function isYounger(edition: TldEdition | undefined, maxAgeMs: number): boolean {
    if (edition?.origin !== origin || edition.problem !== undefined) return false;
    if (edition.contested.length > 0) return false;
    // Math.abs: a clock that was set back must not delay what is due.
    return Math.abs(now() - Date.parse(edition.refreshedAt)) < maxAgeMs;
  }

  return async function* (current, maxAgeMs) {
    if (isYounger(current.edition, maxAgeMs)) return;
    const step = await fetchEdition(current);
    if (step === undefined) return;
    // Before it is written to KV: checks wait for the edition, not for the write.
    yield step;
    if (step.kind === "failed") {
      const { edition } = current;
      if (edition !== undefined) await store.set({ ...edition, problem: step.reason });
      return;
    }
    if (step.listed !== undefined) await store.setListed(step.listed);
    await store.set(step.edition);
    if (step.edition.contested.length > 0) yield* prove(step.edition);
  };
}

function withoutProblem({ problem: _, ...edition }: TldEdition): TldEdition {
  return edition;
}
