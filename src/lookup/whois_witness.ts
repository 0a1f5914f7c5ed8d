/** What the TLD's WHOIS server says of a name, if the server has passed a test like that of RDAP servers. */
import type { Background } from "../flow/background.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { Report } from "../flow/report.ts";
import { createSingleFlight } from "../flow/cache/single_flight.ts";
import type { WhoisAnswer, WhoisFailure, WhoisFault, WhoisText } from "../rules/answer.ts";
import type { AskedName } from "../rules/readers/statements.ts";
import { addTemplate, type Template } from "../rules/readers/templates.ts";
import { readAvailabilityReply } from "../rules/readers/availability_reply.ts";
import {
  type DoubtfulReading,
  quoteDenial,
  readRandomReply,
  readWhoisReply,
  type UnfitText,
  type WhoisQuestion,
  type WhoisReading,
} from "../rules/readers/whois_reply.ts";
import { NEEDED_SERVERS, type WhoisServer } from "../rules/tables/whois_servers.ts";
import { outOfService, type WhoisService } from "../rules/whois_service.ts";
import { madeUpLabel } from "./canary_probe.ts";
import type { AskWhois, Domain } from "./judge.ts";
import type { WhoisQueries } from "./whois_queries.ts";

/** WHOIS as a witness. */
export interface WhoisWitness {
  ask: AskWhois;
  /** The TLDs whose WHOIS server is needed, as far as this process has asked about them. */
  needed(): NeededServer[];
}

/** A TLD whose names are available only if its WHOIS server does not refuse them. */
export interface NeededServer {
  readonly tld: string;
  readonly host: string;
  /** Why the server is not in service, so that verdicts go without it; absent if it is. */
  readonly outOfService?: string;
}

/** The result of a server's test for a TLD. */
type Test =
  /** It has a record of a registered name, and these texts for random ones, the latest first. */
  | { kind: "passed"; templates: readonly Template[] }
  | { kind: "failed"; why: string; fault?: TestFault }
  /** A test query was not sent, so nothing is known. */
  | { kind: "undecided" };

/** Why a test that failed says nothing of what the server knows. */
type TestFault = "unreachable" | "refused";

/** When a test began, by the monotonic clock, and as which of this process; 0: of another one. */
interface TestTime {
  readonly at: number;
  readonly place: number;
  /** How many tests in a row have failed. */
  readonly failures: number;
}

const PASSED_MS = 60 * 60_000;
/** How long a server that fails tests is not tested again: doubled with each, as pauses after refusals are. */
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 10 * 60_000;
/** An answer that changes verdicts needs a test this recent: a parking server may have taken the address since. */
const RECENT_MS = 60_000;
/** Registered names to ask about until one is confirmed. */
const MAX_NAMES = 2;

