/** Results of canaries: `["canary", tld]` → passed or failed, for which base, until when. */
import type { CanaryRecord } from "../rules/canary.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Canary results as all processes know them. */
export interface Canaries {
  /** All of them by TLD; undefined where KV does not answer. */
  list(): Promise<ReadonlyMap<string, CanaryRecord> | undefined>;
  /** False where KV does not answer. */
  set(tld: string, record: CanaryRecord): Promise<boolean>;
}

/** Keeps canary results in KV. */
export function createCanaries(kv: GuardedKv, { now }: { now: () => number }): Canaries {
  return {
    list: () =>
      kv.attempt(async (kv) => {
        const records = new Map<string, CanaryRecord>();
        for await (const { key, value } of kv.list<CanaryRecord>({ prefix: ["canary"] })) {
          records.set(String(key[1]), value);
        }
        return records;
      }, undefined),
    async set(tld, record) {
      const expireIn = Math.max(1, Math.round(record.expiresAt - now()));
      const operation = (kv: Deno.Kv) => kv.set(["canary", tld], record, { expireIn });
      return await kv.attempt(operation, undefined) !== undefined;
    },
  };
}
