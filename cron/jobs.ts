/** The jobs, as rows. Their code is read when they first run: a start has no use for it. */
import type { Job } from "./job.ts";

const MINUTE_MS = 60_000;
/** A source that was out of reach at its time of day is asked again before the next day. */
const SOON_AND_LATER = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];

/** Every job. Odd minutes spare the sources the crowd at the full hour. */
export const JOBS: readonly Job[] = [
  {
    name: "refresh_tlds",
    schedule: "23 4 * * *",
    about: "take over IANA's table of RDAP servers",
    retryAfterMs: SOON_AND_LATER,
    run: async (upkeep) => (await import("./refresh_tlds.ts")).refreshTlds(upkeep),
  },
  {
    name: "warm_popular",
    schedule: "*/10 * * * *",
    about: "look up again what people ask for, before it expires",
    retryAfterMs: [],
    run: async (...args) => (await import("./warm_popular.ts")).warmPopular(...args),
  },
  {
    name: "probe_registries",
    schedule: "7 * * * *",
    about: "test whether the registries' denials can be believed",
    retryAfterMs: [],
    run: async (...args) => (await import("./probe_registries.ts")).probeRegistries(...args),
  },
  {
    name: "refresh_prices",
    schedule: "41 5 * * *",
    about: "take over the priced registrar's list",
    retryAfterMs: SOON_AND_LATER,
    run: async (upkeep) => (await import("./refresh_prices.ts")).refreshPrices(upkeep),
  },
];
