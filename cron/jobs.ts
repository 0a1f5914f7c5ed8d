/** The jobs, one row each. */
import type { Outcome } from "../src/rules/lease.ts";
import type { Job, JobDependencies } from "./job.ts";
import { probeRegistries } from "./probe_registries.ts";
import { warmPopular } from "./warm_popular.ts";

const MINUTE_MS = 60_000;
/** A failed refresh is retried after these pauses and not only on the next day. */
const REFRESH_RETRIES_MS = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];

/** Every job. Odd minutes avoid the load that other clients' cron jobs cause at the full hour. */
export const JOBS: readonly Job[] = [
  {
    name: "refresh_tlds",
    schedule: "23 4 * * *",
    about: "refresh IANA's table of RDAP servers",
    retryAfterMs: REFRESH_RETRIES_MS,
    run: refreshTlds,
  },
  {
    name: "warm_popular",
    schedule: "*/10 * * * *",
    about: "renew popular answers before they expire",
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
    name: "refresh_prices",
    schedule: "41 5 * * *",
    about: "refresh the registrar's prices",
    retryAfterMs: REFRESH_RETRIES_MS,
    run: ({ prices }) => prices.refresh(),
    isOverdue: ({ prices }) => prices.isOld(),
  },
];

/** Fails if the table in use is not exactly what IANA's file lists. */
async function refreshTlds({ tlds }: Pick<JobDependencies, "tlds">): Promise<Outcome> {
  const { publication, problem } = await tlds.refresh();
  if (problem !== undefined) return { kind: "failed", reason: problem };
  return { kind: "done", message: `IANA's table of ${publication} is in use` };
}
