/** The TLD table as last refreshed: `["tlds"]` → rows, and which edition of IANA's table they are from. */
import type { TldEdition } from "../rules/readers/bootstrap.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** The table as all processes know it. */
export interface TldStore {
  get(): Promise<TldEdition | undefined>;
  /** Stores it, unless another process has stored a newer one. */
  set(edition: TldEdition): Promise<void>;
}

/** Stores the table in KV: only the TLDs in use, for all of IANA's would not fit into one value. */
export function createTldStore(kv: GuardedKv): TldStore {
  return {
    async get() {
      const entry = await kv.attempt((kv) => kv.get<TldEdition>(["tlds"]), undefined);
      return entry?.value ?? undefined;
    },
    async set(edition) {
      const next = (stored?: TldEdition) =>
        stored && stored.refreshedAt > edition.refreshedAt ? stored : edition;
      await kv.attempt((kv) => changeEntry<TldEdition>(kv, ["tlds"], { next }), undefined);
    },
  };
}
