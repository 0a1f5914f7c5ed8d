/**
 * The tests of registries' servers of one kind, RDAP or WHOIS, by the protocol of `rules/tested_server.ts`. Results are shared by
 * all processes on one KV: this process's copy is at most three seconds old. Where none is in force a test runs beside the
 * first question, in the place of each client that waits for it.
 */
import type { Background, Clock, Report } from "../flow/process.ts";
import type { Cache } from "../flow/cache/cached.ts";
import { createPolledCopy } from "../flow/cache/memory.ts";
import { type Flight, startFlight } from "../flow/cache/flight.ts";
import { pause } from "../flow/deadline.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { Canary } from "../rules/answer.ts";
import { type Finding, isByRule } from "../rules/evidence.ts";
import { addTemplate, type Template, wordsOf } from "../rules/readers/templates.ts";
import {
  believesDenial,
  believesRecord,
  laterRecord,
  recordReach,
  recordTest,
  resultInForce,
  type ServerRecord,
  teachRecord,
  type TestReply,
} from "../rules/tested_server.ts";
import { type KnownNames, madeUpLabel, madeUpLabelLike } from "./known_names.ts";

/** The results of one kind of server in KV, as all processes know them. */
interface TestStore {
  /** Grows with every change of a record by any process; undefined if KV fails. */
  version(): Promise<string | undefined>;
  list(): Promise<ReadonlyMap<string, ServerRecord> | undefined>;
  /** The record after the change; undefined if KV fails. */
  change(
    tld: string,
    next: (stored: ServerRecord | undefined) => ServerRecord,
  ): Promise<ServerRecord | undefined>;
}

/** How servers of a kind are asked. */
export interface ServerKind<Server extends { readonly tld: string }> {
  readonly kind: "rdap" | "whois";
  /** The RDAP base, or the WHOIS host. */
  hostOf(server: Server): string;
  /** Asks a question of a test; `templates`: the server's denials of random names so far. */
  ask(
    server: Server,
    label: string,
    options: { wait: WaitOptions; templates: readonly Template[] },
  ): Promise<TestReply>;
  /** The ms until a client of one of the sites may have a server tested; 0: now. */
  admit?(tld: string, sites: ReadonlySet<string>): number;
}

/** The tests. */
export type ServerTests<Server extends { readonly tld: string }> = ReturnType<
  typeof createServerTests<Server>
>;

/** The longest time for which this process believes a server that failed the test of another process. */
const FRESH_MS = 3_000;
/** After how long a test that no pause cut short is made again, and a random name is asked about because of odd denials. */
const AGAIN_MS = 60_000;
/** Of two lengths: a long name may be cut or wrapped. Registro.br refuses names of more than 26 characters. */
const RANDOM_LENGTHS = [24, 12];
/** Registered names to ask about until one is confirmed. */
const MAX_NAMES = 2;

/** What follows is a verb. */
const WORDS = {
  rdap: {
    failed: 'This registry\'s "not found" is not trusted: its RDAP server',
    undecided: 'This registry\'s "not found" could not be tested: its RDAP server',
  },
  whois: {
    failed: "Its WHOIS server",
    undecided: "Its WHOIS server could not be tested: it",
  },
} as const;

const DENIES = "denies names known to be registered";