/** Creates the witness. */
export function createWhoisWitness(
  {
    queries,
    serverOf,
    store,
    labelsOf,
    background,
    report,
    onReading,
    now,
    monotonic,
  }: {
    queries: WhoisQueries;
    /** The WHOIS server of a TLD, if it has one. */
    serverOf: (tld: string) => Promise<WhoisServer | undefined>;
    store: {
      get(tld: string): Promise<WhoisService | undefined>;
      merge(tld: string, service: WhoisService): Promise<void>;
    };
    /** Labels that are registered under the TLD, the surest first. */
    labelsOf: (tld: string) => Promise<readonly string[]>;
    background: Background;
    report: Report;
    /** Called with the result of each query for a client's name. */
    onReading: (
      host: string,
      result: WhoisReading["kind"] | WhoisFault,
    ) => void;
    now: () => number;
    /** A clock in ms that is never set back. */
    monotonic: () => number;
  },
): WhoisWitness {
  /** What is known of each TLD's server; read from KV before the first question. */
  const services = new Map<string, WhoisService>();
  const readings = createSingleFlight<void>();
  const read = new Set<string>();
  const testTimes = new Map<string, TestTime>();
  const tests = createSingleFlight<Test>();
  const learntAt = new Map<string, number>();
  /** How many tests have begun. */
  let begun = 0;

  /** Another process may have tested the server, or found it shut, so that this one need not test it again. */
  function readOnce(tld: string): Promise<void> | undefined {
    if (read.has(tld)) return undefined;
    return readings.run(tld, async () => {
      const stored = await store.get(tld);
      read.add(tld);
      if (stored === undefined) return;
      services.set(tld, stored);
      const ageMs = Math.max(0, now() - stored.testedAt);
      const failures = stored.failure === undefined ? 0 : 1;
      testTimes.set(tld, { at: monotonic() - ageMs, place: 0, failures });
    });
  }

  function keep(tld: string, service: WhoisService): void {
    services.set(tld, service);
    background.run(store.merge(tld, service));
  }

  async function answer(
    server: WhoisServer,
    { label, tld }: Domain,
    wait: WaitOptions,
  ): Promise<WhoisAnswer | undefined> {
    const testing = testFor(server, tld);
    if (testing === undefined) return undefined;
    // Beside the test: an answer that comes from a server without a pass is not read.
    const [test, reply] = await Promise.all([
      testing,
      queries.ask(server, `${label}.${tld}`, wait),
    ]);
    if (reply !== undefined) noteReach(tld, reply);
    if (reply === undefined) return undefined;
    const { host } = server;
    if (test.kind !== "passed") {
      return await unprovenRecord(server, { label, tld }, { reply, test });
    }
    if (reply.kind === "failed") {
      noteReading(server, reply);
      return { ...reply, host, said: "" };
    }
    const reading = await readReply(server, { label, tld }, { reply, templates: test.templates });
    if (reading === undefined) return undefined;
    noteReading(server, reading);
    return { ...reading, host, said: saidOf(reading, reply.text) };
  }

  /** The record of the name from a server that has not passed its test: it makes "taken" likely. */
  async function unprovenRecord(
    { host }: WhoisServer,
    domain: Domain,
    { reply, test }: { reply: WhoisText; test: Exclude<Test, { kind: "passed" }> },
  ): Promise<WhoisAnswer | undefined> {
    if (reply.kind === "failed") return undefined;
    const { askedAt, text } = reply;
    const asked = await askedName(domain);
    const { kind } = readWhoisReply(text, { asked, askedAt, templates: [] });
    return kind === "registered"
      ? { kind, askedAt, test: test.kind, host, said: RECORD }
      : undefined;
  }

  /**
   * Reads a reply. What may change a verdict needs a recent test. Words about the client or the server, and words that
   * no phrase reads, need one that began after the reply: its text for a random name shows whether they are about the name.
   * Undefined without a pass.
   */
  async function readReply(
    server: WhoisServer,
    domain: Domain,
    { reply, templates }: {
      reply: Extract<WhoisText, { kind: "text" }>;
      templates: readonly Template[];
    },
  ): Promise<WhoisReading | WhoisFailure | undefined> {
    const asked = await askedName(domain);
    const read = (templates: readonly Template[]) =>
      readReplyOf(server, reply, { asked, askedAt: reply.askedAt, templates });
    const first = read(templates);
    if (first.kind === "notFound") return first;
    const needsNew = first.kind === "doubtful" || first.kind === "unread" && mayLearn(domain.tld);
    const before = begun;
    const isEnough = ({ at, place }: TestTime) =>
      needsNew ? place > before : monotonic() - at < RECENT_MS;
    const test = await testUnless(server, domain.tld, isEnough);
    if (test.kind !== "passed") {
      if (first.kind === "registered") return { ...first, test: test.kind };
      if (first.kind === "doubtful") return first.fault === "limited" ? REFUSED : UNREADABLE;
      if (test.kind === "failed") return undefined;
      // It has passed within the hour, but its texts may have changed since: what it says against the name takes "available"
      // away, and no more.
      return first.kind === "reserved" ? { ...first, kind: "unread" } : first;
    }
    // What the server says to random names may have changed since.
    const second = read(test.templates);
    return second.kind === "doubtful" ? second.reading : second;
  }

  /** Whether a text that no phrase reads is worth a test, which shows what varies: once a minute. */
  function mayLearn(tld: string): boolean {
    const last = learntAt.get(tld) ?? -Infinity;
    if (monotonic() - last < RECENT_MS) return false;
    learntAt.set(tld, monotonic());
    return true;
  }

  function noteReading(server: WhoisServer, reading: WhoisReading | WhoisFailure): void {
    // Of a refusal the test has told that followed it.
    if (reading !== REFUSED && reading !== UNREADABLE) {
      queries.note(server, reading.kind === "failed" ? reading : undefined);
    }
    onReading(server.host, reading.kind === "failed" ? reading.fault : reading.kind);
  }

  /** Keeps since when no connection has been made. */
  function noteReach(tld: string, reply: WhoisText): void {
    const service = services.get(tld);
    if (service === undefined) return;
    const isUnreachable = reply.kind === "failed" && reply.isUnreachable === true;
    if (isUnreachable === (service.unreachableSince !== undefined)) return;
    keep(tld, { ...service, unreachableSince: isUnreachable ? now() : undefined });
  }

  /** The last test's result, if it is in this process or in KV. */
  function lastTest(tld: string): Exclude<Test, { kind: "undecided" }> & TestTime | undefined {
    const service = services.get(tld);
    const time = testTimes.get(tld);
    if (service === undefined || time === undefined) return undefined;
    const { failure, templates } = service;
    return failure === undefined
      ? { kind: "passed", templates, ...time }
      : { kind: "failed", why: failure, ...time };
  }

  /** For how long a server that has failed its last test is not tested again, in ms. */
  function restMs(tld: string): number {
    const { at, failures } = testTimes.get(tld) ?? { at: -Infinity, failures: 0 };
    if (failures === 0) return 0;
    const ms = Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS);
    return Math.max(0, at + ms - monotonic());
  }

  /** The test that decides for a client; undefined if the last one failed: then no client waits for the next. */
  function testFor(server: WhoisServer, tld: string): Promise<Test> | undefined {
    const last = lastTest(tld);
    if (last === undefined) return startTest(server, tld);
    const age = monotonic() - last.at;
    switch (last.kind) {
      case "passed":
        return age < PASSED_MS ? Promise.resolve(last) : startTest(server, tld);
      case "failed": {
        if (restMs(tld) > 0) return undefined;
        const testing = startTest(server, tld);
        // The client was told to come back after the rest; a connection that fails again would take its whole time.
        const isReached = services.get(tld)?.unreachableSince === undefined;
        return server.isNeeded && isReached ? testing : undefined;
      }
      default:
        last satisfies never;
        return undefined;
    }
  }

  /** The last test, or a new one unless that will do. */
  async function testUnless(
    server: WhoisServer,
    tld: string,
    isEnough: (last: TestTime) => boolean,
  ): Promise<Test> {
    const last = () => {
      const test = lastTest(tld);
      return test !== undefined && isEnough(test) ? test : undefined;
    };
    // One that is in flight may have begun too early.
    if (last() === undefined) await startTest(server, tld);
    return last() ?? await startTest(server, tld);
  }

  function startTest(server: WhoisServer, tld: string): Promise<Test> {
    return tests.run(tld, () => {
      const test = testAndKeep(server, tld);
      background.run(test);
      return test;
    });
  }

  async function testAndKeep(server: WhoisServer, tld: string): Promise<Test> {
    const time = { at: monotonic(), place: ++begun };
    const testedAt = now();
    const test = await testServer(server, tld);
    if (test.kind === "undecided") return test;
    const failures = test.kind === "failed" ? (testTimes.get(tld)?.failures ?? 0) + 1 : 0;
    testTimes.set(tld, { ...time, failures });
    const before: Omit<WhoisService, "testedAt"> = services.get(tld) ?? { templates: [] };
    const after = test.kind === "passed"
      ? { failure: undefined, passedAt: testedAt, templates: test.templates }
      : { failure: test.why };
    const fault = test.kind === "failed" ? test.fault : undefined;
    const unreachableSince = fault === "unreachable"
      ? before.unreachableSince ?? testedAt
      : undefined;
    const refusedSince = fault === "refused" ? before.refusedSince ?? testedAt : undefined;
    keep(tld, { ...before, ...after, testedAt, unreachableSince, refusedSince });
    const reason = test.kind === "failed" ? { reason: test.why } : {};
    report("whois.test", { tld, host: server.host, kind: test.kind, ...reason });
    return test;
  }

  /** A random name first: a server that has a record for us after it did not refuse that query. */
  async function testServer(server: WhoisServer, tld: string): Promise<Test> {
    const label = madeUpLabel();
    const asked = { label, domain: `${label}.${tld}` };
    const reply = await queries.ask(server, asked.domain, { priority: "first" });
    if (reply === undefined) return { kind: "undecided" };
    const denial = reply.kind === "failed" ? reply : readRandomReplyOf(server, reply, asked);
    if ("kind" in denial) return noteFailure(server, denial);
    const found = await findRecord(server, tld, denial);
    if (found.kind !== "passed") return found;
    return { kind: "passed", templates: addTemplate(services.get(tld)?.templates ?? [], denial) };
  }

  /** The result of a test whose query got no answer that can be read. */
  function noteFailure(server: WhoisServer, failure: WhoisFailure | UnfitText): Test {
    const { fault, why } = failure;
    const isUnreachable = failure.kind === "failed" && failure.isUnreachable;
    const isClosed = failure.kind === "failed" && failure.isClosed;
    queries.note(server, { kind: "failed", fault, why });
    if (isUnreachable) return { kind: "failed", why, fault: "unreachable" };
    return { kind: "failed", why, ...((fault === "limited" || isClosed) && { fault: "refused" }) };
  }

  /** Whether the server has a record of a registered name; `denial`: its text for a random one. */
  async function findRecord(
    server: WhoisServer,
    tld: string,
    denial: Template,
  ): Promise<Exclude<Test, { kind: "passed" }> | { kind: "passed" }> {
    const labels = await labelsOf(tld);
    for (const label of labels.slice(0, MAX_NAMES)) {
      const asked = { label, domain: `${label}.${tld}` };
      const reply = await queries.ask(server, asked.domain, { priority: "first" });
      if (reply === undefined) return { kind: "undecided" };
      if (reply.kind === "failed") return noteFailure(server, reply);
      const question = { asked, askedAt: reply.askedAt, templates: [denial] };
      const reading = readReplyOf(server, reply, question);
      // It may begin to refuse queries with this one.
      if (reading.kind === "doubtful" && reading.fault === "limited") {
        return noteFailure(server, REFUSED);
      }
      // An availability service may not tell apart what is registered and what is withheld.
      const isKnown = reading.kind === "registered" ||
        server.availability !== undefined && reading.kind === "reserved";
      if (isKnown) return { kind: "passed" };
    }
    return { kind: "failed", why: "It has no record of a registered name" };
  }

  /** What is said where a needed server has not answered. */
  async function unanswered(
    server: WhoisServer,
    { tld }: Domain,
    fault: WhoisFault | "unasked",
    wait: WaitOptions,
  ): Promise<WhoisAnswer> {
    const { host } = server;
    const service = services.get(tld);
    const why = outOfService(service, now());
    if (why !== undefined) return { kind: "absent", why, host };
    const isRefused = fault === "unasked" && service?.refusedSince !== undefined;
    const retryAfterMs = Math.max(await queries.retryMs(server, wait), restMs(tld));
    const { isRegistrarEnough } = server;
    const reported = isRefused ? "limited" : fault;
    return { kind: "missing", fault: reported, retryAfterMs, isRegistrarEnough, host };
  }

  return {
    async ask(domain, wait, isFallback = false) {
      const server = await serverOf(domain.tld);
      if (server === undefined || wait.signal?.aborted) return undefined;
      if (!server.isNeeded && !isFallback) return undefined;
      await readOnce(domain.tld);
      const answered = await answer(server, domain, wait);
      if (!server.isNeeded) return answered;
      if (answered === undefined || answered.kind === "registered" && answered.test !== undefined) {
        return await unanswered(server, domain, "unasked", wait);
      }
      if (answered.kind !== "failed") return answered;
      return await unanswered(server, domain, answered.fault, wait);
    },
    needed: () =>
      [...NEEDED_SERVERS].filter(([tld]) => services.has(tld)).map(([tld, host]) => {
        const why = outOfService(services.get(tld), now());
        return { tld, host, ...(why !== undefined && { outOfService: why }) };
      }),
  };
}

