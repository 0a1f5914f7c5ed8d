/** The real outside world: KV, the network, the clock. Opened by whatever process needs it, never at import. */
import manifest from "../../deno.json" with { type: "json" };
import { type Config, readConfig } from "../config.ts";
import type { Pace } from "../flow/gate.ts";
import { createLog, type Log, writeBySeverity, writeToStderr } from "../log.ts";
import type { ResolveNs } from "../sources/dns.ts";
import type { RdapTimeouts } from "../sources/rdap.ts";
import { type Kv, type OpenKv, openKv } from "../store/open_kv.ts";

/** The version of all that is in this repository. */
export const VERSION = manifest.version;

/** KV, network, log and clocks, as the service uses them. */
export interface Platform {
  kv: Kv;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  resolveNs: ResolveNs;
  log: Log;
  /** The wall clock, for facts: ms since 1970. */
  now: () => number;
  /** A clock in ms that is never set back, for waiting. */
  monotonic: () => number;
  version: string;
  /** Names the span of the request that is being answered by its route; absent without OpenTelemetry. */
  nameSpan?: ((method: string, route: string) => void) | undefined;
  /** How fast each RDAP host is asked; the table of `src/rules/host_policies.ts` if absent. */
  paceOf?: (host: string) => Pace;
  /** Time limits of upstream requests; those of `src/sources` if absent. */
  timeouts?: Timeouts;
}

/** Time limits that tests shorten. */
export interface Timeouts {
  rdap?: RdapTimeouts;
  /** For one call to one Ethereum node, in ms. */
  rpcMs?: number;
}

/** A world that must be closed after the services that live in it have stopped. */
export interface OpenPlatform extends Platform {
  close(): void;
}

/** Idle connections that are kept for each registry, as many as the politest of them lets us use at once. */
const IDLE_PER_HOST = 8;

/** How a process deals with a KV Connect server that it cannot reach when it starts. */
export interface PlatformOptions {
  /** Whether it starts without KV and takes it up later; otherwise the start ends. */
  startsWithoutKv?: boolean;
}

/** Opens the world that the configuration names. Rejects where KV cannot be opened. */
export async function openPlatform(
  config: Config,
  { startsWithoutKv = false }: PlatformOptions = {},
): Promise<OpenPlatform> {
  const now = Date.now;
  const isCollected = config.DENO_DEPLOY !== undefined || config.OTEL_DENO === "true";
  const write = isCollected ? writeBySeverity : writeToStderr;
  const log = createLog({ level: config.LOG_LEVEL, now, write });
  const open = () => Deno.openKv(config.KV_PATH);
  const kv: OpenKv = await (startsWithoutKv ? openKv(open, { report: log.warn }) : open());
  // Deno sets this where OTEL_DENO has switched OpenTelemetry on.
  const isTraced = Symbol.for("opentelemetry.js.api.1") in globalThis;
  const tracing = isTraced ? await import("../tracing.ts") : undefined;
  let client: Deno.HttpClient | undefined;
  // HTTP/2 connections that Deno takes from its pool may stall for ever in the body (denoland/deno#21749).
  const openClient = () =>
    client ??= Deno.createHttpClient({ http2: false, poolMaxIdlePerHost: IDLE_PER_HOST });
  const ask: Platform["fetch"] = (url, init) => fetch(url, { ...init, client: openClient() });
  return {
    kv,
    fetch: tracing?.traced(ask) ?? ask,
    nameSpan: tracing?.nameSpan,
    resolveNs: Deno.resolveDns,
    log,
    now,
    monotonic: () => performance.now(),
    version: VERSION,
    close() {
      client?.close();
      kv.close();
    },
  };
}

/** Reads the environment, over `defaults`; a fault is one line on stderr and exit 1. */
export function readConfigOrExit(defaults: Readonly<Record<string, string>> = {}): Config {
  try {
    return readConfig({ ...defaults, ...Deno.env.toObject() });
  } catch (error) {
    exitWith(error);
  }
}

/**
 * Reads the environment, over `defaults`, and opens its world; a fault of either is one line on stderr and exit 1.
 */
export async function openPlatformOrExit(
  defaults: Readonly<Record<string, string>> = {},
  options: PlatformOptions = {},
): Promise<{ config: Config; platform: OpenPlatform }> {
  const config = readConfigOrExit(defaults);
  try {
    return { config, platform: await openPlatform(config, options) };
  } catch (error) {
    const { KV_PATH = "" } = config;
    exitWith(`KV_PATH holds ${JSON.stringify(KV_PATH)}, but KV cannot be opened there: ${error}`);
  }
}

/** Ends a start that failed: one line on stderr, exit 1. */
export function exitWith(error: unknown): never {
  const line = (error instanceof Error ? error.message : String(error)).replaceAll("\n", " ");
  Deno.stderr.writeSync(new TextEncoder().encode(`Cannot start: ${line}\n`));
  Deno.exit(1);
}