/** Creates the tests of a kind; `monotonic` is a clock in ms that is never set back. */
export function createServerTests<Server extends { readonly tld: string }>(
  { kind, hostOf, ask, admit = () => 0 }: ServerKind<Server>,
  { store, names, onTest, background, ending, log, now, monotonic }: Clock & {
    store: TestStore;
    names: Pick<KnownNames, "delegated">;
    /** Called with the result of each test. */
    onTest?: ((tld: string, kind: Canary["kind"]) => void) | undefined;
    background: Pick<Background, "run">;
    /** Aborted when the process begins to end. */
    ending: AbortSignal;
    log: Readonly<Record<"debug" | "info" | "warn", Report>>;
  },
) {
  const records = new Map<string, ServerRecord>();
  /** Records that KV has not taken yet. */
  const unwritten = new Set<string>();
  let readVersion = "";
  const copy = createPolledCopy(read, { maxAgeMs: FRESH_MS, now: monotonic });
  const tests = createSharedWork<Canary>(ending);
  /** The last tests of this process, when each may be made again, and when a random name was asked about besides, by server. */
  const tried = new Map<string, { at: number; again: number; result: Canary }>();
  const learntAt = new Map<string, number>();
  const learning = createSharedWork<TestReply | undefined>(ending);

  const keyOf = (server: Server) => `${server.tld} ${hostOf(server)}`;
  /** The result in force, as far as this process knows. */
  const knownResult = (server: Server) =>
    resultInForce(records.get(server.tld), { server: hostOf(server), now: now() });

  async function read(): Promise<void> {
    for (const tld of unwritten) {
      await write(tld, (stored) => laterRecord(stored, records.get(tld)!));
    }
    const version = await store.version();
    if (version === undefined || version === readVersion) return;
    const before = new Map(records);
    const found = await store.list();
    if (found === undefined) return;
    readVersion = version;
    for (const [tld, record] of found) {
      // Not what this process has recorded meanwhile.
      if (!unwritten.has(tld) && records.get(tld) === before.get(tld)) records.set(tld, record);
    }
  }

  async function write(
    tld: string,
    next: (stored: ServerRecord | undefined) => ServerRecord,
  ): Promise<void> {
    const record = records.get(tld);
    const stored = await store.change(tld, next);
    // Keeps a newer result of this process, which has its own write.
    if (stored === undefined || records.get(tld) !== record) return;
    unwritten.delete(tld);
    records.set(tld, stored);
  }

  /** Changes the record here at once, then in KV. */
  async function change(
    tld: string,
    next: (before: ServerRecord | undefined) => ServerRecord,
  ): Promise<void> {
    records.set(tld, next(records.get(tld)));
    // Before the write: a read that runs meanwhile may return an older record, which must not replace this one.
    unwritten.add(tld);
    await write(tld, next);
  }

  function note(server: Server, result: Canary): Promise<void> {
    const last = tried.get(keyOf(server))?.result;
    onTest?.(server.tld, result.kind);
    // While a registry is down it is tested again and again: only a change is worth a line.
    const level = last?.kind === result.kind ? "debug" : result.kind === "passed" ? "info" : "warn";
    const reason = result.kind === "passed" ? {} : { reason: result.why };
    const facts = { witness: kind, tld: server.tld, server: hostOf(server), kind: result.kind };
    log[level]("server.test", { ...facts, ...reason });
    // Also where a queue of background work would take hours: a client's own place may be due sooner.
    const pauseMs = result.kind === "undecided" ? result.retryAfterMs ?? AGAIN_MS : AGAIN_MS;
    const at = now();
    const again = monotonic() + Math.min(pauseMs, AGAIN_MS);
    tried.set(keyOf(server), { at, again, result: { ...result, testedAt: at } });
    const noted = { result, server: hostOf(server), at };
    return change(server.tld, (before) => {
      // KV may take the write after that of a later test by another process.
      const isLate = before !== undefined && before.testedAt > at && before.testedAt <= now();
      return isLate ? laterRecord(before, recordTest(undefined, noted)) : recordTest(before, noted);
    });
  }

  function witnessOf(tld: string): string | undefined {
    const result = records.get(tld)?.result;
    return result?.kind === "passed" ? result.witness : undefined;
  }

  /** Notes that it denied the name on which its last pass rests. */
  const revoke = (server: Server) => note(server, failed(DENIES));

  const failed = (words: string, confirmsMadeUp?: true): Canary => ({
    kind: "failed",
    why: `${WORDS[kind].failed} ${words}`,
    ...(confirmsMadeUp && { confirmsMadeUp }),
  });

  const undecided = (
    words: string,
    reply?: Pick<Extract<TestReply, { kind: "failed" }>, "fault" | "retryAfterMs">,
  ): Canary => ({
    kind: "undecided",
    why: `${WORDS[kind].undecided} ${words}`,
    fault: reply?.fault,
    retryAfterMs: reply && (reply.retryAfterMs ?? AGAIN_MS),
    testedAt: now(),
  });

  /**
   * Asks; the first denial of a name that DNS shows ends the test, that of the name on which the last pass rests before all, also
   * once that has expired: what clients have asked about since may not be in the registry's answers yet.
   */
  async function askAll(server: Server, wait: WaitOptions): Promise<Canary> {
    const isSame = records.get(server.tld)?.server === hostOf(server);
    const witness = isSame ? witnessOf(server.tld) : undefined;
    const [random, labels] = await Promise.all([
      Promise.all(
        RANDOM_LENGTHS.map((length) => ask(server, madeUpLabel(length), { wait, templates: [] })),
      ),
      names.delegated(server.tld, wait, witness),
    ]);
    const templates = templatesOf(random);
    if ("kind" in templates) return templates;
    for (const label of labels.slice(0, MAX_NAMES)) {
      const reply = await ask(server, label, { wait, templates });
      switch (reply.kind) {
        case "record":
          return { kind: "passed", witness: label, templates };
        case "failed":
          return undecided(`did not answer for a registered name (${reply.why})`, reply);
        case "denial":
        case "against":
          // Some registries keep their own name elsewhere.
          if (label !== "nic" || label === witness) return failed(DENIES);
          break;
        default:
          return reply satisfies never;
      }
    }
    return labels.length === 0
      ? undecided("was not asked, because DNS shows no registered name to test it with")
      : failed(DENIES);
  }

  /** The denials of the random names, or the end of a test in which one of them has none. */
  function templatesOf(replies: readonly TestReply[]): readonly Template[] | Canary {
    let templates: readonly Template[] = [];
    for (const reply of replies) {
      switch (reply.kind) {
        case "record":
          return failed("has a record of a made-up name", true);
        case "against":
          return failed(reply.why);
        case "failed":
          return undecided(`did not answer for a made-up name (${reply.why})`, reply);
        case "denial":
          templates = addTemplate(templates, reply.template);
          break;
        default:
          return reply satisfies never;
      }
    }
    return templates;
  }

  async function test(server: Server, wait: WaitOptions): Promise<Canary> {
    const result = await askAll(server, wait);
    // Nothing was asked.
    if (result.kind === "undecided" && ending.aborted) return result;
    await note(server, result);
    // With what was known of the server before.
    return result.kind === "undecided" ? result : knownResult(server) ?? result;
  }

  /** The result of a new test, or of the one that runs. */
  function shareTest(server: Server, wait: WaitOptions): Promise<Canary> {
    return tests.run(keyOf(server), wait, (wait) => {
      const testing = test(server, wait);
      background.run(testing);
      return testing;
    });
  }

  /** The result in force. */
  async function inForce(server: Server): Promise<Canary | undefined> {
    await copy.refresh();
    return knownResult(server);
  }

  function triedLately(server: Server): Canary | undefined {
    const last = tried.get(keyOf(server));
    const leftMs = (last?.again ?? -Infinity) - monotonic();
    if (last === undefined || leftMs <= 0) return undefined;
    const { at, result } = last;
    // Another process has seen it fail since, and a third one has tested another server of the TLD.
    if (at < (records.get(server.tld)?.believedSince ?? -Infinity)) return undefined;
    const isCutShort = result.kind === "undecided" && result.retryAfterMs !== undefined;
    return isCutShort ? { ...result, retryAfterMs: leftMs } : result;
  }

  /** The result in force, or that of a new test, which may wait for those of other TLDs. */
  async function resultOf(server: Server, wait: WaitOptions): Promise<Canary> {
    const { priority, site = "", clients, signal = ending, onQueue } = wait;
    const sites = new Set([site]);
    let hasWaited = false;
    let joined = new AbortController();
    const stopWatching = clients?.watch((client) => {
      sites.add(client.site ?? client.client);
      joined.abort();
      return () => {};
    });
    try {
      for (;;) {
        const known = await inForce(server);
        if (known !== undefined) return known;
        const last = triedLately(server);
        // Also where a process that has another server for the TLD has replaced its result.
        if (last !== undefined) return last;
        const isRunning = tests.isRunning(keyOf(server));
        joined = new AbortController();
        // At once, so that the names of a list that come together begin one test, and use up one of their site's.
        const waitMs = priority === "background" || isRunning ? 0 : admit(server.tld, sites);
        const queued = { host: hostOf(server), why: MANY_TESTS };
        if (waitMs === 0) {
          if (hasWaited) onQueue?.({ ...queued, expectedMs: 0 });
          return await shareTest(server, wait);
        }
        hasWaited = true;
        onQueue?.({ ...queued, expectedMs: waitMs });
        await pause(waitMs, signal, ending, joined.signal);
        if (signal.aborted || ending.aborted) return { ...NOT_TESTED, retryAfterMs: waitMs };
      }
    } finally {
      stopWatching?.();
    }
  }

  return {
    resultOf,
    inForce,
    /** The registered name on which the last test has passed, also once that pass has expired. */
    witnessOf,
    /** Whether a denial to a question sent at `askedAt` (ms since 1970) is believed. */
    trusts: ({ tld }: Pick<Server, "tld">, askedAt: number) =>
      believesDenial(records.get(tld), askedAt),
    /** The same of a record. */
    trustsRecord: ({ tld }: Pick<Server, "tld">, askedAt: number) =>
      believesRecord(records.get(tld), askedAt),
    /**
     * Asks about a random name and one of the same form as the label, whose denial differs, once a minute for a server. The result
     * in force knows their denials then, if the server still has the record of its test: one in trouble has new words for every
     * name. Returns what it says of the random name; undefined if nothing was learnt.
     */
    async learn(server: Server, label: string, wait: WaitOptions): Promise<TestReply | undefined> {
      const key = keyOf(server);
      const last = learntAt.get(key) ?? -Infinity;
      if (!learning.isRunning(key) && monotonic() - last < AGAIN_MS) return undefined;
      return await learning.run(key, wait, async (wait) => {
        learntAt.set(key, monotonic());
        const like = await madeUpLabelLike(label);
        // As those of a test; names of another form a registry may refuse.
        const isUsual = /^[a-z]{1,24}$/.test(like);
        const askAbout = (label: string) => ask(server, label, { wait, templates: [] });
        const reply = await askAbout(isUsual ? like : madeUpLabel());
        const found = templatesOf([reply]);
        if ("kind" in found && found.kind === "failed") await note(server, found);
        const known = knownResult(server);
        if (reply.kind !== "denial" || known?.kind !== "passed") return reply;
        const formed = isUsual ? reply : await askAbout(like);
        const { witness, templates } = known;
        const proof = await ask(server, witness, { wait, templates });
        if (proof.kind === "denial" || proof.kind === "against") await revoke(server);
        if (proof.kind !== "record") return undefined;
        // By other words for a form of names a registry may refuse it.
        const learnt = [reply, formed].flatMap((one) =>
          one.kind === "denial" && wordsOf(one.template) === wordsOf(reply.template)
            ? one.template
            : []
        );
        // Another process may have put a server of its own in the place.
        await change(
          server.tld,
          (record = records.get(server.tld)!) =>
            record.server === hostOf(server) ? learnt.reduce(teachRecord, record) : record,
        );
        return reply;
      });
    },
    /** Records whether a connection could be made. */
    noteReach(server: Server, isUnreachable: boolean): void {
      const record = records.get(server.tld);
      if (record === undefined) return;
      const reach = { isUnreachable, at: now() };
      if (recordReach(record, reach) === record) return;
      background.run(change(server.tld, (before = record) => recordReach(before, reach)));
    },
    /** Tests the server again even while a result is in force, with background priority, unless it was tested within the minute. */
    async retest(server: Server): Promise<void> {
      if (triedLately(server) === undefined) await shareTest(server, BACKGROUND);
    },
    /** Tests the server again even while a result is in force, with background priority; returns the new result. */
    probe: (server: Server) => shareTest(server, BACKGROUND),
    /** What this process knows of a TLD's server. */
    recordOf: (tld: string): ServerRecord | undefined => records.get(tld),
    /**
     * Whether the results of other processes were read within the last three seconds. Starts a read in the background when half
     * of that time is over.
     */
    isFresh(): boolean {
      const ageMs = copy.ageMs();
      if (ageMs >= FRESH_MS / 2) void copy.read();
      return ageMs < FRESH_MS;
    },
    /** Reads the results of other processes, unless that was done within the last three seconds. */
    refresh: copy.refresh,
    /** The results of the last tests of these TLDs; `untested`: none was made, or a pass has expired. */
    states: (tlds: readonly string[]) =>
      tlds.map((tld) => {
        const record = records.get(tld);
        const isKnown = record !== undefined &&
          (record.result.kind !== "passed" || record.expiresAt > now());
        return { tld, state: isKnown ? record.result.kind : "untested" as const };
      }),
  };
}

