/** The domain half of the joint: the look-ups of domains over upstreams and what KV keeps. */
import type { Config } from "./config.ts";
import type { Background } from "./flow/background.ts";
import { remembered } from "./flow/remembered.ts";
import { believed } from "./lookup/believed.ts";
import { type CanaryWatch, createCanaryWatch } from "./lookup/canary.ts";
import { createCanaryProbe } from "./lookup/canary_probe.ts";
import { type CanaryRecords, createCanaryRecords } from "./lookup/canary_records.ts";
import {
  type CheckDomain,
  createCheckDomain,
  type Finding,
  type RenewDomain,
} from "./lookup/check.ts";
import { createTldRefresh } from "./lookup/tld_refresh.ts";
import { createTldTable, type TldTable } from "./lookup/tld_table.ts";
import { isUpstreamUrl } from "./rules/upstream_url.ts";
import { createAnswers } from "./store/answers.ts";
import { createCanaries } from "./store/canaries.ts";
import type { GuardedKv } from "./store/guarded_kv.ts";
import { createTldStore } from "./store/tld_rows.ts";
import type { Upstreams, World } from "./upstreams.ts";

/** The look-ups of domains, and what they rest on. */
export interface Domains {
  checkDomain: CheckDomain;
  renewDomain: RenewDomain;
  tlds: TldTable;
  canary: CanaryWatch;
  records: CanaryRecords;
}

/** About 10 MB: 300 bytes a finding, and as much again for the map. */
const REMEMBERED_FINDINGS = 20_000;

/** Puts the look-ups together. */
export function createDomains(
  config: Config,
  { log, now }: Pick<World, "log" | "now">,
  { kv, upstreams, background }: { kv: GuardedKv; upstreams: Upstreams; background: Background },
): Domains {
  const { isDelegated, registries: { ask }, fetchBootstrap: fetchFile, stop } = upstreams;
  const probe = createCanaryProbe({ ask, isDelegated });
  const records = createCanaryRecords({ store: createCanaries(kv, { now }), now });
  const canary = createCanaryWatch({ probe, records, stop, report: log.info });
  const table = {
    wanted: config.TLDS,
    store: createTldStore(kv),
    isAllowed: (base: string) => isUpstreamUrl(base, config.ALLOW_INSECURE_UPSTREAMS),
    report: log.info,
    now,
  };
  const source = config.RDAP_BOOTSTRAP_URL;
  const refreshRows = createTldRefresh({ ...table, source, fetchFile, canary });
  const tlds = createTldTable({ ...table, refreshRows, background });
  const answers = createAnswers<Finding>(kv, { keyOf: domainKey, now });
  const checks = createCheckDomain({
    isDelegated,
    ask,
    canary: { trust: canary.trust, noteDelegated: probe.noteDelegated },
    rowOf: async (tld) => (await tlds.fresh()).find((row) => row.tld === tld),
    keep: believed(remembered(answers, { max: REMEMBERED_FINDINGS, now }), records),
    background,
    report: log.debug,
    reportFault: log.error,
    now,
  });
  return { ...checks, tlds, canary, records };
}

function domainKey(domain: string): Deno.KvKey {
  const [label = "", tld = ""] = domain.split(".");
  return ["domain", tld, label];
}
