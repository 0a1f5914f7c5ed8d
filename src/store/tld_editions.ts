/**
 * The TLD table as last refreshed: `["tlds"]` → rows, and which edition of IANA's table they are from;
 * `["tlds", "listed"]` → the servers of all TLDs in that edition; `["tlds", "zone"]` → the TLDs of the root zone.
 */
import type { ListedBases, TldEdition } from "../rules/readers/bootstrap.ts";
import type { RootZone } from "../rules/readers/root_zone.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";
import { createStoredValue } from "./stored_value.ts";

/** The table as all processes know it. */
export interface TldStore {
  get(): Promise<TldEdition | undefined>;
  /** Stores it, unless another process has stored a newer one. */
  set(edition: TldEdition): Promise<void>;
  /** The servers of all TLDs; undefined before the first refresh, and where KV fails. */
  listed(): Promise<ListedBases | undefined>;
  setListed(bases: ListedBases): Promise<void>;
  /** The TLDs of the root zone; undefined before the first refresh, and where KV fails. */
  zone(): Promise<RootZone | undefined>;
  setZone(zone: RootZone): Promise<void>;
}

/** Stores the table in KV. */
export function createTldStore(kv: GuardedKv): TldStore {
  const { get: listed, set: setListed } = createStoredValue<ListedBases>(kv, ["tlds", "listed"]);
  const { get: zone, set: setZone } = createStoredValue<RootZone>(kv, ["tlds", "zone"]);
  return {
    get: createStoredValue<TldEdition>(kv, ["tlds"]).get,
    async set(edition) {
      const next = (stored?: TldEdition) =>
        stored && stored.refreshedAt > edition.refreshedAt ? stored : edition;
      await changeEntry<TldEdition>(kv, ["tlds"], { next });
    },
    listed,
    setListed,
    zone,
    setZone,
  };
}
