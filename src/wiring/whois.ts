/** Composes WHOIS: the servers behind their gates, and what they say of a name. */
import type { Config } from "../config.ts";
import type { Background } from "../flow/background.ts";
import { createGate, type Gate } from "../flow/queue/gate.ts";
import type { GuardedKv } from "../store/guarded_kv.ts";
import type { UpstreamHosts } from "../flow/upstream_host.ts";
import { createWhoisQueries } from "../lookup/whois_queries.ts";
import { createWhoisWitness, type WhoisWitness } from "../lookup/whois_witness.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { observedGate, observedWhois } from "../metrics/observed.ts";
import {
  NEEDED_SERVERS,
  whoisPace,
  whoisPort,
  whoisQuery,
  type WhoisServer,
} from "../rules/tables/whois_servers.ts";
import { createWhoisServiceStore } from "../store/whois_services.ts";
import { createWhoisQuery } from "../sources/whois.ts";
import type { Platform } from "./platform.ts";

/** The longest wait of a test query; clients wait for less. */
const MAX_QUEUE_MS = 15_000;

/** One clean 404 in so many is compared with WHOIS where that is not needed: enough to find a server that withholds names. */
const SAMPLED = 20;

/** Composes it. */
export function createWhois(
  config: Config,
  { connectTcp, log, now, monotonic, random, timeouts, whoisPaceOf = whoisPace }: Platform,
  { kv, registries, hosts, serverOf, labelsOf, background, metrics, stop }: {
    kv: GuardedKv;
    /** The gate of RDAP hosts, whose budget some servers share, and the cooldowns of these hosts. */
    registries: {
      gate: Pick<Gate, "run" | "expectedWaitMs" | "note">;
      pauseMs(host: string): Promise<number>;
    };
    hosts: UpstreamHosts;
    serverOf: (tld: string) => Promise<WhoisServer | undefined>;
    labelsOf: (tld: string) => Promise<readonly string[]>;
    background: Background;
    metrics: Metrics;
    stop: AbortSignal;
  },
): WhoisWitness {
  if (config.WHOIS === "off") return SWITCHED_OFF;
  const query = createWhoisQuery({
    connect: connectTcp,
    allowInsecure: config.ALLOW_INSECURE_UPSTREAMS,
    stop,
    now,
    deadlineMs: timeouts?.whoisMs,
  });
  const gate = observedGate(
    createGate({ paceOf: whoisPaceOf, maxWaitMs: MAX_QUEUE_MS, monotonic }),
    metrics,
    monotonic,
  );
  if (stop.aborted) gate.close();
  else stop.addEventListener("abort", gate.close, { once: true });
  const queries = createWhoisQueries({
    query: observedWhois(
      (server, domain) =>
        query(
          config.WHOIS_SERVER ?? { hostname: server.host, port: whoisPort(server) },
          whoisQuery(server, domain),
        ),
      metrics,
      monotonic,
    ),
    gate,
    shared: registries,
    hosts,
  });
  return createWhoisWitness({
    queries,
    serverOf,
    store: createWhoisServiceStore(kv),
    isSampled: () => random() < 1 / SAMPLED,
    needsNone: config.WHOIS === "sampled",
    labelsOf,
    background,
    report: log.info,
    onReading: (host, result) => metrics.whois.add(1, host, result),
    now,
    monotonic,
    everyMs: (host) => whoisPaceOf(host).everyMs,
    maxWaitMs: timeouts?.whoisMs,
  });
}

const OFF = "The operator has switched WHOIS off";

/** What the operator has switched off is not in service. */
const SWITCHED_OFF: WhoisWitness = {
  ask({ tld }, _wait, isFallback) {
    const host = isFallback ? undefined : NEEDED_SERVERS.get(tld);
    return Promise.resolve(host === undefined ? host : { kind: "absent", why: OFF, host });
  },
  noteRefusal: () => Promise.resolve(),
  needed: () => [...NEEDED_SERVERS].map(([tld, host]) => ({ tld, host, outOfService: OFF })),
};
