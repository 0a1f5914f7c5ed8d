import type { Outcome } from "../src/rules/job_outcome.ts";
import type { JobContext, JobDependencies } from "./job.ts";

/**
 * Tests the registry of every TLD, also where a test result is in force. All processes distrust the 404s of a registry
 * that fails, until it passes. A failing registry is a result, so the run fails only if it tested no registry.
 */
export async function probeRegistries(
  { tlds, canary }: Pick<JobDependencies, "tlds" | "canary">,
  { stop, progress }: JobContext,
): Promise<Outcome> {
  const rows = await tlds.fresh();
  const found = {
    passed: [] as string[],
    failed: [] as string[],
    undecided: [] as string[],
  };
  let done = 0;
  progress(done, rows.length);
  await canary.probe(rows, {
    stop,
    onResult({ tld }, { kind }) {
      found[kind].push(tld);
      progress(++done, rows.length);
    },
  });
  const message = Object.entries(found)
    .filter(([, tlds]) => tlds.length > 0)
    .map(([kind, tlds]) =>
      `${tlds.length} ${kind}${kind === "passed" ? "" : ` (${tlds.join(", ")})`}`
    )
    .join(", ");
  const isBlind = found.passed.length + found.failed.length === 0;
  return isBlind
    ? { kind: "failed", reason: `no registry could be tested: ${message}` }
    : { kind: "done", message };
}
