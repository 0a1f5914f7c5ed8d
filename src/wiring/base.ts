/** What all parts of a process share. */
import type { Config } from "../config.ts";
import { createBackground } from "../flow/background.ts";
import type { Clock } from "../flow/clock.ts";
import { createGate, type Gate, type Pace } from "../flow/queue/gate.ts";
import { createOwnSchedule, type Schedule } from "../flow/queue/schedule.ts";
import { createSharedSchedule } from "../flow/queue/shared_schedule.ts";
import { createUpstreamHosts } from "../flow/upstream_host.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { observedGate, observedKv, observedRequests } from "../metrics/observed.ts";
import { createGuardedGet, createGuardedPost } from "../sources/http.ts";
import { type GuardedKv, guardKv } from "../store/guarded_kv.ts";
import { createPaces } from "../store/paces.ts";
import type { Platform } from "./platform.ts";

/** The configuration and the platform, and on them KV, the way to upstreams, background work and metrics. */
export type Base = ReturnType<typeof createBase>;

/** The longest wait in a queue: clients do not wait longer. */
export const MAX_QUEUE_MS = 15_000;

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
  const scheduleOf = createHostSchedules(kv, platform);

  /** Creates a gate that counts its waits and is closed when the process stops. */
  function openGate({ paceOf, maxWaitMs = MAX_QUEUE_MS, isShared = false }: {
    paceOf: (key: string) => Pace;
    maxWaitMs?: number;
    /** Whether all processes on the KV share the pace of a key. */
    isShared?: boolean;
  }): Gate {
    const gate = createGate({ paceOf, maxWaitMs, monotonic, ...(isShared && { scheduleOf }) });
    if (stop.aborted) gate.close();
    else stop.addEventListener("abort", gate.close, { once: true });
    return observedGate(gate, metrics, monotonic);
  }

  return {
    config,
    platform,
    kv,
    hosts: createUpstreamHosts({ ...platform, report: log.warn }),
    get: observedRequests(createGuardedGet(guard), metrics, monotonic),
    post: observedRequests(createGuardedPost(guard), metrics, monotonic),
    openGate,
    background: createBackground((error) => log.error("background.failed", { error: `${error}` })),
    metrics,
    /** A TLD as metrics name it: strangers choose those that are not enabled, of which there are thousands. */
    tldLabel: (tld: string) => config.TLDS.includes(tld) ? tld : "other",
    stop,
  };
}

/** Creates the schedules of hosts; all processes on the KV share that of a host with a pace. */
export function createHostSchedules(
  kv: GuardedKv,
  { now, monotonic }: Clock,
): (host: string, pace: Pace, wake: () => void) => Schedule {
  const paces = createPaces(kv);
  return (host, pace, wake) => {
    if (pace.everyMs === 0) return createOwnSchedule(pace, { monotonic });
    return createSharedSchedule(pace, {
      change: (next) => paces.change(host, next),
      horizonMs: MAX_QUEUE_MS,
      now,
      monotonic,
      wake,
    });
  };
}
