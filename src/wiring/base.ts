/** What all parts of a process share. */
import type { Config } from "../config.ts";
import { createBackground } from "../flow/background.ts";
import { createUpstreamHosts } from "../flow/upstream_host.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { observedKv, observeHosts } from "../metrics/observed.ts";
import { createGuardedGet, createGuardedPost } from "../sources/http.ts";
import { guardKv } from "../store/guarded_kv.ts";
import { createSharedHosts } from "../store/shared_hosts.ts";
import type { Platform } from "./platform.ts";

/** The configuration and the platform, and on them KV, the way to upstreams, background work and metrics. */
export type Base = ReturnType<typeof createBase>;

/** Creates it. `stop` is aborted when the process stops: it cancels running requests and rejects new ones. */
export function createBase(
  config: Config,
  platform: Platform,
  { stop }: { stop: AbortSignal },
) {
  const { fetch, log, monotonic, timeouts } = platform;
  const metrics = createMetrics();
  const guarded = guardKv(platform.kv, { report: log.warn, monotonic, ...timeouts?.kv });
  const kv = observedKv(guarded, metrics, monotonic);
  const guard = { fetch, allowInsecure: config.ALLOW_INSECURE_UPSTREAMS, stop };
  return {
    config,
    platform,
    kv,
    hosts: createUpstreamHosts({
      ...platform,
      report: log.warn,
      shared: createSharedHosts(kv, platform),
      observer: observeHosts(metrics),
      stop,
    }),
    get: createGuardedGet(guard),
    post: createGuardedPost(guard),
    background: createBackground((error) => log.error("background.failed", { error: `${error}` })),
    metrics,
    /** A TLD as metrics name it: strangers choose those that are not enabled, of which there are thousands. */
    tldLabel: (tld: string) => config.TLDS.includes(tld) ? tld : "other",
    stop,
  };
}
