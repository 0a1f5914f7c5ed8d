/** What the TLD's WHOIS server says of a name, if the server has passed a test like that of RDAP servers. */
import type { Background } from "../flow/background.ts";
import type { WaitOptions } from "../flow/queue/gate.ts";
import type { Report } from "../flow/report.ts";
import { withDeadline } from "../flow/deadline.ts";
import { createSingleFlight } from "../flow/cache/single_flight.ts";
import type { WhoisAnswer } from "../rules/answer.ts";
import {
  readRandomReply,
  readWhoisReply,
  type WhoisReading,
} from "../rules/readers/whois_reply.ts";
import { type WhoisServer, whoisServerOf } from "../rules/tables/whois_servers.ts";
import { type AskedName, quoteText } from "../rules/readers/statements.ts";
import { addTemplate, type Template } from "../rules/readers/templates.ts";
import { madeUpLabel } from "./canary_probe.ts";
import type { AskWhois, Domain } from "./judge.ts";
import type { WhoisFailure, WhoisFault, WhoisQueries, WhoisText } from "./whois_queries.ts";

/** The result of a server's test for a TLD. */
type Test =
  /** It has a record of a registered name, and these texts for random ones, the latest first. */
  | { kind: "passed"; templates: readonly Template[] }
  | { kind: "failed"; why: string }
  /** A test query was not sent, so nothing is known. */
  | { kind: "undecided" };

/** A result that is kept: when its test began, by the monotonic clock, and as which of this process. */
type TestRecord = Exclude<Test, { kind: "undecided" }> & {
  readonly at: number;
  readonly place: number;
};

/** A client's longest wait for test, queue and answer together; half of it may be spent in the queue. */
const MAX_WAIT_MS = 2_000;
const PASSED_MS = 60 * 60_000;
const FAILED_MS = 10 * 60_000;
/** An answer that changes verdicts needs a test this recent: a parking server may have taken the address since. */
const RECENT_MS = 60_000;
/** Registered names to ask about until one is confirmed. */
const MAX_NAMES = 2;

