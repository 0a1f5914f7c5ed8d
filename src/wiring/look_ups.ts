/** Composes the look-ups of names: all that the command line needs, and what the service and its jobs stand on. */
import type { Config } from "../config.ts";
import { lazy } from "../flow/cache/lazy.ts";
import { createFindDetails } from "../lookup/domain_details.ts";
import { observedEns } from "../metrics/observed.ts";
import { createBase } from "./base.ts";
import { createDomains, type DomainsOptions } from "./domains.ts";
import type { Platform } from "./platform.ts";

/** The look-ups of a process, and how they end. */
export type LookUps = ReturnType<typeof createLookUps>;

/** Composes them. They send no request before the first look-up or refresh. */
export function createLookUps(
  config: Config,
  platform: Platform,
  options: DomainsOptions = {},
) {
  const stopping = new AbortController();
  const base = createBase(config, platform, { stop: stopping.signal });
  const { background } = base;
  const domains = createDomains(base, options);
  const { checkDomain, checkInDns, suffixes, tlds } = domains;
  const lazyEns = lazy(async () => (await import("./ens.ts")).createEns(base));
  const ens = observedEns({
    check: async (label) => (await lazyEns.get()).check(label),
    details: async (label) => (await lazyEns.get()).details(label),
    profile: async (label) => (await lazyEns.get()).profile(label),
  }, base.metrics);
  const details = createFindDetails({
    checkDomain,
    ens,
    records: domains.registryRecords,
    now: platform.now,
  });
  return {
    checkDomain,
    checkInDns,
    suffixes,
    tlds,
    base,
    domains,
    ens,
    renewEns: async (label: string, until: number) => (await lazyEns.get()).renew(label, until),
    /** Whether the last call to an Ethereum node failed; undefined before the first. */
    isEnsFailing: () => lazyEns.peek()?.isFailing(),
    ...details,
    /** Runs a task in the background, so that a shutdown waits for it. */
    async inBackground(task: Promise<unknown>) {
      background.run(task);
      await task;
    },
    /** Cancels all upstream requests: their callers get `unknown`. */
    giveUp: () => stopping.abort(),
    /** Cancels what is running; settles when KV may be closed. */
    async stop() {
      stopping.abort();
      await background.settled();
      await domains.settled();
      await base.kv.settled();
    },
  };
}
