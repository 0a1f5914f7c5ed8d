import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { createLog } from "../../src/log.ts";
import { hostPolicy, type Pace, whoisPace } from "../../src/rules/tables/hosts.ts";
import type { OpenKv } from "../../src/store/open_kv.ts";
import type { Timeouts } from "../../src/wiring/platform.ts";
import { createServices } from "../../src/wiring/services.ts";
import type { Lab } from "../lab/lab.ts";
import { labEnv } from "../lab/lab_env.ts";
import { assertDocumented } from "./documented.ts";
import { fetchText } from "./fetch_text.ts";
import { startHttpServer } from "./http_server.ts";
import { UNLIMITED } from "./unlimited.ts";

/** The service in this process, on a real port and on the lab. */
export type RunningService = Awaited<ReturnType<typeof startService>>;

// deno-lint-ignore no-explicit-any -- tests read answers of every shape
export type Json = any;

/** Starts the service on the lab; stopping it closes `kv`. */
export async function startService(
  lab: Pick<Lab, "dnsServer" | "proxyUrl">,
  {
    env = {},
    kv,
    now = Date.now,
    // Where a test sets the time, paces go on by themselves.
    monotonic = now === Date.now ? now : () => now() + performance.now(),
    awaitTable = true,
    paceOf = (host) => quick(hostPolicy(host)),
    whoisPaceOf = (host) => quick(whoisPace(host)),
    timeouts = {},
  }: {
    env?: Record<string, string>;
    kv?: OpenKv;
    now?: () => number;
    /** The clock for waiting; separate only where a test sets the wall clock alone. */
    monotonic?: () => number;
    /** Whether to wait until IANA's table has been read, however slow the machine. */
    awaitTable?: boolean;
    /** How fast each registry's host is asked: a hundred times production's pace, unless the test is about the pace. */
    paceOf?: (host: string) => Pace;
    /** The same of each WHOIS server. */
    whoisPaceOf?: (host: string) => Pace;
    /** Time limits of upstream requests; production's if absent. */
    timeouts?: Timeouts;
  } = {},
) {
  const config = readConfig({ ...labEnv(lab), ...UNLIMITED, LOG_LEVEL: "debug", ...env });
  const client = Deno.createHttpClient({ http2: false });
  /** What it has logged, parsed. */
  const events: Record<string, unknown>[] = [];
  const write = (line: string) => events.push(JSON.parse(line));
  const log = createLog({ level: config.LOG_LEVEL, now, write });
  const opened = kv ?? await Deno.openKv(":memory:");
  const services = createServices(config, {
    kv: opened,
    fetch: (url, init) => fetchFromLab(lab, url, { ...init, client }),
    resolveNs: Deno.resolveDns,
    connectTcp: Deno.connect,
    resolveTxt: Deno.resolveDns,
    log,
    now,
    monotonic,
    paceOf: (kind, host) =>
      kind === "rdap" ? paceOf(host) : kind === "whois" ? whoisPaceOf(host) : undefined,
    timeouts,
  });
  const refreshed = services.renewTlds();
  if (awaitTable) await refreshed;
  const app = createApp(services, log);
  const server = startHttpServer(app.fetch);
  const { url } = server;

  /** GETs a path and parses the body as JSON, which must be as the service documents it. */
  async function get(path: string, init: RequestInit = {}) {
    const { text, ...answer } = await fetchText(`${url}${path}`, init);
    const body: Json = text === "" ? undefined : JSON.parse(text);
    assertDocumented(path, init, answer, body);
    return { ...answer, body };
  }

  return {
    url,
    services,
    events,
    get,
    /** Checks one domain and returns its row. */
    async check(domain: string): Promise<DomainResult> {
      const dot = domain.indexOf(".");
      const [label, tld] = [domain.slice(0, dot), domain.slice(dot + 1)];
      const { body } = await get(`/check?name=${label}&tld=${tld}`);
      return body.results[0];
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await services.stop();
      client.close();
      opened.close();
    },
  };
}

/** Production's bursts and concurrency, with a hundredth of its pauses: 10 ms in place of a second. */
function quick(pace: Pace): Pace {
  return { ...pace, everyMs: pace.everyMs / 100 };
}

/**
 * Asks the lab at its address for a URL of any host. Through a proxy, Deno's fetch would look up each host in the
 * system's DNS first, whose lost queries take 5 s to be repeated.
 */
function fetchFromLab(
  lab: Pick<Lab, "proxyUrl">,
  url: string,
  init: RequestInit & { client: Deno.HttpClient },
): Promise<Response> {
  const { hostname, host, pathname, search } = new URL(url);
  // Ethereum's nodes are servers of their own, asked at their addresses.
  if (hostname === "127.0.0.1") return fetch(url, init);
  const headers = new Headers(init.headers);
  headers.set("x-forwarded-host", host);
  return fetch(`${lab.proxyUrl}${pathname}${search}`, { ...init, headers });
}
