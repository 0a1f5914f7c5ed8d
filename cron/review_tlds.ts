import type { Outcome } from "../src/rules/job_outcome.ts";
import type { JobContext, JobDependencies } from "./job.ts";

/** As much as fits into the job's record and a line of the log. */
const MAX_SHOWN = 20;

/**
 * Compares the tables of all TLDs with what IANA lists now, and tests the servers that it does not list. Each difference is
 * a proposal to the maintainers: a server without a reviewed row is never adopted.
 */
export async function reviewTlds(
  { suffixes, canary }: Pick<JobDependencies, "suffixes" | "canary">,
  { stop, progress }: JobContext,
): Promise<Outcome> {
  const rows = await suffixes.unlisted();
  const proposals: string[] = [];
  for (const [done, row] of rows.entries()) {
    if (stop.aborted) return { kind: "failed", reason: `stopped after ${done} of ${rows.length}` };
    progress(done, rows.length);
    const result = await canary.prove(row);
    if (result.kind === "failed") {
      proposals.push(`${row.rdapBase} of .${row.tld} no longer passes: ${result.why}`);
    }
  }
  proposals.push(...await suffixes.changes());
  const more = proposals.length > MAX_SHOWN ? [`${proposals.length - MAX_SHOWN} more`] : [];
  const counts = `${rows.length} servers tested, ${proposals.length} proposals`;
  return { kind: "done", message: [counts, ...proposals.slice(0, MAX_SHOWN), ...more].join("; ") };
}
