/** The TLD table as last refreshed: `["tlds"]` → rows, and which edition of IANA's table they are from. */
import type { TldEdition } from "../rules/bootstrap.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** The table as all processes know it. */
export interface TldStore {
  get(): Promise<TldEdition | undefined>;
  set(edition: TldEdition): Promise<void>;
}

/** Keeps the table in KV: only the TLDs in use, for all of IANA's would not fit into one value. */
export function createTldStore(kv: GuardedKv): TldStore {
  return {
    async get() {
      const entry = await kv.attempt((kv) => kv.get<TldEdition>(["tlds"]), undefined);
      return entry?.value ?? undefined;
    },
    async set(edition) {
      await kv.attempt((kv) => kv.set(["tlds"], edition), undefined);
    },
  };
}
