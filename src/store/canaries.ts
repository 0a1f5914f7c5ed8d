/**
 * Canary results: `["canary", tld]` → passed or failed, for which base, until when; and `["canaries"]`, which is
 * written with each of them, so that one small read shows whether any has changed.
 */
import type { CanaryRecord } from "../rules/canary.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

const VERSION: Deno.KvKey = ["canaries"];

/** Stores canary results in KV as all processes know them. */
export function createCanaryStore(kv: GuardedKv, { now }: { now: () => number }) {
  return {
    /** The version of all results together, which only grows, as texts do; undefined where KV fails. */
    version: () => kv.attempt(async (kv) => (await kv.get(VERSION)).versionstamp ?? "", undefined),
    /** All results by TLD; undefined where KV fails. */
    list: () =>
      kv.attempt(async (kv) => {
        const records = new Map<string, CanaryRecord>();
        for await (const { key, value } of kv.list<CanaryRecord>({ prefix: ["canary"] })) {
          if (isReadable(value)) records.set(String(key[1]), value);
        }
        return records;
      }, undefined),
    /** Changes a record by compare-and-set and returns it; undefined where KV fails. */
    async change(tld: string, change: (stored: CanaryRecord | undefined) => CanaryRecord) {
      const next = (stored: CanaryRecord | undefined) =>
        change(stored !== undefined && isReadable(stored) ? stored : undefined);
      const lifetimeMs = ({ expiresAt }: CanaryRecord) => expiresAt - now();
      const alongside = (operation: Deno.AtomicOperation) => operation.set(VERSION, true);
      const entry = await changeEntry(kv, ["canary", tld], { next, lifetimeMs, alongside });
      return entry?.value ?? undefined;
    },
  };
}

/** A pass of another version, without templates, counts as none. */
function isReadable({ canary }: CanaryRecord): boolean {
  return canary.kind !== "passed" || Array.isArray(canary.templates);
}
