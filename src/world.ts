/** The real outside world: KV, the network, the clock. Opened by whatever process needs it, never at import. */
import manifest from "../deno.json" with { type: "json" };
import { type Config, readConfig } from "./config.ts";
import { createLog } from "./log.ts";
import type { World } from "./upstreams.ts";

/** The version of all that is in this repository. */
export const VERSION = manifest.version;

/** A world that must be closed after the services that live in it have stopped. */
export interface OpenWorld extends World {
  close(): void;
}

/** Idle connections that are kept for each registry, as many as the politest of them lets us use at once. */
const IDLE_PER_HOST = 8;

/** Opens the world that the configuration names. Rejects where KV cannot be opened: better no start than no memory. */
export async function openWorld(config: Config): Promise<OpenWorld> {
  const now = Date.now;
  const kv = await Deno.openKv(config.KV_PATH);
  let client: Deno.HttpClient | undefined;
  // HTTP/2 connections that Deno takes from its pool may stall for ever in the body (denoland/deno#21749).
  const openClient = () =>
    client ??= Deno.createHttpClient({ http2: false, poolMaxIdlePerHost: IDLE_PER_HOST });
  return {
    kv,
    fetch: (url, init) => fetch(url, { ...init, client: openClient() }),
    resolveNs: Deno.resolveDns,
    log: createLog({ level: config.LOG_LEVEL, now }),
    now,
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
export async function openWorldOrExit(
  defaults: Readonly<Record<string, string>> = {},
): Promise<{ config: Config; world: OpenWorld }> {
  const config = readConfigOrExit(defaults);
  try {
    return { config, world: await openWorld(config) };
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
