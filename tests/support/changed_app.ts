import { createApp } from "../../src/app.ts";
import { createLog } from "../../src/log.ts";
import type { Services } from "../../src/wiring/services.ts";

/** The app on services that a test has partly replaced. */
export interface ChangedApp {
  app: ReturnType<typeof createApp>;
  /** Answers a request from the local machine, without a socket. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The errors that it has logged, one line each. */
  logged: string[];
}

/** A broken table of TLDs; the message that it throws must not reach a client. */
export const BROKEN_TLDS: Services["tlds"] = {
  fresh: () => Promise.reject(new Error("secret")),
  enabled: () => Promise.resolve([]),
};

/** Replaces a part of the services; getters stay getters. */
export function changedApp(
  services: Services,
  change: Partial<Services>,
  options?: Parameters<typeof createApp>[2],
): ChangedApp {
  const logged: string[] = [];
  const log = createLog({ level: "error", now: Date.now, write: (line) => logged.push(line) });
  const changed = { ...services };
  Object.defineProperties(changed, Object.getOwnPropertyDescriptors(change));
  const app = createApp(changed, log, options);
  return { app, ask: async (path, init) => await app.request(path, init), logged };
}
