/**
 * Cooldowns of RDAP hosts: `["cooldowns"]` → host → until when no process sends requests to it. One value for all hosts
 * makes a check of every TLD read once.
 */
import { changeEntry, type KnownEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Cooldowns as all processes know them. */
export interface Cooldowns {
  /**
   * How much of a host's cooldown is left, in ms; 0 where none is known. A cooldown set by another process is known here
   * within three seconds.
   */
  leftMs(host: string): Promise<number>;
  /** Starts a cooldown of `pauseMs`, unless a longer one that another process has set is running. */
  set(host: string, pauseMs: number): Promise<void>;
}

interface Cooldown {
  /** When it ends, in ms since 1970. */
  readonly coolUntil: number;
  /** How long it was when it was set. */
  readonly pauseMs: number;
}

/** By host. */
type AllCooldowns = Readonly<Record<string, Cooldown>>;

const KEY: Deno.KvKey = ["cooldowns"];
/** How long a read is good for: the longest time that a cooldown set by another process stays unknown here. */
const FRESH_MS = 3_000;
/** How far the clocks of processes that share a KV may differ. */
const LARGEST_SKEW_MS = 60_000;

/** Stores cooldowns in KV; `monotonic` is a clock in ms that is never set back. */
export function createCooldowns(
  kv: GuardedKv,
  { now, monotonic }: { now: () => number; monotonic: () => number },
): Cooldowns {
  let known: KnownEntry<AllCooldowns> | undefined;
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  /**
   * A cooldown with more left than its length means that the clock was set back. It is ignored, because it could last as
   * long as the clock was set back; a host that still needs the pause asks for it again.
   */
  function leftOf({ coolUntil, pauseMs }: Cooldown): number {
    const leftMs = coolUntil - now();
    return leftMs > pauseMs + LARGEST_SKEW_MS ? 0 : Math.max(0, Math.min(leftMs, pauseMs));
  }

  async function read(): Promise<void> {
    const before = known;
    const startedAt = monotonic();
    // A replica that is behind would break the bound of three seconds, so this read is a strong one.
    const entry = await kv.attempt((kv) => kv.get<AllCooldowns>(KEY), undefined);
    // An entry that this process has written meanwhile is newer.
    if (entry !== undefined && known === before) known = entry;
    // Also where KV failed, which must not be read more often than one that works.
    readAt = startedAt;
  }

  return {
    async leftMs(host) {
      if (monotonic() - readAt >= FRESH_MS) {
        await (reading ??= read().finally(() => reading = undefined));
      }
      const cooldown = known?.value?.[host];
      return cooldown === undefined ? 0 : leftOf(cooldown);
    },
    async set(host, pauseMs) {
      const next = (current: AllCooldowns = {}): AllCooldowns => {
        const running = current[host];
        if (running !== undefined && leftOf(running) >= pauseMs) return current;
        const others = Object.entries(current).filter(([, { coolUntil }]) => coolUntil > now());
        return { ...Object.fromEntries(others), [host]: { coolUntil: now() + pauseMs, pauseMs } };
      };
      const lifetimeMs = (all: AllCooldowns) => Math.max(...Object.values(all).map(leftOf));
      const change = { next, known, lifetimeMs };
      known = await kv.attempt((kv) => changeEntry<AllCooldowns>(kv, KEY, change), undefined) ??
        known;
    },
  };
}