/** Creates the question. */
export function createWhoisWitness(
  { queries, labelsOf, background, report, onReading, monotonic, maxWaitMs = MAX_WAIT_MS }: {
    queries: WhoisQueries;
    /** Labels that are registered under the TLD, the surest first. */
    labelsOf: (tld: string) => Promise<readonly string[]>;
    background: Background;
    report: Report;
    /** Called with the result of each query for a client's name. */
    onReading: (host: string, result: Exclude<WhoisAnswer["kind"], "failed"> | WhoisFault) => void;
    /** A clock in ms that is never set back. */
    monotonic: () => number;
    maxWaitMs?: number | undefined;
  },
): AskWhois {
  const records = new Map<string, TestRecord>();
  const tests = createSingleFlight<Test>();
  const learntAt = new Map<string, number>();
  /** How many tests have begun. */
  let begun = 0;

  async function answer(
    server: WhoisServer,
    { label, tld }: Domain,
    { client, site, clients, priority, signal }: WaitOptions,
  ): Promise<WhoisAnswer | undefined> {
    const testing = testFor(server, tld);
    if (testing === undefined) return undefined;
    const wait = { client, site, clients, priority, signal, maxWaitMs: maxWaitMs / 2 };
    // Beside the test: an answer that comes from a server without a pass is not read.
    const [test, reply] = await Promise.all([
      testing,
      queries.ask(server, `${label}.${tld}`, wait),
    ]);
    if (test.kind !== "passed" || reply === undefined) return undefined;
    const { host } = server;
    if (reply.kind === "failed") {
      noteReading(server, reply);
      return { ...reply, host, said: "" };
    }
    const reading = await readReply(server, { label, tld }, { reply, templates: test.templates });
    if (reading === undefined) return undefined;
    noteReading(server, reading);
    return { ...reading, host, said: quoteText(reply.text) };
  }

  /**
   * Reads a reply. What may change a verdict needs a recent test. Words about the client or the server, and words that
   * nobody reads, need one that began after the reply: its text for a random name shows whether they are about the name.
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
      readWhoisReply(reply.text, { asked, askedAt: reply.askedAt, templates });
    const first = read(templates);
    if (first.kind === "notFound") return first;
    const needsNew = first.kind === "doubtful" || first.kind === "unread" && mayLearn(domain.tld);
    const before = begun;
    const isEnough = ({ at, place }: TestRecord) =>
      needsNew ? place > before : monotonic() - at < RECENT_MS;
    const test = await testUnless(server, domain.tld, isEnough);
    if (test.kind !== "passed") {
      if (first.kind !== "doubtful") return undefined;
      return first.fault === "limited" ? REFUSED : UNREADABLE;
    }
    // What the server says to random names may have changed since.
    const second = read(test.templates);
    return second.kind === "doubtful" ? second.reading : second;
  }

  /** Whether a text that nobody reads is worth a test, which shows what varies: once a minute. */
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

  /** The test that decides for a client; undefined if the last one failed: then no client waits for the next. */
  function testFor(server: WhoisServer, tld: string): Promise<Test> | undefined {
    const record = records.get(tld);
    if (record === undefined) return startTest(server, tld);
    const age = monotonic() - record.at;
    switch (record.kind) {
      case "passed":
        return age < PASSED_MS ? Promise.resolve(record) : startTest(server, tld);
      case "failed":
        if (age >= FAILED_MS) void startTest(server, tld);
        return undefined;
      default:
        record satisfies never;
        return undefined;
    }
  }

  /** The last test, or a new one unless that will do. */
  async function testUnless(
    server: WhoisServer,
    tld: string,
    isEnough: (last: TestRecord) => boolean,
  ): Promise<Test> {
    const last = () => {
      const record = records.get(tld);
      return record !== undefined && isEnough(record) ? record : undefined;
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
    const [at, place] = [monotonic(), ++begun];
    const test = await testServer(server, tld);
    if (test.kind === "undecided") return test;
    records.set(tld, { ...test, at, place });
    const reason = test.kind === "failed" ? { reason: test.why } : {};
    report("whois.test", { tld, host: server.host, kind: test.kind, ...reason });
    return test;
  }

  /** A random name first: a server that has a record for us after it did not refuse that query. */
  async function testServer(server: WhoisServer, tld: string): Promise<Test> {
    const label = madeUpLabel();
    const asked = { label, domain: `${label}.${tld}` };
    const reply = await queries.ask(server, asked.domain);
    if (reply === undefined) return { kind: "undecided" };
    const denial = reply.kind === "failed"
      ? reply
      : readRandomReply(reply.text, { ...asked, askedAt: reply.askedAt });
    if ("kind" in denial) {
      const { fault, why } = denial;
      queries.note(server, { kind: "failed", fault, why });
      return { kind: "failed", why };
    }
    const hasRecord = await findRecord(server, tld);
    if (hasRecord === undefined) return { kind: "undecided" };
    if (!hasRecord) return { kind: "failed", why: "It has no record of a registered name" };
    const last = records.get(tld);
    const templates = last?.kind === "passed" ? last.templates : [];
    return { kind: "passed", templates: addTemplate(templates, denial) };
  }

  /** Whether the server has a record of a registered name; undefined if it was not asked. */
  async function findRecord(server: WhoisServer, tld: string): Promise<boolean | undefined> {
    const labels = await labelsOf(tld);
    for (const label of labels.slice(0, MAX_NAMES)) {
      const asked = { label, domain: `${label}.${tld}` };
      const reply = await queries.ask(server, asked.domain);
      if (reply === undefined) return undefined;
      if (reply.kind === "failed") {
        queries.note(server, reply);
        return false;
      }
      const question = { asked, askedAt: reply.askedAt, templates: [] };
      if (readWhoisReply(reply.text, question).kind === "registered") return true;
    }
    return false;
  }

  return async (domain, wait) => {
    const server = whoisServerOf(domain.tld);
    if (server === undefined || wait.signal?.aborted || queries.isCooling(server)) return undefined;
    const answering = answer(server, domain, wait);
    // It continues after the wait; a shutdown waits for it.
    background.run(answering);
    return await withDeadline(answering, maxWaitMs, LATE);
  };
}

/** The forms of the name that a reply may contain. */
async function askedName({ label, tld }: Domain): Promise<AskedName> {
  const asked = { label, domain: `${label}.${tld}` };
  if (!label.startsWith("xn--")) return asked;
  const { unicodeOf } = await import("./a_label.ts");
  const unicode = unicodeOf(label);
  return unicode === undefined ? asked : { ...asked, unicodeDomain: `${unicode}.${tld}` };
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

const LATE: WhoisAnswer = {
  kind: "failed",
  why: "The registry's WHOIS server did not answer in time",
};
