/**
 * The TLD table as last refreshed: `["tlds"]` → rows, and which edition of IANA's table they are from;
 * `["tlds", "listed"]` → the servers of all TLDs in that edition; `["tlds", "zone"]` → the TLDs of the root zone.
 */
import type { ListedBases, TldEdition } from "../rules/readers/bootstrap.ts";
import type { RootZone } from "../rules/readers/root_zone.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

const LISTED: Deno.KvKey = ["tlds", "listed"];
const ZONE: Deno.KvKey = ["tlds", "zone"];

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
    async listed() {
      const entry = await kv.attempt((kv) => kv.get<ListedBases>(LISTED), undefined);
      return entry?.value ?? undefined;
    },
    async setListed(bases) {
      await kv.attempt(async (kv) => void await kv.set(LISTED, bases), undefined);
    },
    async zone() {
      const entry = await kv.attempt((kv) => kv.get<RootZone>(ZONE), undefined);
      return entry?.value ?? undefined;
    },
    async setZone(zone) {
      await kv.attempt(async (kv) => void await kv.set(ZONE, zone), undefined);
    },
  };
}
