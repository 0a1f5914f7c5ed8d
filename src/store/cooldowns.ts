/**
 * Cooldowns of RDAP and WHOIS hosts: `["cooldowns"]` → host → until when no process sends requests to it. One value for all hosts
 * makes a check of every TLD read once.
 */
import type { Clock } from "../flow/clock.ts";
import { createPolledCopy } from "../flow/cache/polled_copy.ts";
import type { PauseFault, SharedPauses } from "../flow/upstream_host.ts";
import { changeEntry, type KnownEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

interface Cooldown {
  /** When it ends, in ms since 1970. */
  readonly coolUntil: number;
  /** How long it was when it was set. */
  readonly pauseMs: number;
  /** What started it. */
  readonly fault: PauseFault;
}

/** By host. */
type AllCooldowns = Readonly<Record<string, Cooldown>>;

const KEY: Deno.KvKey = ["cooldowns"];
/** How long a read is good for: the longest time that a cooldown set by another process stays unknown here. */
const FRESH_MS = 3_000;
/** How far the clocks of processes that share a KV may differ. */
const LARGEST_SKEW_MS = 60_000;

/**
 * Stores cooldowns in KV; `monotonic` is a clock in ms that is never set back. One that another process has set is known
 * here within three seconds. A running one that ends later is not replaced.
 */
export function createCooldowns(
  kv: GuardedKv,
  { now, monotonic }: Clock,
): SharedPauses {
  let known: KnownEntry<AllCooldowns> | undefined;
  const copy = createPolledCopy(read, { maxAgeMs: FRESH_MS, now: monotonic });

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
    // A replica that is behind would break the bound of three seconds, so this read is a strong one.
    const entry = await kv.attempt((kv) => kv.get<AllCooldowns>(KEY), undefined);
    // An entry that this process has written meanwhile is newer.
    if (entry !== undefined && known === before) known = entry;
  }

  return {
    async pauseOf(host) {
      await copy.refresh();
      const cooldown = cooldownOf(known?.value ?? {}, host);
      const leftMs = cooldown === undefined ? 0 : leftOf(cooldown);
      return cooldown !== undefined && leftMs > 0 ? { fault: cooldown.fault, leftMs } : undefined;
    },
    async set(host, fault, pauseMs) {
      const cooldown = { coolUntil: now() + pauseMs, pauseMs, fault };
      const next = (current: AllCooldowns = {}): AllCooldowns => {
        const running = cooldownOf(current, host);
        if (running !== undefined && leftOf(running) >= pauseMs) return current;
        const others = Object.entries(current).filter(([, { coolUntil }]) => coolUntil > now());
        return { ...Object.fromEntries(others), [host]: cooldown };
      };
      const lifetimeMs = (all: AllCooldowns) => Math.max(...Object.values(all).map(leftOf));
      known = await changeEntry(kv, KEY, { next, known, lifetimeMs }) ?? known;
    },
  };
}

function cooldownOf(all: AllCooldowns, host: string): Cooldown | undefined {
  return Object.hasOwn(all, host) ? all[host] : undefined;
}
