/**
 * Cached verdicts on domains: `["domain", label]` → the findings of all its TLDs in one value, so that a check of every
 * TLD reads once and writes a few times. Each finding is a short list: nineteen of them fit into one write unit of
 * Deno Deploy's KV (1 KiB).
 *
 * Simultaneous reads of a label share one. The findings of a label are collected for some milliseconds, longer if some were
 * written just before, then committed by compare-and-set: a finding replaces only one that was asked for earlier, by whichever
 * process.
 */
import { createBoundedMap } from "../flow/cache/memory.ts";
import { type CacheEntry, newerEntry } from "../flow/cache/cached.ts";
import { createSingleFlight } from "../flow/cache/flight.ts";
import { pause } from "../flow/deadline.ts";
import { createBackground } from "../flow/process.ts";
import type { Offer } from "../rules/answer.ts";
import { type Finding, isByRule, joinFindings } from "../rules/evidence.ts";
import { HELD_BACK_MS } from "../rules/drop_dates.ts";
import { toDomain } from "../rules/name.ts";
import { SOURCES, type State, STATES, type Verdict } from "../rules/verdict.ts";
import { changeEntry, type GuardedKv, type KnownEntry } from "./guarded_kv.ts";

/**
 * The state, the source, both times in ms since 1970, and if there is one the reason, a registrar's offer, and when the name was
 * last seen registered whose registry may hold it back.
 */
type Stored = readonly [
  state: State,
  source: Verdict["source"],
  askedAt: number,
  expiresAt: number,
  reason?: string | undefined,
  offer?: Offer | undefined,
  registeredAt?: number | undefined,
];

/** By TLD. */
type StoredLabel = Readonly<Record<string, Stored>>;

type FoundByTld = ReadonlyMap<string, CacheEntry<Finding>>;

/** The findings of a label that are collected; `winners`: those that KV holds after their commit. */
interface Batch {
  readonly found: Map<string, CacheEntry<Finding>>;
  readonly winners: Promise<FoundByTld>;
}

/** How long findings are collected: those that DNS gives arrive together, the registries answer one after the other. */
const COLLECT_MS = 20;
const COLLECT_AGAIN_MS = 300;

/** Labels that were read or written lately: a commit that starts from the known entry needs no read. */
const MAX_KNOWN_LABELS = 4_000;
/** The most characters, as JSON, of a label's findings: KV takes 64 KiB, and clients may name thousands of suffixes. */
const MAX_LABEL_CHARACTERS = 16_000;