/** All that is said of a record: its text holds persons' data. */
const RECORD = "a record";

/** What is quoted of a text, by how it was read. */
function saidOf(reading: WhoisReading | WhoisFailure, text: string): string {
  if (reading.kind === "registered") return RECORD;
  return "words" in reading ? reading.words : quoteDenial(text);
}

type WhoisReplyText = Extract<WhoisText, { kind: "text" }>;

function readReplyOf(
  { availability }: WhoisServer,
  { text }: WhoisReplyText,
  question: WhoisQuestion,
): WhoisReading | DoubtfulReading {
  return availability === undefined
    ? readWhoisReply(text, question)
    : readAvailabilityReply(text, availability, question.askedAt);
}

function readRandomReplyOf(
  { availability }: WhoisServer,
  { text, askedAt }: WhoisReplyText,
  asked: AskedName,
): Template | UnfitText {
  const denial = readRandomReply(text, { ...asked, askedAt });
  if (availability === undefined || "kind" in denial) return denial;
  const isFree = readAvailabilityReply(text, availability, askedAt).kind === "notFound";
  return isFree ? denial : UNFIT;
}

const UNFIT: UnfitText = {
  kind: "unfit",
  fault: "unclear",
  why: "It does not call a random name free",
};

/** The forms of the name that a reply may contain. */
async function askedName({ label, tld }: Domain): Promise<AskedName> {
  if (!label.startsWith("xn--")) return { label, domain: `${label}.${tld}` };
  return (await import("./a_label.ts")).askedName(label, tld);
}

/** The server speaks of the client or itself, and does not answer about a random name either. */
const REFUSED: WhoisFailure = {
  kind: "failed",
  fault: "limited",
  why: "The registry's WHOIS server refused the query",
};
const UNREADABLE: WhoisFailure = {
  kind: "failed",
  fault: "unclear",
  why: "The registry's WHOIS server has trouble",
};
