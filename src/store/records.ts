/** What processes share in KV besides answers, keys and hosts: the TLD table, prices, servers' test results, popular and watched names. */
import { createSingleFlight } from "../flow/cache/flight.ts";
import {
  addCounts,
  type NameKind,
  NONE_POPULAR,
  POPULAR_SEEDS,
  type Popularity,
  popularNames,
} from "../rules/popularity.ts";
import type { DatedPrice, Prices } from "../rules/prices.ts";
import { isNewerEdition, type TldEdition } from "../rules/readers/iana.ts";
import { isObject } from "../rules/readers/http_message.ts";
import type { ServerRecord } from "../rules/tested_server.ts";
import { type Change, type Observation, withObservation } from "../rules/watch_log.ts";
import { changeEntry, createStoredValue, type GuardedKv } from "./guarded_kv.ts";

/** Stores IANA's table as last read: `["tlds"]` → the servers of all TLDs; undefined before the first refresh, and where KV fails. */
export function createTldStore(kv: GuardedKv, { now }: { now: () => number }) {
  const edition = createStoredValue<TldEdition>(
    kv,
    ["tlds"],
    ({ bases }) => isObject(bases) && Object.values(bases).every(Array.isArray),
  );
  return {
    ...edition,
    /** Stores it, unless another process has stored a newer one. */
    async set(edition: TldEdition): Promise<void> {
      const next = (stored?: TldEdition) =>
        stored && isNewerEdition(stored, edition, now()) ? stored : edition;
      await changeEntry<TldEdition>(kv, ["tlds"], { next });
    },
  };
}

/** Stores the prices: `["prices"]` → those of each TLD, as last read from the registrar's list. */
export function createPriceStore(kv: GuardedKv) {
  const isPrice = (price?: DatedPrice) =>
    Number.isFinite(price?.usd) && typeof price?.asOf === "string";
  return createStoredValue<Prices>(
    kv,
    ["prices"],
    (prices) => prices instanceof Map && prices.values().every(isPrice),
  );
}

const TESTS_VERSION: Deno.KvKey = ["tests"];
/** A failure counts, and a needed server stays in service, for as long. */
const TEST_LIFETIME_MS = 2 * 24 * 60 * 60_000;

/** KV's most in one trip: with the usual hundred a far KV would pass its deadline. */
const MOST_READ = 500;

/**
 * Stores test results of servers: `["test", "rdap" | "whois", tld]` → the record; and `["tests"]`, which is written with each of
 * them, so that one small read shows whether any has changed. Both kinds of servers read it at once.
 */
export function createTestStores(kv: GuardedKv) {
  const versions = createSingleFlight<string | undefined>();
  const readVersion = () =>
    kv.attempt(async (kv) => (await kv.get(TESTS_VERSION)).versionstamp ?? "");
  const version = () => versions.run("", readVersion);
  const storeOf = (kind: "rdap" | "whois") => ({
    /** The version of all results together, which only grows, as texts do; undefined where KV fails. */
    version,
    /** All results by TLD; undefined where KV fails. */
    list: () =>
      kv.attempt(async (kv) => {
        const records = new Map<string, ServerRecord>();
        const listed = kv.list<ServerRecord>({ prefix: ["test", kind] }, { batchSize: MOST_READ });
        for await (const { key, value } of listed) {
          if (isReadable(value)) records.set(String(key[2]), value);
        }
        return records;
      }),
    /** Changes a record by compare-and-set and returns it; undefined where KV fails. */
    async change(tld: string, next: (stored: ServerRecord | undefined) => ServerRecord) {
      const lifetimeMs = () => TEST_LIFETIME_MS;
      const alongside = (operation: Deno.AtomicOperation) => operation.set(TESTS_VERSION, true);
      const change = { isReadable, next, lifetimeMs, alongside };
      return (await changeEntry(kv, ["test", kind, tld], change))?.value ?? undefined;
    },
  });
  return { rdap: storeOf("rdap"), whois: storeOf("whois") };
}

/** A value of another version's form counts as none. */
function isReadable(record: ServerRecord | null): boolean {
  if (!Number.isFinite(record?.expiresAt)) return false;
  const { kind, templates } = Object(record?.result);
  if (kind !== "passed") return kind === "failed" || kind === "undecided";
  return Array.isArray(templates) && templates.every((one) => Array.isArray(one?.members));
}

