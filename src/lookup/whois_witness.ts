/** What the TLD's WHOIS server says of a name, if the server has passed its test. */
import type { Background } from "../flow/process.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { Canary, WhoisAnswer, WhoisFailure, WhoisFault, WhoisText } from "../rules/answer.ts";
import {
  type DoubtfulReading,
  NO_DENIAL,
  quoteDenial,
  readAvailabilityReply,
  readRandomReply,
  readWhoisDetails,
  readWhoisReply,
  type WhoisQuestion,
  type WhoisReading,
} from "../rules/readers/whois_reply.ts";
import { type AskedName, quoteText } from "../rules/readers/statements.ts";
import { outOfService, type TestReply } from "../rules/tested_server.ts";
import { NEEDED_SERVERS, neededServerOf, type WhoisServer } from "../rules/tables/hosts.ts";
import type { AskWhois } from "./judge.ts";
import type { Domain } from "../rules/name.ts";
import { BACKGROUND, type ServerKind, type ServerTests, type WhoisTrust } from "./server_tests.ts";
import type { WhoisQueries } from "./registries.ts";

/** A TLD and its server, as they are tested. */
interface TldWhois {
  readonly tld: string;
  readonly server: WhoisServer;
}

/** How WHOIS servers are asked the questions of their tests. */
export function whoisKind(queries: WhoisQueries): ServerKind<TldWhois> {
  return {
    kind: "whois",
    hostOf: ({ server }) => server.host,
    async ask({ tld, server }, label, { wait, templates }) {
      const asked = { label, domain: `${label}.${tld}` };
      const reply = await queries.ask(server, asked.domain, wait);
      if (reply === undefined) return { kind: "failed", why: "it was not asked", fault: "unsent" };
      if (reply.kind === "failed") {
        queries.note(server, reply);
        return { kind: "failed", why: reply.why, fault: reply.testFault };
      }
      const { askedAt } = reply;
      const read = templates.length === 0
        ? readRandom(server, reply, asked)
        : readRecord(readReplyOf(server, reply, { asked, askedAt, templates }), server);
      if (read.kind === "failed" && read.fault === "refused") queries.note(server, REFUSED);
      return read;
    },
  };
}

function readRandom(
  { availability }: WhoisServer,
  { text, askedAt }: WhoisReplyText,
  asked: AskedName,
): TestReply {
  const denial = readRandomReply(text, { ...asked, askedAt });
  if (availability === undefined || denial.kind !== "denial") return denial;
  const isFree = readAvailabilityReply(text, availability, askedAt).kind === "notFound";
  return isFree ? denial : NO_DENIAL;
}

/** What a server says of a registered name. */
function readRecord(
  reading: WhoisReading | DoubtfulReading,
  { availability }: WhoisServer,
): TestReply {
  // It may begin to refuse queries with this one.
  if (reading.kind === "doubtful" && reading.fault === "limited") {
    return { kind: "failed", fault: "refused", why: REFUSED.why };
  }
  // An availability service may not tell apart what is registered and what is withheld.
  const isKnown = reading.kind === "registered" ||
    availability !== undefined && reading.kind === "reserved";
  return isKnown ? { kind: "record" } : NO_DENIAL;
}

