/** Composes the upstreams of a domain look-up: DNS, the registries with their canaries, IANA's table, and registrars. */
import { type CanaryProbe, createCanaryProbe, madeUpLabel } from "../lookup/canary_probe.ts";
import type { CanaryRecords } from "../lookup/canary_records.ts";
import { createCanaryWatch } from "../lookup/canary_watch.ts";
import { createResolvers } from "../lookup/resolvers.ts";
import type { Suffixes } from "../lookup/suffixes.ts";
import { createTldRefresh } from "../lookup/tld_refresh.ts";
import type { TldStore } from "../store/tld_editions.ts";
import type { Base } from "./base.ts";
import { createRegistrars } from "./registrars.ts";
import { createUpstreams, type Upstreams } from "./upstreams.ts";
import { createWhois } from "./whois.ts";

/** Composes DNS, the registries with WHOIS, their canaries, the refresh of IANA's table, and the registrars. */
export function createDomainUpstreams(
  base: Base,
  { records, tldStore, suffixes, admitTest, isAllowed }: {
    records: CanaryRecords;
    tldStore: Pick<TldStore, "set" | "setListed">;
    suffixes: Pick<Suffixes, "rowOf" | "whoisServerOf">;
    /** The ms until a client of a site may have the registry of a TLD tested; 0: now. */
    admitTest: (tld: string, site: string) => Promise<number>;
    isAllowed: (base: string) => boolean;
  },
) {
  const { config, platform: { log, now, monotonic }, background, metrics, tldLabel, stop } = base;
  const upstreams = createUpstreams(base);
  const { registries, rdapGate, cooldowns, fetchBootstrap: fetchFile } = upstreams;
  const { isDelegated: first, isDelegatedByFallback: fallback } = upstreams;
  const ofRandom = (denies: Upstreams["denies"]) =>
    denies && ((tld: string) => denies(`${madeUpLabel()}.${tld}`));
  const resolvers = createResolvers({
    first,
    fallback,
    denies: ofRandom(upstreams.denies),
    deniesByFallback: ofRandom(upstreams.deniesByFallback),
    monotonic,
  });
  const { isDelegated } = resolvers;
  const { labelsOf, noteDelegated, ...tester } = createCanaryProbe({
    ask: registries.ask,
    resolvers,
  });
  const probe = {
    askRandom: tester.askRandom,
    async test(...[row, ...rest]: Parameters<CanaryProbe["test"]>) {
      const canary = await tester.test(row, ...rest);
      metrics.canaries.add(1, tldLabel(row.tld), canary.kind);
      return canary;
    },
  };
  const watch = createCanaryWatch({ probe, records, admitTest, background, stop, log, monotonic });
  const canary = { ...watch, labelsOf, noteDelegated };
  const refreshTable = createTldRefresh({
    wanted: config.TLDS,
    source: config.RDAP_BOOTSTRAP_URL,
    fetchFile,
    store: tldStore,
    canary,
    isAllowed,
    report: log.info,
    now,
  });
  const whois = createWhois(base, {
    registries: { gate: rdapGate, pauseMs: registries.pauseMs },
    cooldowns,
    serverOf: suffixes.whoisServerOf,
    async labelsOf(tld) {
      const row = await suffixes.rowOf(tld);
      const result = row && await records.lastResult(row);
      const witness = result?.kind === "passed" ? [result.witness] : [];
      return [...new Set([...witness, ...labelsOf(tld)])];
    },
  });
  return {
    ...upstreams,
    isDelegated,
    resolvers,
    canary,
    refreshTable,
    whois,
    askRegistrars: createRegistrars(base),
  };
}
