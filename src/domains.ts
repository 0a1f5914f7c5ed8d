/** The domain half of the joint: the look-ups of domains over what KV keeps and, where that has no answer, an inquiry. */
import type { Config } from "./config.ts";
import type { Background } from "./flow/background.ts";
import { type Lazy, lazy } from "./flow/lazy.ts";
import { remembered } from "./flow/remembered.ts";
import type { Inquiry } from "./inquiry.ts";
import { believed } from "./lookup/believed.ts";
import { createCanaryRecords } from "./lookup/canary_records.ts";
import {
  type CheckDomain,
  createCheckDomain,
  type Finding,
  type RenewDomain,
} from "./lookup/check.ts";
import { createTldTable, type TldTable } from "./lookup/tld_table.ts";
import { isUpstreamUrl } from "./rules/upstream_url.ts";
import { createAnswers } from "./store/answers.ts";
import { createCanaries } from "./store/canaries.ts";
import type { GuardedKv } from "./store/guarded_kv.ts";
import { createTldStore } from "./store/tld_rows.ts";
import type { World } from "./upstreams.ts";

/** The look-ups of domains, and what they rest on. */
export interface Domains {
  checkDomain: CheckDomain;
  renewDomain: RenewDomain;
  tlds: TldTable;
  inquiry: Lazy<Inquiry>;
  /** Tests every registry whose last test is too long ago. */
  renewCanaries(): Promise<void>;
  /** Whether a registry is left alone or was found lying; undefined before any was asked. */
  isRdapFailing(): boolean | undefined;
}

/** About 10 MB: 300 bytes a finding, and as much again for the map. */
const REMEMBERED_FINDINGS = 20_000;

/** Puts the look-ups together. */
export function createDomains(
  config: Config,
  world: World,
  { kv, background, stop }: { kv: GuardedKv; background: Background; stop: AbortSignal },
): Domains {
  const { log, now } = world;
  const records = createCanaryRecords({ store: createCanaries(kv, { now }), now });
  const tldStore = createTldStore(kv);
  const isAllowed = (base: string) => isUpstreamUrl(base, config.ALLOW_INSECURE_UPSTREAMS);
  const inquiry = lazy(async () => {
    const { createInquiry } = await import("./inquiry.ts");
    return createInquiry(config, world, { kv, records, tldStore, isAllowed, stop });
  });
  const tlds = createTldTable({
    wanted: config.TLDS,
    refreshRows: async (...args) => (await inquiry.get()).refreshRows(...args),
    store: tldStore,
    isAllowed,
    background,
    now,
  });
  const answers = createAnswers<Finding>(kv, { keyOf: domainKey, now });
  const checks = createCheckDomain({
    openInquiry: inquiry.get,
    rowOf: async (tld) => (await tlds.fresh()).find((row) => row.tld === tld),
    keep: believed(remembered(answers, { max: REMEMBERED_FINDINGS, now }), records),
    background,
    report: log.debug,
    reportFault: log.error,
    now,
  });

  async function renewCanaries(): Promise<void> {
    const { canary } = await inquiry.get();
    await canary.renew(await tlds.fresh());
  }

  function isRdapFailing(): boolean | undefined {
    const registries = inquiry.made()?.registries;
    const isCooling = registries !== undefined && registries.coolingHosts().length > 0;
    if (isCooling || records.failing().length > 0) return true;
    return registries?.isFailing();
  }

  return { ...checks, tlds, inquiry, renewCanaries, isRdapFailing };
}

function domainKey(domain: string): Deno.KvKey {
  const [label = "", tld = ""] = domain.split(".");
  return ["domain", tld, label];
}
