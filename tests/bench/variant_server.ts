/**
 * The service with a part removed, to measure what that part costs: `uncounted` has no limiter, `unranked` also does not
 * count popular names. It reads the usual environment.
 */
import { createApp } from "../../src/app.ts";
import { openPlatformOrExit } from "../../src/wiring/platform.ts";
import { createServices, type Services } from "../../src/wiring/services.ts";

const VARIANTS: Readonly<Record<string, (services: Services) => Services>> = {
  uncounted: withoutLimiter,
  unranked: (services) => ({ ...withoutLimiter(services), popular: { count() {} } }),
};

const change = VARIANTS[Deno.args[0] ?? ""];
if (change === undefined) throw new Error(`Cannot start: no variant ${Deno.args[0]}`);
const { config, platform } = await openPlatformOrExit();
const app = createApp(change(createServices(config, platform)), platform.log);
Deno.serve(
  { port: config.PORT, hostname: config.HOST, onListen() {} },
  app.fetch,
);

/** Admits every request and counts nothing. */
function withoutLimiter(services: Services): Services {
  const standing = { remaining: 59, resetAt: Date.now() + 60_000 };
  const admission = Promise.resolve({ kind: "admitted" as const, at: Date.now(), ...standing });
  const limiter = { admit: () => admission, peek: () => standing };
  return { ...services, limits: { ...services.limits, limiter } };
}
