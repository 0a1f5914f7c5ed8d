import { createApp, type Handle } from "../../src/app.ts";
import { createLog } from "../../src/log.ts";
import type { Services } from "../../src/wiring/services.ts";

/** The app on services of which a test has changed a part. */
export interface ChangedApp {
  handle: Handle;
  /** Answers a request that comes by no socket. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The errors that it has logged, a line each. */
  logged: string[];
}

/** A table of TLDs that is broken; what it throws must not get out. */
export const BROKEN_TLDS: Services["tlds"] = {
  fresh: () => Promise.reject(new Error("secret")),
  enabled: () => Promise.resolve([]),
};

/** Changes a part of the services; a getter stays one. */
export function changedApp(services: Services, change: Partial<Services>): ChangedApp {
  const logged: string[] = [];
  const log = createLog({ level: "error", now: Date.now, write: (line) => logged.push(line) });
  const changed = { ...services };
  Object.defineProperties(changed, Object.getOwnPropertyDescriptors(change));
  const handle = createApp(changed, log);
  return {
    handle,
    ask: (path, init) => handle(new Request(`http://localhost${path}`, init), "127.0.0.1"),
    logged,
  };
}

/** A version that cannot be told at first: whatever prints it cannot be opened, and then it can. */
export function versionAtSecondTry(): Pick<Services, "version"> {
  let tries = 0;
  return {
    get version() {
      if (++tries === 1) throw new Error("secret");
      return "1";
    },
  };
}
