/** Cooldowns of RDAP hosts: `["host", host]` → until when, so that every process leaves the host alone. */
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Cooldowns as all processes know them. */
export interface Cooldowns {
  /** How long the host is to be left alone from now on, in ms; 0 where no pause is known. */
  leftMs(host: string): Promise<number>;
  /** Has the host left alone for `pauseMs` from now on; a longer pause that another process has set stands. */
  set(host: string, pauseMs: number): Promise<void>;
}

interface Cooldown {
  /** When the pause ends, in ms since 1970. */
  readonly coolUntil: number;
  /** How long the pause was when it was set. */
  readonly pauseMs: number;
}

/** How far the clocks of processes that share a KV may differ. */
const LARGEST_SKEW_MS = 60_000;

/** Keeps cooldowns in KV. */
export function createCooldowns(kv: GuardedKv, { now }: { now: () => number }): Cooldowns {
  /**
   * What is left of a pause. More than it was when it was set means that the clock was set back since: the pause is then
   * not kept, for it could last as long as the clock was set back, and a host that still wants it says so again.
   */
  function leftOf({ coolUntil, pauseMs }: Cooldown): number {
    const leftMs = coolUntil - now();
    return leftMs > pauseMs + LARGEST_SKEW_MS ? 0 : Math.max(0, Math.min(leftMs, pauseMs));
  }

  return {
    async leftMs(host) {
      const entry = await kv.attempt((kv) => kv.get<Cooldown>(["host", host]), undefined);
      return entry?.value ? leftOf(entry.value) : 0;
    },
    async set(host, pauseMs) {
      const change = {
        next: (kept?: Cooldown) =>
          kept && leftOf(kept) >= pauseMs ? kept : { coolUntil: now() + pauseMs, pauseMs },
        lifetimeMs: leftOf,
      };
      await kv.attempt((kv) => changeEntry<Cooldown>(kv, ["host", host], change), undefined);
    },
  };
}
