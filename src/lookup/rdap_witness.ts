/**
 * What the TLD's RDAP server says of a name that DNS does not show, and whether its 404 is to be believed: the server must have
 * passed its test, the 404 must equal that for a random name, and the resolver that answered "none" must show a name that is
 * known to be delegated.
 */
import type { Background, Report } from "../flow/process.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { Canary, Notice, RdapAnswer } from "../rules/answer.ts";
import type { Exchange, Testimony } from "../rules/evidence.ts";
import type { Domain } from "../rules/name.ts";
import { readNotice } from "../rules/readers/notices.ts";
import type { AskedName } from "../rules/readers/statements.ts";
import { differences } from "../rules/readers/templates.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import type { Denial, NotDelegated } from "../rules/verdict.ts";
import { startTiming, type Waiting, waitingFor } from "./exchange.ts";
import type { KnownNames } from "./known_names.ts";
import type { AskRegistry } from "./registries.ts";
import { BACKGROUND, type ServerTests } from "./server_tests.ts";
import type { Suffixes } from "./suffixes.ts";

/** What asks RDAP servers, says whether they and the resolver are trusted, and reads their answers. */
export interface RdapOptions {
  askRegistry: AskRegistry;
  canary: Pick<
    ServerTests<TldRow>,
    "resultOf" | "inForce" | "witnessOf" | "refresh" | "trusts" | "learn"
  >;
  names: Pick<KnownNames, "showsDelegation">;
  suffixes: Pick<Suffixes, "coverageOf">;
  background: Background;
  report: Report;
  /** Called with the words of a 404 that no rule reads. */
  reportUnread: (tld: string, words: string) => void;
  now: () => number;
}

/** Creates the witness. */
export function createRdapWitness({
  askRegistry,
  canary,
  names,
  suffixes: { coverageOf },
  background,
  report,
  reportUnread,
  now,
}: RdapOptions) {
  /** A 404 with all that decides whether it is trusted; asks about a random name if it differs in words that no phrase reads. */
  async function readDenial(
    { label, tld }: Domain,
    { answer, row, wait, tested }: {
      answer: Extract<RdapAnswer, { kind: "notFound" }>;
      row: TldRow;
      wait: WaitOptions;
      tested: Canary;
    },
  ): Promise<Denial> {
    const { askedName, labelPolicyOf } = await import("./label.ts");
    const coverage = await coverageOf(tld);
    const [policy, asked] = [labelPolicyOf(label, tld, coverage), askedName(label, tld)];
    // Once more, after the answer: the registry may have failed a test since the question was sent, or its pass has expired. A
    // first pass since then does not count: DNS may not have been confirmed.
    let result = tested.kind === "passed" ? await canary.resultOf(row, wait) : tested;
    let notice = noticeOf(answer, asked, result);
    if (notice.kind === "unread" && result.kind === "passed") {
      await canary.learn(row, label, wait);
      result = await canary.resultOf(row, wait);
      notice = noticeOf(answer, asked, result);
    }
    if (notice.kind === "unread" && result.kind === "passed") {
      reportUnread(tld, notice.words);
    }
    // What a random name is told, too, is no reason: then the server fails its test, and what it said is not kept.
    if (notice.kind === "reserved" && result.kind === "passed") {
      background.run(canary.learn(row, label, BACKGROUND));
    }
    if (notice.kind !== "plain") report("rdap.notice", { domain: asked.domain, ...notice });
    const isUnsold = coverage?.level?.kind === "forbidden";
    return { kind: "notFound", notice, canary: result, policy, isUnsold };
  }

  /**
   * Trusts "no delegation" only from a resolver that shows a name which is known to be delegated, and asks for that one at once:
   * until the registry's test is over, which may wait for minutes, the resolver may change.
   */
  async function confirmDns(
    dns: NotDelegated,
    { tld }: TldRow,
    /** Undefined: no test is needed. */
    trusting: Promise<Canary> | undefined,
  ): Promise<NotDelegated> {
    if (dns.kind === "failed") return dns;
    await canary.refresh();
    const isShown = await names.showsDelegation(tld, canary.witnessOf(tld));
    if (isShown || trusting !== undefined && (await trusting).kind !== "passed") return dns;
    // Not which: a client may have asked about it.
    const why = `the resolver does not show a name that is registered under .${tld}`;
    return { kind: "failed", fault: "blind", why };
  }

  /** Asks the TLD's RDAP server; `onWaiting` is told what the question, and then the test of the server, waits for. */
  return async (
    { label, tld }: Domain,
    { dns, row }: { dns: Exchange<NotDelegated>; row: TldRow },
    wait: WaitOptions,
    onWaiting: (waiting: Waiting) => void,
  ): Promise<Pick<Testimony, "dns" | "rdap">> => {
    const { host } = new URL(row.rdapBase);
    onWaiting({ host, why: "The registry has not answered yet" });
    // A name that no registry sells is reserved by the rule, also where the test fails.
    const isUnsold = (await coverageOf(tld))?.level?.kind === "forbidden";
    const timing = startTiming(wait, now);
    const answering = askRegistry(row.rdapBase, `${label}.${tld}`, {
      ...timing.wait,
      onQueue: (queued) => onWaiting(waitingFor(queued)),
    }).finally(() => wait.onPending?.());
    // In parallel with the question: without a result in force, the client would wait for the test after it.
    // As long as RDAP has not answered, its own wait is what clients are told.
    let waitingForTest: Waiting = { host, why: "The registry's 404s are being tested" };
    let isAnswered = false;
    const testWait: WaitOptions = {
      ...wait,
      onQueue(queued) {
        waitingForTest = waitingFor({ ...queued, host });
        if (isAnswered) onWaiting(waitingForTest);
      },
    };
    const trusting = isUnsold ? undefined : canary.resultOf(row, testWait);
    const confirming = confirmDns(dns.answer, row, trusting);
    background.run(confirming);
    const answer = await answering;
    const rdap = timing.exchange(answer, host);
    switch (answer.kind) {
      case "failed":
        return { dns, rdap: { ...rdap, answer } };
      case "registered": {
        // Without a new test: no client waits for one to learn that a name is taken.
        const result = await canary.inForce(row);
        return { dns, rdap: { ...rdap, answer: { kind: "registered", canary: result } } };
      }
      case "notFound": {
        isAnswered = true;
        onWaiting(waitingForTest);
        const confirmed = await confirming;
        const tested = await trusting ?? await canary.inForce(row) ?? UNTESTED;
        const registry = await readDenial({ label, tld }, { answer, row, wait: testWait, tested });
        return { dns: { ...dns, answer: confirmed }, rdap: { ...rdap, answer: registry } };
      }
    }
  };
}

const UNTESTED: Canary = { kind: "undecided", why: "This registry's 404s were not tested" };

/** How a 404 differs from the registry's 404 for a made-up name, which only a passed test shows. */
function noticeOf(
  { statements, askedAt }: Extract<RdapAnswer, { kind: "notFound" }>,
  asked: AskedName,
  canary: Canary,
): Notice {
  if (canary.kind === "passed") {
    return readNotice(differences(statements, { ...asked, askedAt }, canary.templates), asked);
  }
  // There is nothing to compare with, and no name is available then: only phrases against the name are read.
  const notice = readNotice(statements.filter(({ isLegal }) => !isLegal), asked);
  return notice.kind === "reserved" ? notice : { kind: "plain" };
}
