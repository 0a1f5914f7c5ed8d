/**
 * What was found out about domains: `["domain", label]` → the findings of all its TLDs in one value, so that a check of
 * every TLD reads once and writes a few times. Each finding is a short list: nineteen of them fit into one write unit of
 * Deno Deploy's KV (1 KiB).
 */
import { type Cache, type CacheEntry, newerEntry } from "../flow/cached.ts";
import { type State, stateOf, type Verdict, verdictOf } from "../rules/verdict.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** A verdict and when its deciding question was sent (ISO 8601). */
interface Finding extends Verdict {
  readonly checkedAt: string;
}

/** The state, the source, both times in ms since 1970, and the reason if any. */
type Stored = readonly [
  state: State,
  source: "dns" | "rdap",
  askedAt: number,
  expiresAt: number,
  reason?: string,
];

/** By TLD. */
type StoredLabel = Readonly<Record<string, Stored>>;

/** A finding on its way into KV. */
interface Pending {
  readonly tld: string;
  readonly found: CacheEntry<Finding>;
  settle(winner: CacheEntry<Finding>): void;
}

/**
 * Keeps findings in KV, by `label.tld`. Simultaneous reads of a label share one, and findings that arrive while a commit
 * of their label is under way go together into the next. A finding replaces only one that was asked for earlier; the
 * version that a commit replaces is checked, so that a process whose look-up took long does not undo what another has
 * found out since.
 */
export function createDomainAnswers(
  kv: GuardedKv,
  { now }: { now: () => number },
): Cache<Finding> {
  const reads = new Map<string, Promise<StoredLabel>>();
  const pending = new Map<string, Pending[]>();

  function read(label: string): Promise<StoredLabel> {
    const running = reads.get(label);
    if (running !== undefined) return running;
    // An answer may be minutes old, so a replica that is seconds behind will do.
    const options = { consistency: "eventual" } as const;
    const reading = kv
      .attempt((kv) => kv.get<StoredLabel>(["domain", label], options), undefined)
      .then((entry) => entry?.value ?? {})
      .finally(() => reads.delete(label));
    reads.set(label, reading);
    return reading;
  }

  async function write(label: string): Promise<void> {
    for (let batch = pending.get(label); batch !== undefined; batch = pending.get(label)) {
      if (batch.length === 0) return void pending.delete(label);
      pending.set(label, []);
      const winners = await commit(label, batch);
      batch.forEach(({ found, settle }, place) => settle(winners[place] ?? found));
    }
  }

  /** Commits the findings of one label; gives, of each, the one that is kept then. */
  function commit(label: string, batch: readonly Pending[]): Promise<CacheEntry<Finding>[]> {
    let winners = batch.map(({ found }) => found);
    const next = (stored: StoredLabel = {}): StoredLabel => {
      const found = new Map<string, Stored>();
      winners = batch.map((one) => {
        const winner = newerEntry(fromStored(stored[one.tld]), one.found, now());
        if (winner === one.found) found.set(one.tld, toStored(winner));
        return winner;
      });
      if (found.size === 0) return stored;
      const current = Object.entries(stored).filter(([, one]) => expiryOf(one) > now());
      return { ...Object.fromEntries(current), ...Object.fromEntries(found) };
    };
    const lifetimeMs = (stored: StoredLabel) =>
      Math.max(0, ...Object.values(stored).map(expiryOf)) - now();
    return kv.attempt(async (kv) => {
      await changeEntry<StoredLabel>(kv, ["domain", label], { next, lifetimeMs });
      return winners;
    }, winners);
  }

  return {
    async get(name) {
      const { label, tld } = partsOf(name);
      return fromStored((await read(label))[tld]);
    },
    set(name, found) {
      const { label, tld } = partsOf(name);
      const { promise, resolve: settle } = Promise.withResolvers<CacheEntry<Finding>>();
      const waiting = pending.get(label);
      if (waiting !== undefined) waiting.push({ tld, found, settle });
      else {
        pending.set(label, [{ tld, found, settle }]);
        void write(label);
      }
      return promise;
    },
  };
}

function partsOf(name: string): { label: string; tld: string } {
  const dot = name.indexOf(".");
  return { label: name.slice(0, dot), tld: name.slice(dot + 1) };
}

function toStored({ value, askedAt, expiresAt }: CacheEntry<Finding>): Stored {
  const { source, reason } = value;
  const facts = [stateOf(value), source, askedAt, expiresAt] as const;
  return reason === undefined ? facts : [...facts, reason];
}

function expiryOf(stored: Stored): number {
  return fromStored(stored)?.expiresAt ?? 0;
}

/** What is not of the form that this version writes is no finding. */
function fromStored(stored: Stored | undefined): CacheEntry<Finding> | undefined {
  if (!Array.isArray(stored)) return undefined;
  const [state, source, askedAt, expiresAt, reason] = stored as Stored;
  const verdict = verdictOf(state, source);
  if (verdict === undefined || !Number.isFinite(askedAt)) return undefined;
  const checkedAt = new Date(askedAt).toISOString();
  const value = { ...verdict, ...(reason !== undefined && { reason }), checkedAt };
  return { value, askedAt, expiresAt };
}
