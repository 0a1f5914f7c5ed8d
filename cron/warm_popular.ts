import type { Lookup, Warmer } from "../src/lookup/warmers.ts";
import type { Outcome } from "../src/rules/job_outcome.ts";
import type { JobContext, JobDependencies } from "./job.ts";

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
export async function warmPopular(
  { popular, warmers, now }: Pick<JobDependencies, "popular" | "warmers" | "now">,
  { stop, progress }: JobContext,
): Promise<Outcome> {
  const endAt = now() + MAX_MS;
  const until = now() + AHEAD_MS;
  await popular.flush();
  const lookups = await lookupsOf(warmers);
  const counts = { renewed: 0, fresh: 0, busy: 0, unfounded: 0 };
  let done = 0;
  progress(done, lookups.length);

  async function renewInTurn(queue: readonly Lookup[]): Promise<void> {
    for (const { renew } of queue) {
      if (stop.aborted || now() >= endAt) return;
      counts[await renew(until)]++;
      progress(++done, lookups.length);
    }
  }

  const queues = Map.groupBy(lookups, ({ queue }) => queue);
  await Promise.all([...queues.values()].map(renewInTurn));
  return toOutcome(counts, lookups.length - done);
}

async function lookupsOf(warmers: readonly Warmer[]): Promise<Lookup[]> {
  const kinds = await Promise.all(
    warmers.map(async ({ names, isWanted, lookupsOf }) =>
      await Promise.all(
        (await names()).map(async (name) => await isWanted(name) ? await lookupsOf(name) : []),
      )
    ),
  );
  // By rank, so that the budget cuts off the least wanted names of every kind.
  const most = Math.max(0, ...kinds.map(({ length }) => length));
  const ranks = Array.from({ length: most }, (_, rank) => kinds.map((names) => names[rank]));
  return ranks.flat(2).filter((lookup) => lookup !== undefined).slice(0, MAX_LOOKUPS);
}

function toOutcome(
  { renewed, fresh, busy, unfounded }: Record<"renewed" | "fresh" | "busy" | "unfounded", number>,
  left: number,
): Outcome {
  const message = `${renewed} renewed, ${fresh} still fresh, ${busy} in flight, ` +
    `${unfounded} without a result, ${left} skipped`;
  // A name may have no result for its own reasons; if none has one, the upstreams are unreachable.
  return renewed + fresh + busy === 0 && unfounded > 0
    ? { kind: "failed", reason: message }
    : { kind: "done", message };
}
