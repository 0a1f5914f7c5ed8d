import type { RateLimitKv } from "../../src/rate_limit/window_store.ts";
import type { VirtualTime } from "./virtual_time.ts";

/**
 * What becomes of a call: `resent` is applied twice by a client that lost the first answer, so that a commit conflicts
 * with itself; `lost` is applied and never answered; `hangs` is neither; `errs` rejects.
 */
export type Fate = "works" | "resent" | "lost" | "hangs" | "errs";

/** How a process reaches KV: how long a call takes each way, and what becomes of it. */
export interface Way {
  tripMs(): number;
  fate(): Fate;
  /** What a killed process asked for may still be applied, and is not answered. */
  readonly isKilled: boolean;
}

interface Stored {
  readonly value: unknown;
  readonly version: string;
}

/** A KV in virtual time, with as many ways to it as there are processes. */
export interface ModelKv {
  reach(way: Way): RateLimitKv;
  readonly data: ReadonlyMap<string, Stored>;
  /** Forgets everything, as a server that restarts without its data. */
  lose(): void;
}

/** Creates an empty KV. */
export function createModelKv(time: VirtualTime): ModelKv {
  const data = new Map<string, Stored>();
  let versions = 0;

  async function call<T>(way: Way, apply: () => T): Promise<T> {
    const fate = way.fate();
    if (fate === "hangs") return await new Promise<never>(() => {});
    await time.pass(way.tripMs());
    if (fate === "errs") throw new Error("disk I/O error");
    let result = apply();
    if (fate === "resent") {
      await time.pass(way.tripMs());
      result = apply();
    }
    if (fate === "lost") return await new Promise<never>(() => {});
    await time.pass(way.tripMs());
    return way.isKilled ? await new Promise<never>(() => {}) : result;
  }

  function reach(way: Way): RateLimitKv {
    const getMany = (keys: readonly Deno.KvKey[]) =>
      call(way, () =>
        keys.map((key) => {
          const stored = data.get(String(key[1]));
          return { key, value: stored?.value ?? null, versionstamp: stored?.version ?? null };
        }));
    const atomic = () => {
      const checks: Deno.AtomicCheck[] = [];
      const sets: { key: Deno.KvKey; value: unknown }[] = [];
      const operation = {
        check(check: Deno.AtomicCheck) {
          checks.push(check);
          return operation;
        },
        set(key: Deno.KvKey, value: unknown) {
          sets.push({ key, value });
          return operation;
        },
        commit: () =>
          call(way, () => {
            const holds = checks.every(({ key, versionstamp }) =>
              (data.get(String(key[1]))?.version ?? null) === versionstamp
            );
            if (!holds) return { ok: false };
            const versionstamp = `${++versions}`;
            for (const { key, value } of sets) {
              data.set(String(key[1]), { value, version: versionstamp });
            }
            return { ok: true, versionstamp };
          }),
      };
      return operation;
    };
    return { getMany, atomic } as unknown as RateLimitKv;
  }

  return { reach, data, lose: () => data.clear() };
}
