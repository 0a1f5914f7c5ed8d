/** The TLD table as last refreshed: `["tlds"]` → rows + IANA's publication. */
import type { TldRow } from "../rules/tlds.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** The rows taken from IANA's table, and which edition of it. */
export interface KeptTlds {
  publication: string;
  rows: readonly TldRow[];
}

/** The table as all processes know it. */
export interface TldStore {
  get(): Promise<KeptTlds | undefined>;
  set(kept: KeptTlds): Promise<void>;
}

/** Keeps the table in KV: only the TLDs in use, for all of IANA's would not fit into one value. */
export function createTldStore(kv: GuardedKv): TldStore {
  return {
    async get() {
      const entry = await kv.attempt((kv) => kv.get<KeptTlds>(["tlds"]), undefined);
      return entry?.value ?? undefined;
    },
    async set(kept) {
      await kv.attempt((kv) => kv.set(["tlds"], kept), undefined);
    },
  };
}
