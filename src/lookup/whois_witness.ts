/** What the TLD's WHOIS server says of a name, if the server has passed a test like that of RDAP servers. */
import type { Background } from "../flow/background.ts";
import type { WaitOptions } from "../flow/queue/gate.ts";
import type { Report } from "../flow/report.ts";
import { withDeadline } from "../flow/deadline.ts";
import { createSingleFlight } from "../flow/cache/single_flight.ts";
import type { WhoisAnswer } from "../rules/answer.ts";
import { readWhoisReply, type WhoisReading, whoisWordingOf } from "../rules/readers/whois_reply.ts";
import { type WhoisServer, whoisServerOf } from "../rules/tables/whois_servers.ts";
import { type AskedName, quoteText, type Wording } from "../rules/readers/wording.ts";
import { madeUpLabel } from "./canary_probe.ts";
import type { AskWhois, Domain } from "./judge.ts";
import type { WhoisFailure, WhoisFault, WhoisQueries } from "./whois_queries.ts";

/** The result of a server's test for a TLD. */
type Test =
  /** It has a record of a registered name and denies a made-up one, in this wording. */
  | { kind: "passed"; wording: Wording }
  | { kind: "failed"; why: string }
  /** A test query was not sent, so nothing is known. */
  | { kind: "undecided" };

/** A result that is kept, and its monotonic time. */
type TestRecord = Exclude<Test, { kind: "undecided" }> & { readonly at: number };

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
    const reading = reply.kind === "failed" ? reply : readWhoisReply(reply.text, {
      asked: await askedName({ label, tld }),
      askedAt: reply.askedAt,
      wordings: [test.wording],
    });
    noteReading(server, reading);
    const { host } = server;
    const said = reply.kind === "failed" ? "" : quoteText(reply.text);
    if (reading.kind === "failed" || reading.kind === "notFound") return { ...reading, host, said };
    return await isProven(server, tld) ? { ...reading, host, said } : undefined;
  }

  function noteReading(server: WhoisServer, reading: WhoisReading | WhoisFailure): void {
    queries.note(server, reading.kind === "failed" ? reading : undefined);
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

  async function isProven(server: WhoisServer, tld: string): Promise<boolean> {
    const at = records.get(tld)?.at ?? -Infinity;
    if (monotonic() - at < RECENT_MS) return true;
    return (await startTest(server, tld)).kind === "passed";
  }

  function startTest(server: WhoisServer, tld: string): Promise<Test> {
    return tests.run(tld, () => {
      const test = testAndKeep(server, tld);
      background.run(test);
      return test;
    });
  }

  async function testAndKeep(server: WhoisServer, tld: string): Promise<Test> {
    const test = await testServer(server, tld);
    if (test.kind === "undecided") return test;
    records.set(tld, { ...test, at: monotonic() });
    const reason = test.kind === "failed" ? { reason: test.why } : {};
    report("whois.test", { tld, host: server.host, kind: test.kind, ...reason });
    return test;
  }

  async function testServer(server: WhoisServer, tld: string): Promise<Test> {
    const label = madeUpLabel();
    const asked = { label, domain: `${label}.${tld}` };
    const [denial, hasRecord] = await Promise.all([
      queries.ask(server, asked.domain),
      findRecord(server, tld),
    ]);
    if (denial === undefined || hasRecord === undefined) return { kind: "undecided" };
    if (denial.kind === "failed") {
      queries.note(server, denial);
      return { kind: "failed", why: denial.why };
    }
    const wording = whoisWordingOf(denial.text, asked);
    if (wording === undefined) return { kind: "failed", why: "It does not deny a made-up name" };
    if (!hasRecord) return { kind: "failed", why: "It has no record of a registered name" };
    return { kind: "passed", wording };
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
      const question = { asked, askedAt: reply.askedAt, wordings: [] };
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

const LATE: WhoisAnswer = {
  kind: "failed",
  why: "The registry's WHOIS server did not answer in time",
};
