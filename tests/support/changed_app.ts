import { createApp, type Handle } from "../../src/app.ts";
import { createLog } from "../../src/log.ts";
import type { Services } from "../../src/wiring/services.ts";

/** The app on services that a test has partly replaced. */
export interface ChangedApp {
  handle: Handle;
  /** Answers a request without a socket. */
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
export function changedApp(services: Services, change: Partial<Services>): ChangedApp {
  const logged: string[] = [];
  const log = createLog({ level: "error", now: Date.now, write: (line) => logged.push(line) });
  const changed = { ...services };
  Object.defineProperties(changed, Object.getOwnPropertyDescriptors(change));
  const handle = createApp(changed, log);
  return {
    handle,
    ask: async (path, init) =>
      await handle(new Request(`http://localhost${path}`, init), "127.0.0.1"),
    logged,
  };
}

/** A version whose first read throws: the module that renders it fails to load once, and loads at the second try. */
export function versionAtSecondTry(): Pick<Services, "version"> {
  let tries = 0;
  return {
    get version() {
      if (++tries === 1) throw new Error("secret");
      return "1";
    },
  };
}
