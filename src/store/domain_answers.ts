/**
 * Cached verdicts on domains: `["domain", label]` → the findings of all its TLDs in one value, so that a check of every
 * TLD reads once and writes once or twice. Each finding is a short list: nineteen of them fit into one write unit of
 * Deno Deploy's KV (1 KiB).
 */
import { createBoundedMap } from "../flow/cache/bounded_map.ts";
import { type Cache, type CacheEntry, newerEntry } from "../flow/cache/cached.ts";
import { createSingleFlight } from "../flow/cache/single_flight.ts";
import type { Offer } from "../rules/answer.ts";
import { type Finding, isByRule } from "../rules/evidence.ts";
import { HELD_BACK_MS } from "../rules/just_dropped.ts";
import { isAvailable, type State, stateOf, type Verdict, verdictOf } from "../rules/verdict.ts";
import { changeEntry, type KnownEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** The cache of findings, by `label.tld`. */
export interface DomainAnswers extends Cache<Finding> {
  expect(name: string): void;
  flush(name: string): void;
  /** Writes the findings that wait, and settles once they are written: KV may be closed then. */
  settled(): Promise<void>;
}

/** The state, the source, both times in ms since 1970, and the reason or a registrar's offer if any. */
type Stored = readonly [
  state: State,
  source: Verdict["source"],
  askedAt: number,
  expiresAt: number,
  reason?: string | undefined,
  offer?: StoredOffer,
];

type StoredOffer = readonly [
  registrar: string,
  price: number,
  renewal: number | undefined,
  premium: boolean | undefined,
  years: number | undefined,
];

/** By TLD. */
type StoredLabel = Readonly<Record<string, Stored>>;

/** A finding that waits to be written. */
interface Pending {
  readonly tld: string;
  readonly found: CacheEntry<Finding>;
  settle(winner: CacheEntry<Finding>): void;
}

/** The findings of a label that wait, and the commit that is under way. */
interface Writer {
  batch: Pending[];
  timer: ReturnType<typeof setTimeout> | undefined;
  writing: Promise<void> | undefined;
  /** Whether a client waits for a finding of the batch. */
  isUrgent: boolean;
}

/** What is known of a label that was read or written lately. */
interface KnownLabel {
  /** Its entry: a commit that starts from it needs no read. */
  entry?: KnownEntry<StoredLabel> | undefined;
  /** When it was read or written, in ms since 1970. */
  entryAt: number;
  /** By TLD, the look-ups of which no finding has come yet: expected, or begun by a cache miss, at a time in ms since 1970. */
  readonly lookups: Map<string, { readonly at: number; readonly isExpected: boolean }>;
}

/** Labels whose look-ups are under way, and many more; one that is forgotten costs a read and a commit more. */
const MAX_KNOWN_LABELS = 4_000;
/** The longest that a finding waits for others of its label. A client that asks for it does not wait. */
const HOLD_MS = 2_000;
/** Findings that KV did not take, to be written again; the oldest are dropped. */
const MAX_REFUSED = 1_000;
/**
 * The most characters, as JSON, of a label's findings: KV takes 64 KiB, and a character may need two bytes. Clients may name
 * thousands of suffixes; 500 findings fit.
 */
const MAX_LABEL_CHARACTERS = 30_000;
/** As long as a withdrawn "available" could have been cached. */
const WITHDRAWN_MS = 5 * 60_000;
const WITHDRAWN: Verdict = {
  available: false,
  status: ["unknown", "undelegated"],
  premium: false,
  source: "rdap",
  cause: "registrar",
  error: "A later answer of a registrar has withdrawn this one; try again",
};
/** No look-up takes longer: one that began earlier has failed. */
export const LONGEST_LOOKUP_MS = 20_000;

/**
 * Caches findings in KV. Simultaneous reads of a label share one. Findings are written once no look-up of their label
 * is under way, after two seconds at the latest, and at once where a client waits for one. A finding replaces only one
 * that was asked for earlier (an "available", only one that was asked for earlier by each clock); commits check the version that they replace, so that a process whose look-up took long
 * does not undo a newer finding of another process. A finding that KV did not take is written once KV answers again.
 */
export function createDomainAnswers(
  kv: GuardedKv,
  { holdsBack = () => false, now }: {
    /** Whether the TLD's registry may hold deleted names back: it is kept when they were last seen registered. */
    holdsBack?: (tld: string) => boolean;
    now: () => number;
  },
): DomainAnswers {
  const reads = createSingleFlight<StoredLabel>();
  const writers = new Map<string, Writer>();
  const known = createBoundedMap<KnownLabel>(MAX_KNOWN_LABELS);
  const refused = new Map<string, CacheEntry<Finding>>();
  const winnerOf = (stored: CacheEntry<Finding> | undefined, found: CacheEntry<Finding>) =>
    newerEntry(stored, found, now(), isAvailable);

  function noteRefused(label: string, batch: readonly Pending[]): void {
    for (const { tld, found } of batch) {
      const name = `${label}.${tld}`;
      refused.set(name, winnerOf(refused.get(name), found));
    }
    for (const name of refused.keys().take(Math.max(0, refused.size - MAX_REFUSED))) {
      refused.delete(name);
    }
  }

  /** Called when KV has answered: writes one refused finding, whose commit calls this again. */
  function writeRefused(): void {
    for (const [name, found] of refused) {
      refused.delete(name);
      if (found.expiresAt > now()) return void set(name, found);
    }
  }

  function knownOf(label: string): KnownLabel {
    const one = known.get(label) ?? { entryAt: 0, lookups: new Map() };
    known.set(label, one);
    return one;
  }

  function remember(label: string, entry: KnownLabel["entry"]): void {
    Object.assign(knownOf(label), { entry, entryAt: now() });
  }

  async function read(label: string): Promise<StoredLabel> {
    // An answer may be minutes old, so a replica that is seconds behind will do.
    const options = { consistency: "eventual" } as const;
    const entry = await kv.attempt(
      (kv) => kv.get<StoredLabel>(["domain", label], options),
      undefined,
    );
    // A commit that is under way knows the entry better.
    if (!writers.has(label)) remember(label, entry);
    if (entry !== undefined) writeRefused();
    return entry?.value ?? {};
  }

  function expect(name: string): void {
    const { label, tld } = partsOf(name);
    knownOf(label).lookups.set(tld, { at: now(), isExpected: true });
  }

  /** What was read for one look-up of a request serves the others that it announced, which may wait for their turns. */
  function readSinceExpected(label: string, tld: string): StoredLabel | undefined {
    const { entry, entryAt, lookups } = knownOf(label);
    const lookup = lookups.get(tld);
    return entry && lookup?.isExpected && lookup.at <= entryAt ? entry.value ?? {} : undefined;
  }

  async function get(name: string): Promise<CacheEntry<Finding> | undefined> {
    const { label, tld } = partsOf(name);
    const stored = fromStored(
      (readSinceExpected(label, tld) ?? await reads.run(label, () => read(label)))[tld],
    );
    const found = stored !== undefined && isWithdrawal(stored) ? undefined : stored;
    const { lookups } = knownOf(label);
    if (found === undefined || found.expiresAt <= now()) {
      lookups.set(tld, { at: now(), isExpected: false });
    } else lookups.delete(tld);
    return found;
  }

  function set(name: string, found: CacheEntry<Finding>): Promise<CacheEntry<Finding>> {
    const { label, tld } = partsOf(name);
    // What KV did not take would otherwise be written after a later finding that withdraws it.
    const earlier = refused.get(name);
    if (earlier !== undefined && winnerOf(earlier, found) === found) refused.delete(name);
    const { promise, resolve: settle } = Promise.withResolvers<CacheEntry<Finding>>();
    const writer = writers.get(label) ??
      { batch: [], timer: undefined, writing: undefined, isUrgent: false };
    writers.set(label, writer);
    writer.batch.push({ tld, found, settle });
    known.get(label)?.lookups.delete(tld);
    proceed(label, writer);
    return promise;
  }

  /** Writes the batch now or later; called again after each commit. */
  function proceed(label: string, writer: Writer): void {
    if (writer.writing !== undefined) return;
    if (writer.batch.length === 0) {
      writers.delete(label);
    } else if (writer.isUrgent || !isLookedUp(label)) {
      writeNow(label, writer);
    } else {
      writer.timer ??= setTimeout(writeNow, HOLD_MS, label, writer);
    }
  }

  function writeNow(label: string, writer: Writer): void {
    clearTimeout(writer.timer);
    writer.timer = undefined;
    writer.isUrgent = false;
    writer.writing = write(label, writer).finally(() => {
      writer.writing = undefined;
      proceed(label, writer);
    });
  }

  async function write(label: string, writer: Writer): Promise<void> {
    const batch = writer.batch;
    writer.batch = [];
    const winners = await commit(label, batch);
    batch.forEach(({ found, settle }, place) => settle(winners[place] ?? found));
  }

  function isLookedUp(label: string): boolean {
    const since = now() - LONGEST_LOOKUP_MS;
    return known.get(label)?.lookups.values().some(({ at }) => at > since) ?? false;
  }

  /** Until when a finding is kept, which may be longer than it is an answer. */
  function keptUntil(tld: string, stored: Stored): number {
    if (!isReadable(stored)) return 0;
    const [state, , askedAt, expiresAt] = stored;
    return state === "taken" && holdsBack(tld) ? askedAt + HELD_BACK_MS : expiresAt;
  }

  /** Commits findings of one label; returns, of each, the one that KV holds then. */
  async function commit(
    label: string,
    batch: readonly Pending[],
  ): Promise<CacheEntry<Finding>[]> {
    const found = batch.map(({ found }) => found);
    let winners = found;
    const next = (stored: StoredLabel | undefined): StoredLabel | undefined => {
      const newer = new Map<string, Stored>();
      // Two look-ups of one domain may be in a batch, a client's and a renewal: the later question counts.
      const newest = new Map<string, CacheEntry<Finding>>();
      for (const { tld, found } of batch) {
        const known = newest.get(tld) ?? fromStored(stored?.[tld]);
        const winner = winnerOf(known, found);
        newest.set(tld, winner);
        // The tables of every process decide the same again: values of random names would only fill KV.
        if (winner === found && !isByRule(found.value)) newer.set(tld, toStored(winner));
      }
      winners = batch.map(({ tld, found }) => expired(newest.get(tld) ?? found));
      if (newer.size === 0) return stored;
      const current = Object.entries(stored ?? {}).filter(([tld, one]) =>
        !newer.has(tld) && keptUntil(tld, one) > now()
      );
      return Object.fromEntries(withinLimit([...current, ...newer], keptUntil));
    };
    const lifetimeMs = (stored: StoredLabel) =>
      Math.max(0, ...Object.entries(stored).map((one) => keptUntil(...one))) - now();
    const change = { next, lifetimeMs, known: known.get(label)?.entry };
    const entry = await changeEntry<StoredLabel>(kv, ["domain", label], change);
    // Where KV failed, its content is unknown, and all callers get their own findings.
    remember(label, entry);
    if (entry === undefined) noteRefused(label, batch);
    else writeRefused();
    return entry === undefined ? found : winners;
  }

  return {
    expect,
    get,
    set,
    flush(name) {
      const { label, tld } = partsOf(name);
      const writer = writers.get(label);
      if (!writer?.batch.some((one) => one.tld === tld)) return;
      writer.isUrgent = true;
      proceed(label, writer);
    },
    async settled() {
      writeRefused();
      while (writers.size > 0) {
        for (const [label, writer] of writers) {
          writer.isUrgent = true;
          proceed(label, writer);
        }
        await Promise.all([...writers.values()].map(({ writing }) => writing));
      }
    },
  };
}

function partsOf(name: string): { label: string; tld: string } {
  const dot = name.indexOf(".");
  return { label: name.slice(0, dot), tld: name.slice(dot + 1) };
}

/**
 * An unknown finding withdraws the one that it corrects. It is kept for as long as that could have been cached: an older
 * look-up of another process must not bring it back.
 */
function isWithdrawal({ value }: CacheEntry<Finding>): boolean {
  return stateOf(value) === "unknown";
}

/** A withdrawal is no answer for later clients. */
function expired(entry: CacheEntry<Finding>): CacheEntry<Finding> {
  return isWithdrawal(entry) ? { ...entry, expiresAt: entry.askedAt } : entry;
}

/** The findings that fit into one value: withdrawals first, because each undoes another, then those kept longest. */
function withinLimit(
  findings: readonly [tld: string, stored: Stored][],
  keptUntil: (tld: string, stored: Stored) => number,
): readonly [tld: string, stored: Stored][] {
  let size = JSON.stringify(findings).length;
  if (size <= MAX_LABEL_CHARACTERS) return findings;
  const rank = (one: [string, Stored]) => one[1][0] === "unknown" ? Infinity : keptUntil(...one);
  return findings.toSorted((a, b) => rank(a) - rank(b)).filter((one) => {
    if (size <= MAX_LABEL_CHARACTERS) return true;
    size -= JSON.stringify(one).length + 1;
    return false;
  });
}

function toStored(found: CacheEntry<Finding>): Stored {
  const { value, askedAt } = found;
  const expiresAt = isWithdrawal(found) ? askedAt + WITHDRAWN_MS : found.expiresAt;
  const { source, reason, offer } = value;
  const facts = [stateOf(value), source, askedAt, expiresAt] as const;
  if (offer !== undefined) return [...facts, reason, toStoredOffer(offer)];
  return reason === undefined ? facts : [...facts, reason];
}

function toStoredOffer({ registrar, price, renewal, premium, years }: Offer): StoredOffer {
  return [registrar, price, renewal, premium, years];
}

/** A value of another version's form is not read. */
function isReadable(stored: Stored | undefined): stored is Stored {
  return Array.isArray(stored) && Number.isFinite(stored[2]);
}

function fromStored(stored: Stored | undefined): CacheEntry<Finding> | undefined {
  if (!isReadable(stored)) return undefined;
  const [state, source, askedAt, expiresAt, reason, offer] = stored;
  const verdict = state === "unknown" ? WITHDRAWN : verdictOf(state, source);
  if (verdict === undefined) return undefined;
  const checkedAt = new Date(askedAt).toISOString();
  const value = {
    ...verdict,
    ...(reason !== undefined && { reason }),
    ...(Array.isArray(offer) && { offer: fromStoredOffer(offer as StoredOffer) }),
    checkedAt,
  };
  return { value, askedAt, expiresAt };
}

function fromStoredOffer([registrar, price, renewal, premium, years]: StoredOffer): Offer {
  return {
    registrar,
    price,
    ...(renewal !== undefined && { renewal }),
    ...(premium !== undefined && { premium }),
    ...(years !== undefined && { years }),
  };
}
