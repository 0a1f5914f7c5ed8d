/**
 * Bounds of what the clients of one IPv6 site use together: a customer gets a /56 or a /48, which holds 256 or 65,536
 * networks of the size that counts as one client. Each process counts alone, without KV: these bounds stop abuse and are no
 * promise.
 */
import { createBoundedMap } from "../flow/cache/memory.ts";
import {
  append,
  countOf,
  releaseTime,
  slotTime,
  unexpired,
  type Window,
  without,
} from "../rules/window.ts";
import type { LimitState } from "./limiter.ts";

/** A prefix of addresses, which may use `times` the limit of a client. */
interface Prefix {
  readonly key: string;
  readonly times: number;
}

/** A request that is counted for prefixes. */
interface PrefixClaim {
  readonly prefixes: readonly Prefix[];
  /** The limit of a client. */
  readonly limit: number;
  readonly cost: number;
}

/** About 10 MB of busy prefixes. */
const MAX_PREFIXES = 10_000;

/** Creates the bounds; `now` is the wall clock in ms since 1970. */
export function createPrefixLimits({ now }: { now: () => number }) {
  const windows = createBoundedMap<Window>(MAX_PREFIXES);
  const windowOf = (key: string, time: number) => unexpired(windows.get(key) ?? [], time);

  function stateOf({ key, times }: Prefix, limit: number, time: number): LimitState {
    const window = windowOf(key, time);
    const left = limit * times - countOf(window);
    const resetAt = releaseTime(window, Math.max(1, 1 - left)) ?? time;
    return { remaining: Math.max(0, left), resetAt };
  }

  /** How long the claim must wait for a prefix, in ms; 0 if it fits. */
  function waitMs({ key, times }: Prefix, { limit, cost }: PrefixClaim, time: number): number {
    const window = windowOf(key, time);
    const missing = countOf(window) + cost - limit * times;
    if (missing <= 0) return 0;
    return Math.max(1, (releaseTime(window, missing) ?? time) - time);
  }

  return {
    /** The state of the prefix with the fewest slots left; undefined without prefixes. */
    peek({ prefixes, limit }: Pick<PrefixClaim, "prefixes" | "limit">): LimitState | undefined {
      const time = now();
      return prefixes.map((prefix) => stateOf(prefix, limit, time))
        .toSorted((a, b) => a.remaining - b.remaining)[0];
    },
    /** Takes slots of all prefixes, or of none: then it returns the ms until the claim fits. */
    take(claim: PrefixClaim) {
      const time = now();
      const retryAfterMs = Math.max(
        0,
        ...claim.prefixes.map((prefix) => waitMs(prefix, claim, time)),
      );
      if (retryAfterMs > 0) return { retryAfterMs };
      const taken = claim.prefixes.map(({ key, times }) => {
        const slots = { at: slotTime(time, claim.limit * times), count: claim.cost };
        windows.set(key, append(windowOf(key, time), slots));
        return { key, slots };
      });
      return {
        /** Gives the slots back, where the request was rejected after all. */
        giveBack() {
          for (const { key, slots } of taken) {
            windows.set(key, without(windows.get(key) ?? [], [slots]));
          }
        },
      };
    },
  };
}
