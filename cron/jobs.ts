/** The jobs, one row each. */
import type { Lookup, Warmer } from "../src/lookup/warmers.ts";
import type { Outcome } from "../src/flow/process.ts";
import type { Job, JobDependencies } from "./job.ts";

/**
 * Every job. Those of an hour avoid the full hour, when other clients' cron jobs run. What is refreshed once a day has an hourly
 * tick: a run that failed, or whose process was stopped, is made up for by the next.
 */
export const JOBS: readonly Job[] = [
  {
    name: "refresh_tlds",
    schedule: "23 * * * *",
    about: "refresh IANA's table of RDAP servers",
    run: refreshTlds,
    isDue: ({ tlds }) => tlds.isOld(),
  },
  {
    name: "warm_popular",
    schedule: "*/10 * * * *",
    about: "renew the answers of popular names and of those in feeds before they expire",
    run: warmPopular,
  },
  {
    name: "probe_registries",
    schedule: "7 * * * *",
    about: "test whether the registries' 404s can be trusted",
    run: probeRegistries,
  },
  {
    name: "refresh_prices",
    schedule: "41 * * * *",
    about: "refresh the registrar's prices",
    run: ({ prices }) => prices.refresh(),
    isDue: ({ prices }) => prices.isOld(),
  },
];

/** Fails if the table in use is not exactly what IANA's file lists. */
async function refreshTlds({ tlds }: JobDependencies): Promise<Outcome> {
  const { publication, problem } = await tlds.refresh();
  return problem === undefined
    ? { kind: "done", message: `IANA's table of ${publication} is in use` }
    : { kind: "failed", reason: problem };
}

/**
 * Tests the registry of every TLD, also where a test result is in force. All processes distrust the 404s of a registry
 * that fails, until it passes. A failing registry is a result, so the run fails only if it tested no registry.
 */
async function probeRegistries({ tlds, canary }: JobDependencies): Promise<Outcome> {
  const rows = await tlds.fresh();
  const kinds = await Promise.all(rows.map(async (row) => (await canary.probe(row)).kind));
  const message = [...Map.groupBy(rows, (_, place) => kinds[place])]
    .map(([kind, tested]) => {
      const tlds = kind === "passed" ? "" : ` (${tested.map(({ tld }) => tld).join(", ")})`;
      return `${tested.length} ${kind}${tlds}`;
    })
    .join(", ");
  return kinds.every((kind) => kind === "undecided")
    ? { kind: "failed", reason: `no registry could be tested: ${message}` }
    : { kind: "done", message };
}

/**
 * Look-ups of one run: bounds the load on upstreams for any number of TLDs and names. Enough for all popular names under
 * the built-in TLDs, and for all names of feeds that stay warm.
 */
const MAX_LOOKUPS = 3_500;
/** A run ends before the next tick. */
const MAX_MS = 9 * 60_000;
/** Renews answers that expire before the end of the run after next, so that one run may fail. */
const AHEAD_MS = 20 * 60_000;

/**
 * Renews the answers that expire soon of popular names and of those in feeds, the most wanted first. Each host gets one
 * question at a time, with background priority.
 */
async function warmPopular(
  { popular, warmers, now }: JobDependencies,
  stop: AbortSignal,
): Promise<Outcome> {
  const endAt = now() + MAX_MS;
  const until = now() + AHEAD_MS;
  await popular.flush();
  const lookups = await lookupsOf(warmers);
  const counts = { renewed: 0, fresh: 0, busy: 0, unfounded: 0 };

  async function renewInTurn(queue: readonly Lookup[]): Promise<void> {
    for (const { renew } of queue) {
      if (stop.aborted || now() >= endAt) return;
      counts[await renew(until)]++;
    }
  }

  const queues = Map.groupBy(lookups, ({ queue }) => queue);
  await Promise.all([...queues.values()].map(renewInTurn));
  const { renewed, fresh, busy, unfounded } = counts;
  const left = lookups.length - renewed - fresh - busy - unfounded;
  const message = `${renewed} renewed, ${fresh} still fresh, ${busy} in flight, ` +
    `${unfounded} without a result, ${left} skipped`;
  // A name may have no result for its own reasons; if none has one, the upstreams are unreachable.
  return renewed + fresh + busy === 0 && unfounded > 0
    ? { kind: "failed", reason: message }
    : { kind: "done", message };
}

async function lookupsOf(warmers: readonly Warmer[]): Promise<Lookup[]> {
  const kinds = await Promise.all(warmers.map((warmer) => warmer()));
  // By rank, so that the budget cuts off the least wanted names of every kind.
  const most = Math.max(0, ...kinds.map(({ length }) => length));
  const ranks = Array.from({ length: most }, (_, rank) => kinds.map((names) => names[rank]));
  return ranks.flat(2).filter((lookup) => lookup !== undefined).slice(0, MAX_LOOKUPS);
}
