/** What is known of the WHOIS servers of TLDs: `["whois", tld]` → its last test, its texts, the names that it refused. */
import { mergeServices, type WhoisService } from "../rules/whois_service.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";
import { createStoredValue } from "./stored_value.ts";

/** The records as all processes know them. */
export interface WhoisServiceStore {
  /** Undefined where none is stored, or KV fails. */
  get(tld: string): Promise<WhoisService | undefined>;
  /** Merges a record with the stored one. */
  merge(tld: string, service: WhoisService): Promise<void>;
}

/** As long as refused names count. */
const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** Stores the records in KV. */
export function createWhoisServiceStore(kv: GuardedKv): WhoisServiceStore {
  return {
    get: (tld) => createStoredValue<WhoisService>(kv, ["whois", tld]).get(),
    async merge(tld, service) {
      const next = (stored: WhoisService | undefined) => mergeServices(stored, service);
      await changeEntry(kv, ["whois", tld], { next, lifetimeMs: () => LIFETIME_MS });
    },
  };
}
