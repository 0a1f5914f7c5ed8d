/** Results of canaries: `["canary", tld]` → passed or failed, for which base, until when. */
import type { CanaryRecord } from "../rules/canary.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Canary results as all processes know them. */
export interface Canaries {
  get(tld: string): Promise<CanaryRecord | undefined>;
  set(tld: string, record: CanaryRecord): Promise<void>;
}

/** Keeps canary results in KV. */
export function createCanaries(kv: GuardedKv, { now }: { now: () => number }): Canaries {
  return {
    async get(tld) {
      const entry = await kv.attempt((kv) => kv.get<CanaryRecord>(["canary", tld]), undefined);
      return entry?.value ?? undefined;
    },
    async set(tld, record) {
      const expireIn = Math.max(1, Math.round(record.expiresAt - now()));
      await kv.attempt((kv) => kv.set(["canary", tld], record, { expireIn }), undefined);
    },
  };
}
