/** Asks the resolver, and a second one where it did not answer. Each has a canary of its own. */
import type { WaitOptions } from "../flow/gate.ts";
import type { DnsAnswer } from "../rules/answer.ts";
import { createResolverCanary, type ResolverCanary } from "./resolver_canary.ts";

/** Checks with DNS whether `domain` is delegated. */
export type AskResolver = (domain: string, wait?: WaitOptions) => Promise<DnsAnswer>;

/** The resolvers as one witness, and what says whether each can be trusted. */
export interface Resolvers {
  isDelegated: AskResolver;
  /** The canary of the resolver that gave the answer: what one resolver shows proves nothing about the other. */
  canaryOf(answer: DnsAnswer): ResolverCanary;
  /** Records for each resolver whether it has just shown any of the names that a registry is tested with. */
  noteAnswers(tld: string, answers: readonly DnsAnswer[]): void;
  /** TLDs under which the first resolver did not show a delegated name at the last question. */
  blindFor: ResolverCanary["blindFor"];
  /** Whether there is a second one. */
  readonly hasFallback: boolean;
}

/** Creates the witness. The second resolver gets a question only if the first was asked and gave no answer. */
export function createResolvers(
  { first, fallback, monotonic }: {
    first: AskResolver;
    /** Undefined without a second resolver. */
    fallback: AskResolver | undefined;
    /** A clock in ms that is never set back. */
    monotonic: () => number;
  },
): Resolvers {
  const ofFirst = createResolverCanary({ isDelegated: first, monotonic });
  const ofFallback = fallback && createResolverCanary({ isDelegated: fallback, monotonic });
  const canaryOf = ({ resolver }: DnsAnswer) =>
    resolver === "fallback" && ofFallback !== undefined ? ofFallback : ofFirst;

  async function isDelegated(domain: string, wait?: WaitOptions): Promise<DnsAnswer> {
    const answer = await first(domain, wait);
    const isUnanswered = answer.kind === "failed" && answer.fault === "down";
    if (!isUnanswered || fallback === undefined) return answer;
    const second = await fallback(domain, wait);
    return second.kind === "failed" ? answer : { ...second, resolver: "fallback" };
  }

  return {
    isDelegated,
    canaryOf,
    noteAnswers(tld, answers) {
      for (const [canary, own] of Map.groupBy(answers, canaryOf)) {
        if (own.some(({ kind }) => kind === "delegated")) canary.noteDelegated(tld);
        else canary.noteBlind(tld);
      }
    },
    blindFor: ofFirst.blindFor,
    hasFallback: fallback !== undefined,
  };
}