/** Creates the witness. */
export function createWhoisWitness(
  { queries, serverOf, tests, isOff, background, now }: {
    queries: WhoisQueries;
    /** The WHOIS server of a TLD, if it has one. */
    serverOf: (tld: string) => Promise<WhoisServer | undefined>;
    tests: ServerTests<TldWhois>;
    /** Whether the operator has switched WHOIS off: then no server is asked. */
    isOff: boolean;
    background: Background;
    now: () => number;
  },
) {
  /** Why the server of a TLD is not in service, so that verdicts go without it; undefined if it is. */
  const whyAbsent = (tld: string) => isOff ? OFF : outOfService(tests.recordOf(tld), now());

  /** What the server says, or why it was not asked; undefined if it has not passed its test. */
  async function answer(
    asked: TldWhois,
    domain: Domain,
    wait: WaitOptions,
  ): Promise<WhoisAnswer | undefined> {
    const { server, server: { host } } = asked;
    if ((await tests.inForce(asked))?.kind === "failed") return undefined;
    const testWait = { ...wait, onQueue: undefined };
    // Beside the test: an answer that comes from a server without a pass is not read.
    const [tested, reply] = await Promise.all([
      tests.resultOf(asked, testWait),
      queries.ask(server, `${domain.label}.${domain.tld}`, wait),
    ]);
    if (reply === undefined) return await unanswered(asked, "unasked", wait);
    const isFailed = reply.kind === "failed";
    tests.noteReach(asked, isFailed && reply.testFault === "unreachable");
    // Once more, after the answer: the server may have failed a test while the question waited, or its pass has expired.
    const known = tested.kind === "passed" ? await tests.resultOf(asked, testWait) : tested;
    const isEarly = !isFailed && !tests.trusts(asked, reply.askedAt);
    const test = known.kind === "passed" && isEarly ? ASKED_TOO_EARLY : known;
    if (test.kind !== "passed") {
      return isFailed ? undefined : await unprovenRecord(host, domain, { reply, test });
    }
    const reading = isFailed ? reply : await readReply(asked, domain, { reply, test, wait });
    queries.note(server, reading.kind === "failed" ? reading : undefined);
    if (isFailed) return { ...reading, host, said: "" };
    const said = saidOf(reading, reply.text);
    if (reading.kind !== "registered") return { ...reading, host, said };
    return { ...reading, details: readWhoisDetails(reply.text), host, said };
  }

  /** The record of the name from a server that has not passed its test: it makes "taken" likely. */
  async function unprovenRecord(
    host: string,
    domain: Domain,
    { reply: { text, askedAt }, test }: {
      reply: WhoisReplyText;
      test: Exclude<Canary, { kind: "passed" }>;
    },
  ): Promise<WhoisAnswer | undefined> {
    const asked = await askedName(domain);
    const { kind } = readWhoisReply(text, { asked, askedAt, templates: [] });
    if (kind !== "registered") return undefined;
    return { kind, askedAt, test: test.kind, host, said: RECORD };
  }

  /**
   * Reads a reply. Of words about the client or the server, and of words that no phrase reads, the server's text for another
   * random name shows whether they are about the name.
   */
  async function readReply(
    server: TldWhois,
    domain: Domain,
    { reply, test, wait }: {
      reply: WhoisReplyText;
      test: Extract<Canary, { kind: "passed" }>;
      wait: WaitOptions;
    },
  ): Promise<WhoisReading | WhoisFailure> {
    const asked = await askedName(domain);
    const read = (templates: typeof test.templates) =>
      readReplyOf(server.server, reply, { asked, askedAt: reply.askedAt, templates });
    const first = read(test.templates);
    if (first.kind !== "doubtful" && first.kind !== "unread") {
      // If a random name is told the same, the server fails its test, and what it said is not kept.
      const isOfText = first.kind === "reserved" && server.server.availability === undefined;
      if (isOfText) background.run(tests.learn(server, domain.label, BACKGROUND));
      return first;
    }
    const learnt = await tests.learn(server, domain.label, wait);
    const known = await tests.inForce(server);
    if (known?.kind === "passed") {
      const second = learnt?.kind === "denial" ? read(known.templates) : first;
      if (second.kind !== "doubtful") return second;
      if (second !== first && !second.isOver) return second.reading;
    }
    return first.kind === "doubtful" && first.fault === "limited" ? REFUSED : UNREADABLE;
  }

  /** What is said where a server was not asked, or a needed one has not answered. */
  async function unanswered(
    { tld, server }: TldWhois,
    fault: WhoisFault | "unasked",
    wait: WaitOptions,
  ): Promise<WhoisAnswer> {
    const { host } = server;
    const { isRegistrarEnough } = neededServerOf(tld) ?? {};
    const record = tests.recordOf(tld);
    const why = whyAbsent(tld);
    if (why !== undefined) return { kind: "absent", why, host };
    const restMs = record?.result.kind === "failed" ? record.expiresAt - now() : 0;
    const retryAfterMs = Math.max(await queries.retryMs(server, wait), restMs);
    return { kind: "missing", fault, retryAfterMs, isRegistrarEnough, host };
  }

  const ask: AskWhois = async (domain, wait, isFallback = false) => {
    const { tld } = domain;
    const server = await serverOf(tld);
    if (server === undefined || wait.signal?.aborted) return undefined;
    const isNeeded = neededServerOf(tld) !== undefined;
    if (!isNeeded && (isOff || !isFallback)) return undefined;
    await tests.refresh();
    const asked = { tld, server };
    if (isNeeded && whyAbsent(tld) !== undefined) {
      // No client waits for a server that is not in service; its test shows when it is back.
      if (!isOff) background.run(tests.retest(asked));
      return await unanswered(asked, "unasked", wait);
    }
    const said = await answer(asked, domain, wait);
    if (!isNeeded) return said;
    const isUnproven = said === undefined || said.kind === "registered" && said.test !== undefined;
    if (isUnproven) return await unanswered(asked, "unclear", wait);
    return said.kind === "failed" ? await unanswered(asked, said.fault, wait) : said;
  };

  const trust: WhoisTrust = {
    ...tests,
    confirms: (tld, askedAt) =>
      neededServerOf(tld) === undefined || tests.trusts({ tld }, askedAt) ||
      whyAbsent(tld) !== undefined,
  };

  return {
    ask,
    trust,
    /** Tests the server of a TLD again where it is needed, with background priority. */
    async probe(tld: string): Promise<void> {
      const server = neededServerOf(tld);
      if (server !== undefined && !isOff) await tests.probe({ tld, server });
    },
    /** The TLDs whose WHOIS server is needed, as far as this process knows anything of it. */
    needed: () =>
      [...NEEDED_SERVERS].filter(([tld]) => isOff || tests.recordOf(tld) !== undefined).map(
        ([tld, { host }]) => {
          const outOfService = whyAbsent(tld);
          return { tld, host, ...(outOfService !== undefined && { outOfService }) };
        },
      ),
  };
}

const OFF = "The operator has switched WHOIS off";

/** It failed a test and has passed since: what it said in between proves nothing. */
const ASKED_TOO_EARLY: Canary = {
  kind: "undecided",
  why: "It was asked before it passed its test",
};

/** All that is said of a record: its text holds persons' data. */
const RECORD = "a record";

/** What is quoted of a text, by how it was read. */
function saidOf(reading: WhoisReading | WhoisFailure, text: string): string {
  if (reading.kind === "registered") return RECORD;
  // It equals the text for a random name: what looks like a field is legal text.
  if (reading.kind === "notFound") return quoteText(text);
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

/** The forms of the name that a reply may contain. */
async function askedName({ label, tld }: Domain): Promise<AskedName> {
  if (!label.startsWith("xn--")) return { label, domain: `${label}.${tld}` };
  return (await import("./label.ts")).askedName(label, tld);
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
