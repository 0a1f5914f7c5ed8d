/** What is known of the WHOIS servers of TLDs: `["whois", tld]` → its last test and pass, and its texts. */
import { mergeServices, type WhoisService } from "../rules/whois_service.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";
import { createStoredValue } from "./stored_value.ts";

/** A pass keeps a server in service for a day. */
const LIFETIME_MS = 2 * 24 * 60 * 60_000;

/** Stores the records in KV as all processes know them. */
export function createWhoisServiceStore(kv: GuardedKv) {
  return {
    /** Undefined where none is stored, or KV fails. */
    get: (tld: string) => createStoredValue<WhoisService>(kv, ["whois", tld]).get(),
    /** Merges a record with the stored one. */
    async merge(tld: string, service: WhoisService): Promise<void> {
      const next = (stored: WhoisService | undefined) => mergeServices(stored, service);
      await changeEntry(kv, ["whois", tld], { next, lifetimeMs: () => LIFETIME_MS });
    },
  };
}