/** Creates the store of findings, by `label.tld`, over KV. */
export function createDomainAnswers(
  kv: GuardedKv,
  { enabled, now }: {
    /** The TLDs whose findings stay where a label has too many. */
    enabled: readonly string[];
    now: () => number;
  },
) {
  const reads = createSingleFlight<StoredLabel>();
  const batches = new Map<string, Batch>();
  // Who waits for a commit is told of its failure.
  const commits = createBackground(() => {});
  /** The entry of a label as it was last read or written, and when it was written, in ms since 1970. */
  const known = createBoundedMap<{ entry: KnownEntry<StoredLabel>; writtenAt: number }>(
    MAX_KNOWN_LABELS,
  );
  const closing = new AbortController();

  async function read(label: string): Promise<StoredLabel> {
    // An answer may be minutes old, so a replica that is seconds behind will do.
    const options = { consistency: "eventual" } as const;
    const entry = await kv.attempt((kv) => kv.get<StoredLabel>(["domain", label], options));
    if (entry !== undefined) known.set(label, { entry, writtenAt: writtenAtOf(label) });
    return entry?.value ?? {};
  }

  const writtenAtOf = (label: string) => known.get(label)?.writtenAt ?? -Infinity;

  function openBatch(label: string): Batch {
    const found = new Map<string, CacheEntry<Finding>>();
    const isAgain = Math.abs(now() - writtenAtOf(label)) < COLLECT_AGAIN_MS;
    const winners = pause(isAgain ? COLLECT_AGAIN_MS : COLLECT_MS, closing.signal).then(() => {
      batches.delete(label);
      return commit(label, found);
    });
    commits.run(winners);
    const batch = { found, winners };
    batches.set(label, batch);
    return batch;
  }

  /** Commits findings of one label; returns, of each, the one that KV holds then. */
  async function commit(label: string, found: FoundByTld): Promise<FoundByTld> {
    let winners = found;
    const next = (stored: StoredLabel | undefined): StoredLabel | undefined => {
      winners = new Map([...found].map(([tld, one]) => {
        return [tld, newerEntry(fromStored(stored?.[tld]), one, now())];
      }));
      // The tables of every process decide the same again: values of random names would only fill KV.
      const newer = [...winners].filter(([tld, one]) =>
        one === found.get(tld) && !isByRule(one.value)
      );
      if (newer.length === 0) return stored;
      const added = newer.map(([tld, one]) => {
        // Another process may have written the finding that it replaces meanwhile.
        const replaced = fromStored(stored?.[tld]) ?? one;
        const { registeredAt } = joinFindings(one.value, replaced.value);
        return [tld, toStored(one, registeredAt)] as const;
      });
      const all = Object.entries({ ...stored, ...Object.fromEntries(added) });
      return Object.fromEntries(withinLimit(all.filter(([, one]) => keptUntil(one) > now())));
    };
    const lifetimeMs = (stored: StoredLabel) =>
      Math.max(0, ...Object.values(stored).map(keptUntil)) - now();
    const change = { next, lifetimeMs, known: known.get(label)?.entry };
    const entry = await changeEntry<StoredLabel>(kv, ["domain", label], change);
    if (entry === undefined) return found;
    known.set(label, { entry, writtenAt: now() });
    return winners;
  }

  /** The findings that fit into one value: those of enabled TLDs, of names that may be held back, then those asked for last. */
  function withinLimit(findings: readonly [tld: string, stored: Stored][]) {
    let size = 0;
    const rank = ([tld, [, , askedAt, , , , registeredAt = -Infinity]]: [string, Stored]) =>
      enabled.includes(tld) ? Number.MAX_VALUE : Math.max(askedAt, registeredAt + HELD_BACK_MS);
    return findings.toSorted((a, b) => rank(b) - rank(a))
      .filter((one) => (size += JSON.stringify(one).length) <= MAX_LABEL_CHARACTERS);
  }

  return {
    join: joinFindings,
    async get(name: string): Promise<CacheEntry<Finding> | undefined> {
      const { label, tld } = toDomain(name);
      return fromStored((await reads.run(label, () => read(label)))[tld]);
    },
    async set(name: string, found: CacheEntry<Finding>): Promise<CacheEntry<Finding>> {
      const { label, tld } = toDomain(name);
      const batch = batches.get(label) ?? openBatch(label);
      batch.found.set(tld, newerEntry(batch.found.get(tld), found, now()));
      return (await batch.winners).get(tld) ?? found;
    },
    /** Writes the findings that are collected, and settles once they are written: KV may be closed then. */
    settled(): Promise<void> {
      closing.abort();
      return commits.settled();
    },
  };
}

function toStored(
  { value, askedAt, expiresAt }: CacheEntry<Finding>,
  registeredAt: number | undefined,
): Stored {
  const { state, source, reason, offer } = value;
  return [state, source, askedAt, expiresAt, reason, offer, registeredAt];
}

/** A value of another version's form is not read. */
function isReadable(stored: Stored | undefined): stored is Stored {
  return Array.isArray(stored) && Number.isFinite(stored[2]);
}

/** Until when a finding is kept, which may be longer than it is an answer. */
function keptUntil(stored: Stored): number {
  if (!isReadable(stored)) return 0;
  const [, , , expiresAt, , , registeredAt = -Infinity] = stored;
  return Math.max(expiresAt, registeredAt + HELD_BACK_MS);
}

function fromStored(stored: Stored | undefined): CacheEntry<Finding> | undefined {
  if (!isReadable(stored)) return undefined;
  const [state, source, askedAt, expiresAt, reason, offer, registeredAt] = stored;
  // Words of another version, or that of verdicts that are never stored.
  const isKnown = STATES.includes(state) && SOURCES.includes(source);
  if (state === "unknown" || !isKnown) return undefined;
  const checkedAt = new Date(askedAt).toISOString();
  const value = {
    state,
    source,
    ...(reason !== undefined && { reason }),
    ...(offer !== undefined && !Array.isArray(offer) && { offer }),
    ...(registeredAt !== undefined && { registeredAt }),
    checkedAt,
  };
  return { value, askedAt, expiresAt };
}
