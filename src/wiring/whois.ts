/** Composes WHOIS: the servers behind their gates, and what they say of a name. */
import { createWhoisQueries } from "../lookup/whois_queries.ts";
import { createServerTests, type ServerTests } from "../lookup/server_tests.ts";
import type { KnownNames } from "../lookup/known_names.ts";
import {
  createWhoisWitness,
  type TldWhois,
  whoisKind,
  type WhoisWitness,
} from "../lookup/whois_witness.ts";
import {
  NEEDED_SERVERS,
  whoisPace,
  whoisPort,
  whoisQuery,
  type WhoisServer,
} from "../rules/tables/whois_servers.ts";
import { createTestStore } from "../store/server_tests.ts";
import { createWhoisQuery } from "../sources/whois.ts";
import type { Base } from "./base.ts";
import type { createUpstreams } from "./upstreams.ts";

/** Composes it. */
export function createWhois(
  { config, platform, kv, hosts, background, stop }: Base,
  { upstreams, serverOf, names, witnessOf }: {
    /** With the RDAP hosts, whose limits count the queries of some servers, too. */
    upstreams: ReturnType<typeof createUpstreams>;
    serverOf: (tld: string) => Promise<WhoisServer | undefined>;
    names: KnownNames;
    /** A label that the TLD's RDAP server has a record of. */
    witnessOf: (tld: string) => string | undefined;
  },
): WhoisWitness {
  const { connectTcp, log, now, monotonic, timeouts, whoisPaceOf = whoisPace } = platform;
  if (config.WHOIS === "off") return SWITCHED_OFF;
  const query = createWhoisQuery({
    connect: connectTcp,
    allowInsecure: config.ALLOW_INSECURE_UPSTREAMS,
    stop,
    now,
    deadlineMs: timeouts?.whoisMs,
  });
  const queries = createWhoisQueries({
    query: (server, domain) =>
      query(
        config.WHOIS_SERVER ?? { hostname: server.host, port: whoisPort(server) },
        whoisQuery(server, domain),
      ),
    paceOf: whoisPaceOf,
    registryHostOf: upstreams.registries.hostOf,
    hosts,
  });
  const tests: ServerTests<TldWhois> = createServerTests(whoisKind(queries, witnessOf), {
    store: createTestStore(kv, "whois"),
    names,
    background,
    stop,
    log,
    now,
    monotonic,
  });
  return createWhoisWitness({
    queries,
    serverOf,
    tests,
    background,
    now,
  });
}

const OFF = "The operator has switched WHOIS off";

/** What the operator has switched off is not in service. */
const SWITCHED_OFF: WhoisWitness = {
  ask({ tld }, _wait, isFallback) {
    const host = isFallback ? undefined : NEEDED_SERVERS.get(tld);
    return Promise.resolve(host === undefined ? host : { kind: "absent", why: OFF, host });
  },
  needed: () => [...NEEDED_SERVERS].map(([tld, host]) => ({ tld, host, outOfService: OFF })),
};
