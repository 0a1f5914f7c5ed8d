/**
 * Results of canaries: `["canary", tld]` → passed or failed, for which base, until when; and `["canaries"]`, which is
 * written with each of them, so that one small read tells a process whether there is anything new.
 */
import type { CanaryRecord } from "../rules/canary.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Canary results as all processes know them. */
export interface Canaries {
  /** The version of all of them together; undefined where KV does not answer. */
  version(): Promise<string | undefined>;
  /** All of them by TLD; undefined where KV does not answer. */
  list(): Promise<ReadonlyMap<string, CanaryRecord> | undefined>;
  /** Changes a record by what KV has, and gives what it has then; undefined where it does not answer. */
  change(
    tld: string,
    next: (kept: CanaryRecord | undefined) => CanaryRecord,
  ): Promise<CanaryRecord | undefined>;
}

const VERSION: Deno.KvKey = ["canaries"];

/** Keeps canary results in KV. */
export function createCanaries(kv: GuardedKv, { now }: { now: () => number }): Canaries {
  return {
    version: () =>
      kv.attempt(async (kv) => (await kv.get(VERSION)).versionstamp ?? "none", undefined),
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
      const alongside = (operation: Deno.AtomicOperation) => operation.set(VERSION, true);
      const change = { next, lifetimeMs, alongside };
      return kv.attempt(
        async (kv) => (await changeEntry(kv, ["canary", tld], change)).value ?? undefined,
        undefined,
      );
    },
  };
}
