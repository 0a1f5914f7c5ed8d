/**
 * Test results of servers: `["test", "rdap" | "whois", tld]` → the record; and `["tests"]`, which is written with each of them,
 * so that one small read shows whether any has changed.
 */
import { createSingleFlight } from "../flow/cache/flight.ts";
import type { ServerRecord } from "../rules/tested_server.ts";
import { changeEntry } from "./stored_value.ts";
import type { GuardedKv } from "./guarded_kv.ts";

const VERSION: Deno.KvKey = ["tests"];
/** A failure counts, and a needed server stays in service, for as long. */
const LIFETIME_MS = 2 * 24 * 60 * 60_000;

/** Stores the results of both kinds of servers in KV, as all processes know them; both read the version at once. */
export function createTestStores(kv: GuardedKv) {
  const versions = createSingleFlight<string | undefined>();
  const readVersion = () =>
    kv.attempt(async (kv) => (await kv.get(VERSION)).versionstamp ?? "", undefined);
  const version = () => versions.run("", readVersion);
  return { rdap: storeOf(kv, "rdap", version), whois: storeOf(kv, "whois", version) };
}

function storeOf(
  kv: GuardedKv,
  kind: "rdap" | "whois",
  version: () => Promise<string | undefined>,
) {
  return {
    /** The version of all results together, which only grows, as texts do; undefined where KV fails. */
    version,
    /** All results by TLD; undefined where KV fails. */
    list: () =>
      kv.attempt(async (kv) => {
        const records = new Map<string, ServerRecord>();
        for await (const { key, value } of kv.list<ServerRecord>({ prefix: ["test", kind] })) {
          if (isReadable(value)) records.set(String(key[2]), value);
        }
        return records;
      }, undefined),
    /** Changes a record by compare-and-set and returns it; undefined where KV fails. */
    async change(tld: string, change: (stored: ServerRecord | undefined) => ServerRecord) {
      const next = (stored: ServerRecord | undefined) =>
        change(stored !== undefined && isReadable(stored) ? stored : undefined);
      const lifetimeMs = () => LIFETIME_MS;
      const alongside = (operation: Deno.AtomicOperation) => operation.set(VERSION, true);
      const entry = await changeEntry(kv, ["test", kind, tld], { next, lifetimeMs, alongside });
      return entry?.value ?? undefined;
    },
  };
}

/** A value of another version's form counts as none. */
function isReadable({ result }: ServerRecord): boolean {
  return typeof result === "object" &&
    (result.kind !== "passed" || Array.isArray(result.templates));
}
