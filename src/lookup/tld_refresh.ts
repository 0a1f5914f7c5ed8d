/** How the table gets newer: by IANA's file, whose new servers must prove themselves where the old ones have. */
import type { Report } from "../flow/report.ts";
import type { Canary } from "../rules/answer.ts";
import {
  type BootstrapFile,
  refreshRows,
  type TldEdition,
  type Validators,
} from "../rules/bootstrap.ts";
import type { TldRow } from "../rules/tlds.ts";

/** What a refresh works on. */
export interface TableInUse {
  rows(): readonly TldRow[];
  edition(): TldEdition | undefined;
  /** Uses the rows of an edition. */
  use(edition: TldEdition): void;
  /** Puts down what keeps the table from being newer. */
  fail(problem: string): void;
}

/** Refreshes a table; `onAdopted` is called as soon as only tests are left to wait for. */
export type RefreshRows = (table: TableInUse, onAdopted: () => void) => Promise<void>;

/** IANA has never listed these; the built-in row stands until it does. */
const PINNED: ReadonlySet<string> = new Set(["io", "me"]);

/** Of many servers that failed their test the first few are named: KV keeps this text beside the table. */
const LONGEST_PROBLEM = 1_000;

/** Creates the refresh. */
export function createTldRefresh(
  { wanted, source, fetchFile, store, canary, isAllowed, report, now }: {
    wanted: readonly string[];
    /** Where the file comes from. */
    source: string;
    fetchFile: (known: Validators | undefined) => Promise<
      | { kind: "file"; file: BootstrapFile; validators: Validators }
      | { kind: "unchanged" }
      | { kind: "failed"; why: string }
    >;
    store: { set(edition: TldEdition): Promise<void> };
    canary: {
      isProven(row: TldRow): Promise<boolean>;
      prove(row: TldRow): Promise<Canary>;
    };
    isAllowed: (base: string) => boolean;
    report: Report;
    now: () => number;
  },
): RefreshRows {
  const origin = `${source} ${wanted.join(",")}`;

  /** Tells of the fault and leaves the table as it is. */
  async function refuse(table: TableInUse, why: string): Promise<undefined> {
    report("tlds.refresh_failed", { why });
    table.fail(why);
    const edition = table.edition();
    if (edition !== undefined) await store.set({ ...edition, problem: why });
  }

  /**
   * A server that has proved itself gives way only to one that has too. One that was never tested gives way at once: of
   * two that nothing is known of, IANA's is the better guess, so a check made right after the first start asks it, and
   * its own canary, which runs beside the question, keeps it from being wrong.
   */
  async function contest(table: TableInUse, next: readonly TldRow[]) {
    const before = new Map(table.rows().map((row) => [row.tld, row]));
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

  /** The edition after the file, or nothing where there is no better one. */
  async function adopt(table: TableInUse): Promise<TldEdition | undefined> {
    const before = table.edition();
    const isKnown = before?.origin === origin;
    const answer = await fetchFile(isKnown ? before.validators : undefined);
    const refreshedAt = new Date(now()).toISOString();
    if (answer.kind === "failed") return await refuse(table, answer.why);
    if (answer.kind === "unchanged") {
      report("tlds.unchanged", { publication: before?.publication });
      return before && { ...withoutProblem(before), refreshedAt };
    }
    const { file: { publication }, file, validators } = answer;
    const refresh = refreshRows(file, { wanted, inUse: table.rows(), pinned: PINNED, isAllowed });
    if (refresh.kind === "refused") return await refuse(table, refresh.why);
    report("tlds.refreshed", { publication, tlds: refresh.rows.length });
    const { rows, contested } = await contest(table, refresh.rows);
    return { publication, rows, contested, refreshedAt, validators, origin };
  }

  /** Tests the contested rows one after the other; each that passes is used at once. */
  async function prove(edition: TldEdition, table: TableInUse): Promise<void> {
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
      table.use({ ...edition, rows, contested });
    }
    const problem = problems.join("; ").slice(0, LONGEST_PROBLEM);
    const refreshedAt = new Date(now()).toISOString();
    const proven = { ...edition, refreshedAt, rows, contested, ...(problem !== "" && { problem }) };
    table.use(proven);
    await store.set(proven);
  }

  return async (table, onAdopted) => {
    const edition = await adopt(table);
    if (edition === undefined) return;
    table.use(edition);
    onAdopted();
    await store.set(edition);
    if (edition.contested.length > 0) await prove(edition, table);
  };
}

function withoutProblem({ problem: _, ...edition }: TldEdition): TldEdition {
  return edition;
}
