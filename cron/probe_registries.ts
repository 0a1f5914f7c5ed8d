import type { Outcome } from "../src/rules/lease.ts";
import type { JobContext, JobDependencies } from "./job.ts";

/**
 * Tests every TLD's registry, whatever is known of it. From then on the 404s of one that lies count for nothing, in all
 * processes, until it passes. That one lies is what the probe is there to find, so it fails only where it finds nothing.
 */
export async function probeRegistries(
  { tlds, canary }: Pick<JobDependencies, "tlds" | "canary">,
  { stop, progress }: JobContext,
): Promise<Outcome> {
  const rows = await tlds.fresh();
  const found = {
    passed: [] as string[],
    failed: [] as string[],
    doubted: [] as string[],
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