/** In the queue of a host, behind the questions of all clients. */
export const BACKGROUND: WaitOptions = { priority: "background" };

/** Work by key: background work, in whose questions each client that waits for it has a place. */
function createSharedWork<T>(ending: AbortSignal) {
  const running = new Map<string, Flight<T>>();
  return {
    isRunning: (key: string) => running.has(key),
    /** The result of `work`, or of the work that runs under the key. */
    run(
      key: string,
      { priority, client = "", site, signal = ending, clients }: WaitOptions,
      work: (wait: WaitOptions) => Promise<T>,
    ): Promise<T> {
      let flight = running.get(key);
      if (flight === undefined) {
        flight = startFlight((_, clients) =>
          work({ ...BACKGROUND, isTest: true, clients }).finally(() => running.delete(key))
        );
        running.set(key, flight);
      }
      const { join } = flight;
      if (priority !== "background") return join({ signal, client, site });
      // Clients may join the background look-up that waits for it.
      const stopWatching = clients?.watch((one) => {
        const left = new AbortController();
        void join({ ...one, signal: left.signal });
        return () => left.abort();
      });
      return join().finally(stopWatching);
    },
  };
}

const MANY_TESTS = "The registry's 404s were never tested, and those of many others are";

const NOT_TESTED = { kind: "undecided", why: `${MANY_TESTS}; try again` } as const;

