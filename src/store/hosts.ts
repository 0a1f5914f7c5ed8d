/** Cooldowns of RDAP hosts: `["host", host]` → until when, so that every process leaves the host alone. */
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Cooldowns as all processes know them. */
export interface Cooldowns {
  /** Until when the host is to be left alone, in ms since 1970; 0 where nothing is known. */
  get(host: string): Promise<number>;
  /** Has the host left alone until then; a longer pause that another process was told to make stands. */
  set(host: string, coolUntil: number): Promise<void>;
}

interface Cooldown {
  readonly coolUntil: number;
}

/** Keeps cooldowns in KV. */
export function createCooldowns(kv: GuardedKv, { now }: { now: () => number }): Cooldowns {
  return {
    async get(host) {
      const entry = await kv.attempt((kv) => kv.get<Cooldown>(["host", host]), undefined);
      return entry?.value?.coolUntil ?? 0;
    },
    async set(host, coolUntil) {
      const change = {
        next: (kept?: Cooldown) => kept && kept.coolUntil >= coolUntil ? kept : { coolUntil },
        lifetimeMs: (cooldown: Cooldown) => cooldown.coolUntil - now(),
      };
      await kv.attempt((kv) => changeEntry<Cooldown>(kv, ["host", host], change), undefined);
    },
  };
}
