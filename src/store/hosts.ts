/** Cooldowns of RDAP hosts: `["host", host]` → until when, so that every process leaves the host alone. */
import type { GuardedKv } from "./guarded_kv.ts";

/** Cooldowns as all processes know them. */
export interface Cooldowns {
  /** Until when the host is to be left alone, in ms since 1970; 0 where nothing is known. */
  get(host: string): Promise<number>;
  set(host: string, coolUntil: number): Promise<void>;
}

/** Keeps cooldowns in KV. */
export function createCooldowns(kv: GuardedKv, { now }: { now: () => number }): Cooldowns {
  return {
    async get(host) {
      const entry = await kv.attempt(
        (kv) => kv.get<{ coolUntil: number }>(["host", host]),
        undefined,
      );
      return entry?.value?.coolUntil ?? 0;
    },
    async set(host, coolUntil) {
      const expireIn = Math.max(1, Math.round(coolUntil - now()));
      await kv.attempt((kv) => kv.set(["host", host], { coolUntil }, { expireIn }), undefined);
    },
  };
}