/** Stores popular names: `["popular", kind]` → the names checked most with their scores, and nothing about the clients. */
export function createPopularStore(kv: GuardedKv, { now }: { now: () => number }) {
  return {
    /** At most `max` names worth caching ahead, the most popular first, then the seeds. */
    async top(kind: NameKind, max: number): Promise<string[]> {
      const { get } = createStoredValue(kv, ["popular", kind], isPopularity);
      const popularity = await get() ?? NONE_POPULAR;
      const seeds = kind === "domain" ? POPULAR_SEEDS : [];
      return popularNames(popularity, { now: now(), seeds, max });
    },
    /** Adds counts in one commit; false where KV failed. */
    async add(kind: NameKind, counts: ReadonlyMap<string, number>): Promise<boolean> {
      const next = (stored = NONE_POPULAR) => addCounts(stored, counts, now());
      const change = { isReadable: isPopularity, next };
      return await changeEntry(kv, ["popular", kind], change) !== undefined;
    },
  };
}

function isPopularity({ at, names }: Popularity): boolean {
  return Number.isFinite(at) && Array.isArray(names) &&
    names.every((score) => Number.isFinite(score?.[1]));
}

/** The log of a name. */
interface WatchLog {
  readonly changes: readonly Change[];
  /** In ms since 1970. */
  readonly readAt: number;
}

/** One KiB each; a run of the job that keeps them warm reads all. */
const MAX_LOGS = 2_000;
const HOUR_MS = 3_600_000;
/** A log that no feed shows any more is deleted after this time. */
const UNREAD_MS = 90 * 24 * HOUR_MS;
/** How exactly the last reading is known: each write costs KV a unit. */
const READ_MS = 6 * HOUR_MS;
const NO_LOG: WatchLog = { changes: [], readAt: 0 };

/**
 * Stores the logs of watched names: `["watch", domain]` → the steps that were seen, each once, and when a feed with the name was
 * last read, within six hours, so that the names of feeds that are read can be kept warm. Nothing about the readers.
 */
export function createWatchLogs(kv: GuardedKv, { now }: { now: () => number }) {
  return {
    /**
     * Adds what was seen, if it is news, and returns the log, without changes if there is none; undefined where KV failed.
     * Only a reader begins a log, and makes it last.
     */
    async add(domain: string, seen: Observation | undefined, { isRead }: { isRead: boolean }) {
      const next = (stored: WatchLog | undefined): WatchLog | undefined => {
        if (stored === undefined && !isRead) return undefined;
        const { changes, readAt } = stored ?? NO_LOG;
        const found = withObservation(changes, seen, now());
        // A clock that was set back must not keep a log from lasting.
        const isDue = isRead && Math.abs(now() - readAt) >= READ_MS;
        if (found.length === 0 || (found === changes && !isDue)) return stored;
        return { changes: found, readAt: isDue ? toHour(now()) : readAt };
      };
      const lifetimeMs = ({ readAt }: WatchLog) => readAt + UNREAD_MS - now();
      const change = { isReadable: isLog, next, lifetimeMs };
      const entry = await changeEntry(kv, ["watch", domain], change);
      return entry && (entry.value ?? NO_LOG);
    },
    /** At most `MAX_LOGS` names, those first that were read last; logs beyond that number are deleted, the newest first. */
    async listed(since: number): Promise<string[]> {
      const entries =
        await kv.attempt((kv) => Array.fromAsync(kv.list<WatchLog>({ prefix: ["watch"] }))) ?? [];
      const byAge = entries.filter(({ value }) => isLog(value)).toSorted((a, b) =>
        bornAt(a.value) - bornAt(b.value)
      );
      for (const { key } of byAge.slice(MAX_LOGS)) {
        await kv.attempt((kv) => kv.delete(key));
      }
      return byAge.slice(0, MAX_LOGS)
        .filter(({ value }) => value.readAt >= since)
        .toSorted((a, b) => b.value.readAt - a.value.readAt)
        .map(({ key }) => String(key[1]));
    },
  };
}

/** A value of another version's form counts as none. */
function isLog(value: WatchLog | null | undefined): value is WatchLog {
  return Array.isArray(value?.changes);
}

function bornAt({ changes }: WatchLog): number {
  return changes[0]?.at ?? 0;
}

function toHour(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}
