/** Asks the resolver, and a second one where it did not answer. Each has a canary of its own. */
import type { Clock } from "../flow/clock.ts";
import type { WaitOptions } from "../flow/queue/gate.ts";
import { createSingleFlight } from "../flow/cache/single_flight.ts";
import type { DnsAnswer } from "../rules/answer.ts";

/** Checks with DNS whether `domain` is delegated. */
export type AskResolver = (domain: string, wait?: WaitOptions) => Promise<DnsAnswer>;

/** Checks whether a resolver finds out that a random name under the TLD does not exist. */
type AskDenied = (tld: string) => Promise<boolean>;

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
  { first, fallback, denies, deniesByFallback, monotonic }: {
    first: AskResolver;
    /** Undefined without a second resolver. */
    fallback: AskResolver | undefined;
    /** Whether each finds out that a random name under the TLD does not exist; undefined where that cannot be known. */
    denies?: AskDenied | undefined;
    deniesByFallback?: AskDenied | undefined;
    /** A clock in ms that is never set back. */
    monotonic: () => number;
  },
): Resolvers {
  const ofFirst = createResolverCanary({ isDelegated: first, denies, monotonic });
  const ofFallback = fallback &&
    createResolverCanary({ isDelegated: fallback, denies: deniesByFallback, monotonic });
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

/** The canary test of the resolver, by TLD. */
export interface ResolverCanary {
  /**
   * Whether the resolver has shown a delegation under the TLD within the last two seconds, or shows one of the labels
   * now. Simultaneous calls share the questions.
   */
  showsDelegations(tld: string, labels: readonly string[]): Promise<boolean>;
  /**
   * Whether it still answers about names that it cannot have cached: within the last two seconds, or now. One that cannot
   * shows well-known names from its cache and fails for all others, which looks like "no such name".
   */
  answersUncached(tld: string): Promise<boolean>;
  /** Records that it has just shown a delegation. */
  noteDelegated(tld: string): void;
  /** Records that it has just denied all names that a registry is tested with. */
  noteBlind(tld: string): void;
  /** TLDs under which it did not show a delegated name, or failed for a random one, at the last question. */
  blindFor(): string[];
}

/** How long an answer proves that the resolver works: the longest time for which a broken one can mislead. */
const FRESH_MS = 2_000;

/** Creates the test; `monotonic` is a clock in ms that is never set back. */
export function createResolverCanary(
  { isDelegated, denies = () => Promise.resolve(true), monotonic }: {
    isDelegated: (domain: string, wait?: WaitOptions) => Promise<DnsAnswer>;
    denies?: AskDenied | undefined;
    monotonic: () => number;
  },
): ResolverCanary {
  const shown = createProof({ monotonic });
  const denied = createProof({ monotonic });

  async function showsOne(tld: string, labels: readonly string[]): Promise<boolean> {
    for (const label of labels) {
      if ((await isDelegated(`${label}.${tld}`)).kind === "delegated") return true;
    }
    return false;
  }

  return {
    noteDelegated: (tld) => shown.note(tld, true),
    noteBlind: (tld) => shown.note(tld, false),
    blindFor: () => [...shown.failed.union(denied.failed)],
    answersUncached: (tld) => denied.holds(tld, () => denies(tld)),
    showsDelegations: (tld, labels) => shown.holds(tld, () => showsOne(tld, labels)),
  };
}

/** What an answer proves of the resolver for two seconds, by TLD. */
function createProof({ monotonic }: Pick<Clock, "monotonic">) {
  const provenAt = new Map<string, number>();
  const failed = new Set<string>();
  const questions = createSingleFlight<boolean>();

  function note(tld: string, isProven: boolean): void {
    if (isProven) {
      provenAt.set(tld, monotonic());
      failed.delete(tld);
    } else {
      provenAt.delete(tld);
      failed.add(tld);
    }
  }

  return {
    /** TLDs for which the last answer proved the contrary. */
    failed,
    note,
    /** Whether it is proven, or an answer to `ask` proves it now. Simultaneous calls share the question. */
    holds(tld: string, ask: () => Promise<boolean>): Promise<boolean> {
      if (monotonic() - (provenAt.get(tld) ?? -Infinity) < FRESH_MS) return Promise.resolve(true);
      return questions.run(tld, async () => {
        const isProven = await ask();
        note(tld, isProven);
        return isProven;
      });
    },
  };
}
