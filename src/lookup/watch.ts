/** Watched names: what their logs say after a look at them, and which of them stay warm. */
import { createDailySets } from "../flow/cache/memory.ts";
import type { Renewal } from "../flow/cache/cached.ts";
import type { Waiter } from "../flow/cache/flight.ts";
import { toDomain } from "../rules/name.ts";
import type { WatchedName } from "../rules/watch_entries.ts";
import type { Change, Observation } from "../rules/watch_log.ts";
import type { DomainChecks } from "./check_domain.ts";
import type { Observe } from "./domain_details.ts";
import type { Suffixes } from "./suffixes.ts";
import type { Lookup, Warmer } from "./warmers.ts";

/** The logs, as far as this file uses them. */
interface Logs {
  add(
    domain: string,
    seen: Observation | undefined,
    options: { isRead: boolean },
  ): Promise<{ readonly changes: readonly Change[] } | undefined>;
  listed(since: number): Promise<readonly string[]>;
}

/** Names in the logs that stay warm, those first that were read last. */
const MAX_WARM = 1_000;
/** Calendars are read once a week at least. */
const READ_WITHIN_MS = 8 * 24 * 3_600_000;
/** Names that a site may have kept in a day: five feeds of the largest size. */
const NAMES_OF_SITE = 100;
const MAX_SITES = 5_000;

/** Who waits for the look-ups of the job. */
const THIS_JOB: Waiter = { signal: new AbortController().signal, priority: "background" };

/** Creates the reading of names and the warmer of those in feeds that are read. */
export function createWatch(
  { observe, logs, renewDomain, renewEth, suffixes, now }: {
    observe: Observe;
    logs: Logs;
    renewDomain: DomainChecks["renewDomain"];
    renewEth: (label: string, until: number) => Promise<Renewal>;
    suffixes: Pick<Suffixes, "rowOf">;
    now: () => number;
  },
) {
  const namesOf = createDailySets({ max: MAX_SITES, now });

  /** Whether a site may have a name kept, as this process counts. What is not kept is still shown. Networks are never stored. */
  function admits(site: string, name: string): boolean {
    const names = namesOf(site);
    if (names.size < NAMES_OF_SITE) names.add(name);
    return names.has(name);
  }

  /** Reads a watched name for a feed; undefined where KV failed, which has the changes. */
  async function read(
    ...[label, tld, waiter]: Parameters<Observe>
  ): Promise<WatchedName | undefined> {
    const domain = `${label}.${tld}`;
    const { state, seen } = await observe(label, tld, waiter);
    const log = await logs.add(domain, seen, { isRead: admits(waiter?.site ?? "", domain) });
    return log && { domain, state, changes: log.changes };
  }

  async function lookupOf(domain: string): Promise<Lookup> {
    const { label, tld } = toDomain(domain);
    const row = await suffixes.rowOf(tld);
    return {
      queue: row === undefined ? domain : new URL(row.rdapBase).host,
      async renew(until) {
        const renewal = tld === "eth"
          ? await renewEth(label, until)
          : await renewDomain(label, tld, until);
        if (renewal === "busy") return renewal;
        // Also on a cache hit: a client's check, or the job for popular names, has renewed the answer and logged nothing.
        const { seen } = await observe(label, tld, THIS_JOB);
        await logs.add(domain, seen, { isRead: false });
        return renewal;
      },
    };
  }

  const warmer: Warmer = async () => {
    const names = await logs.listed(now() - READ_WITHIN_MS);
    return await Promise.all(names.slice(0, MAX_WARM).map(async (name) => [await lookupOf(name)]));
  };
  return { read, warmer };
}
