/** Composes WHOIS: the servers behind their gates, and what they say of a name. */
import type { Config } from "../config.ts";
import type { Background } from "../flow/background.ts";
import { createGate, type Gate } from "../flow/queue/gate.ts";
import type { UpstreamHosts } from "../flow/upstream_host.ts";
import type { AskWhois } from "../lookup/judge.ts";
import { createWhoisQueries } from "../lookup/whois_queries.ts";
import { createWhoisWitness } from "../lookup/whois_witness.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { observedGate, observedWhois } from "../metrics/observed.ts";
import { WHOIS_PORT, whoisPace, whoisQuery } from "../rules/tables/whois_servers.ts";
import { createWhoisQuery } from "../sources/whois.ts";
import type { Platform } from "./platform.ts";

/** The longest wait of a test query; clients wait for less. */
const MAX_QUEUE_MS = 15_000;

/** Composes it; undefined if the operator has switched it off. */
export function createWhois(
  config: Config,
  { connectTcp, log, now, monotonic, timeouts, whoisPaceOf = whoisPace }: Platform,
  { registries, hosts, labelsOf, background, metrics, stop }: {
    /** The gate of RDAP hosts, whose budget some servers share, and the cooldowns of these hosts. */
    registries: {
      gate: Pick<Gate, "run" | "expectedWaitMs" | "note">;
      pauseMs(host: string): Promise<number>;
    };
    hosts: UpstreamHosts;
    labelsOf: (tld: string) => Promise<readonly string[]>;
    background: Background;
    metrics: Metrics;
    stop: AbortSignal;
  },
): AskWhois | undefined {
  if (config.WHOIS === "off") return undefined;
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
          config.WHOIS_SERVER ?? { hostname: server.host, port: WHOIS_PORT },
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
    labelsOf,
    background,
    report: log.info,
    onReading: (host, result) => metrics.whois.add(1, host, result),
    monotonic,
    maxWaitMs: timeouts?.whoisMs,
  });
}
