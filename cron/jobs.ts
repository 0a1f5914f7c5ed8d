/** The jobs, one row each. */
import type { Outcome } from "../src/rules/job_outcome.ts";
import type { Job, JobDependencies } from "./job.ts";
import { probeRegistries } from "./probe_registries.ts";
import { reviewTlds } from "./review_tlds.ts";
import { warmPopular } from "./warm_popular.ts";

const MINUTE_MS = 60_000;
/** A failed refresh is retried after these pauses and not only on the next day. */
const REFRESH_RETRIES_MS = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];

/** Every job. Odd minutes avoid the load that other clients' cron jobs cause at the full hour. */
export const JOBS: readonly Job[] = [
  {
    name: "refresh_tlds",
    schedule: "23 4 * * *",
    about: "refresh IANA's table of RDAP servers and its list of TLDs",
    retryAfterMs: REFRESH_RETRIES_MS,
    run: refreshTlds,
  },
  {
    name: "warm_popular",
    schedule: "*/10 * * * *",
    about: "renew the answers of popular names and of those in feeds before they expire",
    retryAfterMs: [],
    run: warmPopular,
  },
  {
    name: "probe_registries",
    schedule: "7 * * * *",
    about: "test whether the registries' 404s can be trusted",
    retryAfterMs: [],
    run: probeRegistries,
  },
  {
    name: "review_tlds",
    schedule: "52 3 * * 1",
    about: "propose changes to the tables of all TLDs",
    retryAfterMs: [],
    run: reviewTlds,
  },
  {
    name: "refresh_prices",
    schedule: "41 5 * * *",
    about: "refresh the registrar's prices",
    retryAfterMs: REFRESH_RETRIES_MS,
    run: ({ prices }) => prices.refresh(),
    isOverdue: ({ prices }) => prices.isOld(),
  },
];

/** Fails if the table in use is not exactly what IANA's file lists. Without the list of TLDs the last one is in use. */
async function refreshTlds(
  { tlds, suffixes }: Pick<JobDependencies, "tlds" | "suffixes">,
): Promise<Outcome> {
  const { publication, problem } = await tlds.refresh();
  const zoneProblem = await suffixes.refreshZone();
  if (problem !== undefined) return { kind: "failed", reason: problem };
  const note = zoneProblem === undefined ? "" : `; the list of TLDs was not read: ${zoneProblem}`;
  return { kind: "done", message: `IANA's table of ${publication} is in use${note}` };
}
