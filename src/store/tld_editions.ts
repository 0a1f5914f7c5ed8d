/**
 * The TLD table as last refreshed: `["tlds"]` → rows, and which edition of IANA's table they are from;
 * `["tlds", "listed"]` → the servers of all TLDs in that edition; `["tlds", "zone"]` → the TLDs of the root zone.
 */
import {
  isNewerEdition,
  type ListedBases,
  type RootZone,
  type TldEdition,
} from "../rules/readers/iana.ts";
import { changeEntry, createStoredValue } from "./stored_value.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** Stores the table in KV as all processes know it. What it reads is undefined before the first refresh, and where KV fails. */
export function createTldStore(kv: GuardedKv, { now }: { now: () => number }) {
  const { get: listed, set: setListed } = createStoredValue<ListedBases>(kv, ["tlds", "listed"]);
  const { get: zone, set: setZone } = createStoredValue<RootZone>(kv, ["tlds", "zone"]);
  return {
    get: createStoredValue<TldEdition>(kv, ["tlds"]).get,
    /** Stores it, unless another process has stored a newer one. */
    async set(edition: TldEdition): Promise<void> {
      const next = (stored?: TldEdition) =>
        stored && isNewerEdition(stored, edition, now()) ? stored : edition;
      await changeEntry<TldEdition>(kv, ["tlds"], { next });
    },
    /** The servers of all TLDs. */
    listed,
    setListed,
    /** The TLDs of the root zone. */
    zone,
    setZone,
  };
}
