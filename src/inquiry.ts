/** All that is asked outside about domains. It is read at the first question that nothing kept answers: a start has none. */
import type { Config } from "./config.ts";
import { type CanaryWatch, createCanaryWatch } from "./lookup/canary.ts";
import { type CanaryProbe, createCanaryProbe } from "./lookup/canary_probe.ts";
import type { CanaryRecords } from "./lookup/canary_records.ts";
import { createTldRefresh, type RefreshRows } from "./lookup/tld_refresh.ts";
import type { TldEdition } from "./rules/bootstrap.ts";
import type { GuardedKv } from "./store/guarded_kv.ts";
import { createUpstreams, type Upstreams, type World } from "./upstreams.ts";

/** DNS, the registries, the tests of their honesty, and IANA's table. */
export interface Inquiry extends Pick<Upstreams, "isDelegated" | "isDnsFailing" | "registries"> {
  canary: CanaryWatch & Pick<CanaryProbe, "noteDelegated">;
  refreshRows: RefreshRows;
}

/** Puts it together. */
export function createInquiry(
  config: Config,
  world: World,
  { kv, records, tldStore, isAllowed, stop }: {
    kv: GuardedKv;
    records: CanaryRecords;
    tldStore: { set(edition: TldEdition): Promise<void> };
    isAllowed: (base: string) => boolean;
    /** Aborted: what is asked is given up, and what would be is refused. */
    stop: AbortSignal;
  },
): Inquiry {
  const { log, now } = world;
  const upstreams = createUpstreams(config, world, { kv, stop });
  const { isDelegated, registries, fetchBootstrap: fetchFile } = upstreams;
  const probe = createCanaryProbe({ ask: registries.ask, isDelegated });
  const canary = createCanaryWatch({ probe, records, stop, report: log.info });
  const refreshRows = createTldRefresh({
    wanted: config.TLDS,
    source: config.RDAP_BOOTSTRAP_URL,
    fetchFile,
    store: tldStore,
    canary,
    isAllowed,
    report: log.info,
    now,
  });
  return { ...upstreams, canary: { ...canary, noteDelegated: probe.noteDelegated }, refreshRows };
}
