import { createBackground } from "../../src/flow/process.ts";
import { createMemoryCache } from "../../src/flow/cache/memory.ts";
import { createCheckDomain, type DomainChecks } from "../../src/lookup/check_domain.ts";
import type { JudgeOptions } from "../../src/lookup/judge.ts";
import type { Suffixes } from "../../src/lookup/suffixes.ts";
import { ANSWER_MS } from "../../src/flow/cache/flight.ts";
import { createUpstreamHosts } from "../../src/flow/upstream_host.ts";
import { createRegistries } from "../../src/lookup/registries.ts";
import type { RdapAnswer } from "../../src/rules/answer.ts";
import type { Pace } from "../../src/rules/tables/hosts.ts";
import { CANARIES } from "./answers.ts";

/** Suffixes each of which one RDAP server serves; without a base none has a server. */
export function suffixesAt(
  rdapBase?: string,
): Pick<Suffixes, "rowOf" | "closedBy" | "coverageOf" | "isUnlisted"> {
  return {
    rowOf: (tld) => Promise.resolve(rdapBase === undefined ? undefined : { tld, rdapBase }),
    closedBy: () => Promise.resolve(undefined),
    isUnlisted: () => Promise.resolve(false),
    coverageOf: () => Promise.resolve(undefined),
  };
}

/** Canary and resolver tests that always pass, for tests of other parts of a look-up. */
export const TRUSTED: Pick<JudgeOptions, "canary" | "names" | "resolverName"> = {
  resolverName: "system",
  canary: {
    resultOf: () => Promise.resolve(CANARIES.passed),
    inForce: () => Promise.resolve(CANARIES.passed),
    witnessOf: () => undefined,
    refresh: () => undefined,
    trusts: () => true,
    learn: () => Promise.resolve(undefined),
  },
  names: { showsDelegation: () => Promise.resolve(true), noteDelegated() {} },
};

/** Hosts of a process that reports nothing. */
export function openHosts(environment: Partial<Parameters<typeof createUpstreamHosts>[0]>) {
  return createUpstreamHosts({ report() {}, monotonic: Date.now, now: Date.now, ...environment });
}

/** A registry's host of this pace, and the names that it was asked about; it denies each, unless `reply` says otherwise. */
export function pacedRegistry(
  pace: Pace,
  reply: (domain: string) => Promise<RdapAnswer> = () =>
    Promise.resolve({ kind: "notFound", askedAt: Date.now(), statements: [] }),
  environment: Parameters<typeof openHosts>[0] = {},
) {
  const asked: string[] = [];
  const { ask } = createRegistries({
    question: (_base, domain) => (asked.push(domain), reply(domain)),
    isEnabled: () => true,
    hosts: openHosts({ paceOf: () => pace, ...environment }),
  });
  return { ask, asked };
}

/** A client that reads a stream. */
export const ofStream = () => ({ signal: new AbortController().signal });

/** A client that waits for an answer in one piece. */
export const ofJson = () => ({ ...ofStream(), answerBy: performance.now() + ANSWER_MS });

/** The witnesses that a test gives, and what else checks need. */
export type Given = Partial<Parameters<typeof createCheckDomain>[0]>;

/**
 * Checks of names that DNS does not show and their registry denies, which has passed its test, unless a test gives other
 * witnesses.
 */
export function checksBy({ now = Date.now, ...given }: Given = {}): DomainChecks {
  return createCheckDomain({
    ...TRUSTED,
    isDelegated: () => Promise.resolve({ kind: "none", askedAt: now() }),
    askRegistry: () => Promise.resolve({ kind: "notFound", askedAt: now(), statements: [] }),
    suffixes: suffixesAt("https://registry.example/"),
    cache: createMemoryCache({ max: 200, now }),
    background: createBackground(() => {}),
    ending: new AbortController().signal,
    report() {},
    reportUnread() {},
    reportFault() {},
    now,
    ...given,
  });
}
