import type { Services } from "../../src/wiring/services.ts";

/** The service without its limiter: everybody is let in, and nothing is counted. */
export function withoutLimiter(services: Services): Services {
  const standing = { remaining: 59, resetAt: Date.now() + 60_000 };
  const admission = Promise.resolve({ kind: "admitted" as const, at: Date.now(), ...standing });
  const limiter = { admit: () => admission, peek: () => standing };
  return { ...services, limits: { ...services.limits, limiter } };
}
