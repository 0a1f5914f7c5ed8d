/** The platform: KV, network, log and clocks. Each process opens it explicitly, never at import. */
import type { Clock } from "../flow/process.ts";
import type { HostEnvironment } from "../flow/upstream_host.ts";
import manifest from "../../deno.json" with { type: "json" };
import { type Config, ignoredVariables, readConfig } from "../config.ts";
import { createLog, type Log, writeBySeverity, writeToStderr } from "../log.ts";
import type { ResolveNs, ResolveTxt } from "../sources/dns.ts";
import type { RdapTimeouts } from "../sources/rdap.ts";
import type { RegistrarTimes } from "../sources/registrars.ts";
import type { ConnectTcp } from "../sources/whois.ts";
import type { KvTimeouts } from "../store/guarded_kv.ts";
import { type Kv, type OpenKv, openKv, openUnlockedKv } from "../store/open_kv.ts";

/** The name of the npm package, its command and its folder in the user's cache. */
export const NAME = manifest.name;
/** The version of the service, its documents and its CLI. */
export const VERSION = manifest.version;

/** KV, network, log and clocks. */
export interface Platform extends Clock {
  kv: Kv;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  resolveNs: ResolveNs;
  connectTcp: ConnectTcp;
  resolveTxt: ResolveTxt;
  log: Log;
  /** Names the span of the current request by its route; absent without OpenTelemetry. */
  nameSpan?: ((method: string, route: string) => void) | undefined;
  /** The paces of hosts in place of their rows; only in tests. */
  paceOf?: HostEnvironment["paceOf"];
  /** Time limits of upstream requests and of KV; if absent, those that the modules name. */
  timeouts?: Timeouts;
}

/** Time limits that tests shorten. */
export interface Timeouts {
  rdap?: RdapTimeouts;
  /** For one WHOIS query, in ms. */
  whoisMs?: number;
  /** For one call to one Ethereum node, in ms. */
  rpcMs?: number;
  registrars?: RegistrarTimes;
  /** For the off-chain records of one .eth name, in ms. */
  offchainMs?: number;
  /** For the cache and for the rate limiter. */
  kv?: KvTimeouts;
}

/** Idle connections for each registry: the highest concurrency of `src/rules/tables/hosts.ts`. */
const IDLE_PER_HOST = 8;

/**
 * For KV in a file, of a command that is run several times at once: a run that went on without KV would ask a registry
 * beside the others, and so would each of the others.
 */
const PATIENT_KV: KvTimeouts = { deadlineMs: 60_000, pauseMs: 5_000 };

/**
 * Reads the environment over `defaults` and opens the platform that it configures; on a wrong value writes one line to stderr
 * and exits with 1. A server starts while a KV Connect server is unreachable, and connects later; a command waits while another
 * process locks KV's file, which the user is told. Rejects with one line for the user if KV cannot be opened.
 */
export async function openPlatform(
  defaults: Readonly<Record<string, string>> = {},
  { isServer = false } = {},
) {
  const config = readConfigOrExit(defaults);
  const { KV_PATH = "" } = config;
  const now = Date.now;
  const isPatient = !isServer && !/^https?:/.test(KV_PATH);
  const isCollected = config.DENO_DEPLOY !== undefined || config.OTEL_DENO === "true";
  const write = isCollected ? writeBySeverity : writeToStderr;
  const log = createLog({ level: config.LOG_LEVEL, now, write });
  const openOnce = () => Deno.openKv(config.KV_PATH);
  const onLocked = () => writeLine("Waiting for another program that has locked KV's file");
  const opening: Promise<OpenKv> = isServer
    ? openKv(openOnce, { report: log.warn })
    : openUnlockedKv(openOnce, { onLocked });
  const kv = await opening.catch((error) => {
    throw new Error(`cannot open KV at KV_PATH="${KV_PATH}" (a path, :memory: or a URL): ${error}`);
  });
  // Deno sets this symbol where OTEL_DENO enables OpenTelemetry.
  const isTraced = Symbol.for("opentelemetry.js.api.1") in globalThis;
  const tracing = isTraced ? await import("../tracing.ts") : undefined;
  const http = createFetch();
  const variables = ignoredVariables(Deno.env.toObject());
  if (variables.length > 0) log.warn("config.ignored", { variables });
  const platform = {
    kv,
    fetch: http.fetch,
    nameSpan: tracing?.nameSpan,
    resolveNs: Deno.resolveDns,
    connectTcp: Deno.connect,
    resolveTxt: Deno.resolveDns,
    log,
    now,
    monotonic: () => performance.now(),
    ...(isPatient && { timeouts: { kv: PATIENT_KV } }),
    close() {
      http.close();
      kv.close();
    },
  };
  return { config, platform };
}

/**
 * Fetches by HTTP/1.1, since pooled connections of HTTP/2 may stall for ever in the body (denoland/deno#21749); from an origin that
 * asks for another version (426, RFC 9110 §15.5.22) by HTTP/2, each request over a connection of its own.
 */
export function createFetch(trust: Pick<Deno.CreateHttpClientOptions, "caCerts"> = {}) {
  const usual = Deno.createHttpClient({
    ...trust,
    http2: false,
    poolMaxIdlePerHost: IDLE_PER_HOST,
  });
  const upgraded = Deno.createHttpClient({ ...trust, http2: true, poolMaxIdlePerHost: 0 });
  const upgradedOrigins = new Set<string>();
  const ask: Platform["fetch"] = async (url, init) => {
    const { origin } = new URL(url);
    if (!upgradedOrigins.has(origin)) {
      const response = await fetch(url, { ...init, client: usual });
      if (response.status !== 426) return response;
      await response.body?.cancel();
      upgradedOrigins.add(origin);
    }
    return await fetch(url, { ...init, client: upgraded });
  };
  return {
    fetch: ask,
    close() {
      usual.close();
      upgraded.close();
    },
  };
}

/** Reads the environment over `defaults`; on an error writes one line to stderr and exits with 1. */
export function readConfigOrExit(defaults: Readonly<Record<string, string>> = {}): Config {
  try {
    return readConfig({ ...defaults, ...Deno.env.toObject() });
  } catch (error) {
    exitWith(error);
  }
}

/** Opens the platform as `openPlatform()` does; on any error writes one line to stderr and exits with 1. */
export async function openPlatformOrExit(...args: Parameters<typeof openPlatform>) {
  return await openPlatform(...args).catch(exitWith);
}

/** Ends a failed start: writes one line to stderr and exits with 1. */
export function exitWith(error: unknown): never {
  const line = (error instanceof Error ? error.message : String(error)).replaceAll("\n", " ");
  writeLine(`Cannot start: ${line}`);
  Deno.exit(1);
}

/** The terminal sends Ctrl-C to the whole process group and `deno task` forwards it: signals this close are one. */
const SAME_KEY_MS = 1_000;

/**
 * Calls `end` at the first signal to end, but SIGHUP, which nohup has ignored. A second one ends the process at once, unless
 * `isBounded`: what goes on ends soon by itself.
 */
export function onEndingSignal(end: () => void, { isBounded = false } = {}): void {
  let endedAt: number | undefined;
  // Windows has the first only.
  const count = Deno.build.os === "windows" ? 1 : 2;
  for (const signal of (["SIGINT", "SIGTERM"] as const).slice(0, count)) {
    Deno.addSignalListener(signal, () => {
      if (endedAt === undefined) {
        endedAt = performance.now();
        end();
      } else if (!isBounded && performance.now() - endedAt > SAME_KEY_MS) Deno.exit(130);
    });
  }
}

/** Tells the user before there is a log. */
function writeLine(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}