/** What the tests of a kind of server say of cached answers. */
type Trust = Pick<
  ServerTests<{ readonly tld: string }>,
  "isFresh" | "refresh" | "trusts" | "trustsRecord"
>;

/** What WHOIS' tests say besides. */
export interface WhoisTrust extends Trust {
  /** Whether a denial is believed without WHOIS, or because a needed server has confirmed it. */
  confirms(tld: string, askedAt: number): boolean;
}

/**
 * Treats a finding that rests on the registry's answer as expired if a later test of one of its servers shows that such answers
 * of it prove nothing. All other findings cost a comparison or two.
 */
export function dropDistrusted(
  cache: Cache<Finding>,
  { rdap, whois }: { rdap: Trust; whois: WhoisTrust },
): Cache<Finding> {
  const kinds = [rdap, whois];

  function isTrusted(key: string, { state, source, checkedAt }: Finding): boolean {
    const tld = key.slice(key.indexOf(".") + 1);
    const askedAt = Date.parse(checkedAt);
    const tests = source === "whois" ? whois : rdap;
    if (state === "taken") return tests.trustsRecord({ tld }, askedAt);
    return tests.trusts({ tld }, askedAt) && (tests === whois || whois.confirms(tld, askedAt));
  }

  return {
    ...cache,
    peek(key) {
      const entry = cache.peek(key);
      if (entry === undefined || !restsOnRegistry(entry.value)) return entry;
      let areFresh = true;
      // Each, because it starts the read of a copy that grows old.
      for (const tests of kinds) if (!tests.isFresh()) areFresh = false;
      return areFresh && isTrusted(key, entry.value) ? entry : undefined;
    },
    async get(key) {
      const entry = await cache.get(key);
      if (entry === undefined || !restsOnRegistry(entry.value)) return entry;
      await Promise.all(kinds.map((tests) => tests.refresh()));
      // When the name was last seen registered stays known.
      return isTrusted(key, entry.value) ? entry : { ...entry, expiresAt: 0 };
    },
  };
}

/** Whether the finding rests on what the registry has said, which a test can refute. */
function restsOnRegistry(finding: Finding): boolean {
  return finding.source !== "dns" && !isByRule(finding);
}
