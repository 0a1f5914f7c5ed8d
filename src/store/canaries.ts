/** Results of canaries: `["canary", tld]` → passed or failed, for which base, until when. */
import type { CanaryRecord } from "../rules/canary.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Canary results as all processes know them. */
export interface Canaries {
  /** All of them by TLD; undefined where KV does not answer. */
  list(): Promise<ReadonlyMap<string, CanaryRecord> | undefined>;
  /** Changes a record by what KV has, and gives what it has then; undefined where it does not answer. */
  change(
    tld: string,
    next: (kept: CanaryRecord | undefined) => CanaryRecord,
  ): Promise<CanaryRecord | undefined>;
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
    change(tld, next) {
      const lifetimeMs = ({ expiresAt }: CanaryRecord) => expiresAt - now();
      const change = { next, lifetimeMs };
      return kv.attempt((kv) => changeEntry(kv, ["canary", tld], change), undefined);
    },
  };
}
