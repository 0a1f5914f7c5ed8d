/** The jobs, one row each. */
import type { Job } from "./job.ts";
import { probeRegistries } from "./probe_registries.ts";
import { refreshPrices } from "./refresh_prices.ts";
import { refreshTlds } from "./refresh_tlds.ts";
import { warmPopular } from "./warm_popular.ts";

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
    run: refreshTlds,
  },
  {
    name: "warm_popular",
    schedule: "*/10 * * * *",
    about: "look up again what people ask for, before it expires",
    retryAfterMs: [],
    run: warmPopular,
  },
  {
    name: "probe_registries",
    schedule: "7 * * * *",
    about: "test whether the registries' denials can be believed",
    retryAfterMs: [],
    run: probeRegistries,
  },
  {
    name: "refresh_prices",
    schedule: "41 5 * * *",
    about: "take over the priced registrar's list",
    retryAfterMs: SOON_AND_LATER,
    run: refreshPrices,
  },
];
