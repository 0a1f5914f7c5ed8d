import type { Outcome } from "../src/rules/lease.ts";
import type { JobDependencies } from "./job.ts";

/** Takes over IANA's table. It fails where the table in use is not all that IANA's file says. */
export async function refreshTlds({ tlds }: Pick<JobDependencies, "tlds">): Promise<Outcome> {
  const { publication, problem } = await tlds.refresh();
  if (problem !== undefined) return { kind: "failed", reason: problem };
  return { kind: "done", message: `IANA's table of ${publication} is in use` };
}
