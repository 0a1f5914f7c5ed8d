import { createApp } from "../../src/app.ts";
import { createLog } from "../../src/log.ts";
import type { Services } from "../../src/wiring/services.ts";

/** A broken table of TLDs; the message that it throws must not reach a client. */
export const BROKEN_TLDS: Services["tlds"] = {
  fresh: () => Promise.reject(new Error("secret")),
  enabled: () => Promise.resolve([]),
};

/** The app on services of which a part is replaced; getters stay getters. */
export function changedApp(
  services: Services,
  change: Partial<Services>,
  options?: Parameters<typeof createApp>[2],
) {
  /** The errors that it has logged, one line each. */
  const logged: string[] = [];
  const log = createLog({ level: "error", now: Date.now, write: (line) => logged.push(line) });
  const changed = { ...services };
  Object.defineProperties(changed, Object.getOwnPropertyDescriptors(change));
  const app = createApp(changed, log, options);
  /** Answers a request from the local machine, without a socket. */
  const ask = async (path: string, init?: RequestInit) => await app.request(path, init);
  return { app, ask, logged };
}
