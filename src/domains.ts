/** The domain half of the joint: the look-ups of domains over what KV keeps and, where that has no answer, an inquiry. */
import type { Config } from "./config.ts";
import type { Background } from "./flow/background.ts";
import { type Lazy, lazy } from "./flow/lazy.ts";
import { remembered } from "./flow/remembered.ts";
import type { Inquiry } from "./inquiry.ts";
import { type CanaryRecords, createCanaryRecords } from "./lookup/canary_records.ts";
import { type CheckDomain, createCheckDomain, type RenewDomain } from "./lookup/check.ts";
import { dropDistrusted } from "./lookup/drop_distrusted.ts";
import type { HostTrouble } from "./lookup/host_states.ts";
import { createTldTable, type TldTable } from "./lookup/tld_table.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { isRegistryBase } from "./rules/upstream_url.ts";
import { createCanaries } from "./store/canaries.ts";
import { createDomainAnswers } from "./store/domain_answers.ts";
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
  /** Whether a registry cools down or failed its canary test; undefined before any was asked. */
  isRdapFailing(): boolean | undefined;
  /** Whether DNS did not answer, or does not show what is delegated; undefined before it was asked. */
  isDnsFailing(): boolean | undefined;
  /** By TLD, how many 404s said something that could not be read. */
  unreadNotices(): Readonly<Record<string, number>>;
  /** The registries' hosts that cool down, or whose last answer was of no use. */
  troubledHosts(): HostTrouble[];
  /** By TLD, what its registry's last canary test came to. */
  canaryStates: CanaryRecords["states"];
}

/** About 10 MB: 300 bytes a finding, and as much again for the map. */
const REMEMBERED_FINDINGS = 20_000;

/** Puts the look-ups together. */
export function createDomains(
  config: Config,
  world: World,
  { kv, background, metrics, stop }: {
    kv: GuardedKv;
    background: Background;
    metrics: Metrics;
    stop: AbortSignal;
  },
): Domains {
  const { log, now, monotonic } = world;
  const records = createCanaryRecords({ store: createCanaries(kv, { now }), now, monotonic });
  const tldStore = createTldStore(kv);
  const isAllowed = (base: string) => isRegistryBase(base, config.ALLOW_INSECURE_UPSTREAMS);
  const inquiry = lazy(async () => {
    const { createInquiry } = await import("./inquiry.ts");
    return createInquiry(config, world, { kv, metrics, records, tldStore, isAllowed, stop });
  });
  const tlds = createTldTable({
    wanted: config.TLDS,
    refreshRows: async (...args) => (await inquiry.get()).refreshRows(...args),
    store: tldStore,
    isAllowed,
    background,
    now,
  });
  const unread = new Map<string, number>();
  const answers = createDomainAnswers(kv, { now });
  const checks = createCheckDomain({
    openInquiry: inquiry.get,
    rowOf: async (tld) => (await tlds.fresh()).find((row) => row.tld === tld),
    keep: dropDistrusted(remembered(answers, { max: REMEMBERED_FINDINGS, now }), records),
    background,
    report: log.debug,
    reportUnread,
    reportFault: log.error,
    onAnswer({ tld, state, source, cause }) {
      metrics.answers.add(1, state, source);
      if (cause !== undefined) metrics.unknown.add(1, tld, cause);
    },
    now,
  });

  function reportUnread(tld: string, words: string): void {
    unread.set(tld, (unread.get(tld) ?? 0) + 1);
    log.warn("rdap.unread_notice", { tld, words });
  }

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

  function isDnsFailing(): boolean | undefined {
    const made = inquiry.made();
    return made && made.resolver.blindFor().length > 0 ? true : made?.isDnsFailing();
  }

  return {
    ...checks,
    tlds,
    inquiry,
    renewCanaries,
    isRdapFailing,
    isDnsFailing,
    unreadNotices: () => Object.fromEntries(unread),
    troubledHosts: () => inquiry.made()?.hostStates.troubled() ?? [],
    canaryStates: records.states,
  };
}
