/** Whether the DNS resolver shows delegations at all. One that denies all names would confirm every 404. */
import type { WaitOptions } from "../flow/gate.ts";
import { createSingleFlight } from "../flow/single_flight.ts";
import type { DnsAnswer } from "../rules/answer.ts";

/** The canary test of the resolver, by TLD. */
export interface ResolverCanary {
  /**
   * Whether the resolver has shown a delegation under the TLD within the last two seconds, or shows one of the labels
   * now. Simultaneous calls share the questions.
   */
  showsDelegations(tld: string, labels: readonly string[]): Promise<boolean>;
  /** Records that it has just shown a delegation. */
  noteDelegated(tld: string): void;
  /** Records that it has just denied all names that a registry is tested with. */
  noteBlind(tld: string): void;
  /** TLDs under which it did not show a delegated name at the last question. */
  blindFor(): string[];
}

/** How long a delegation proves that the resolver works: the longest time for which a broken one can mislead. */
const FRESH_MS = 2_000;

/** Creates the test; `monotonic` is a clock in ms that is never set back. */
export function createResolverCanary(
  { isDelegated, monotonic }: {
    isDelegated: (domain: string, wait?: WaitOptions) => Promise<DnsAnswer>;
    monotonic: () => number;
  },
): ResolverCanary {
  const shownAt = new Map<string, number>();
  const questions = createSingleFlight<boolean>();
  const blind = new Set<string>();

  function noteDelegated(tld: string): void {
    shownAt.set(tld, monotonic());
    blind.delete(tld);
  }

  function noteBlind(tld: string): void {
    shownAt.delete(tld);
    blind.add(tld);
  }

  async function ask(tld: string, labels: readonly string[]): Promise<boolean> {
    for (const label of labels) {
      const answer = await isDelegated(`${label}.${tld}`);
      if (answer.kind !== "delegated") continue;
      noteDelegated(tld);
      return true;
    }
    noteBlind(tld);
    return false;
  }

  return {
    noteDelegated,
    noteBlind,
    blindFor: () => [...blind],
    showsDelegations(tld, labels) {
      const at = shownAt.get(tld);
      if (at !== undefined && monotonic() - at < FRESH_MS) return Promise.resolve(true);
      return questions.run(tld, () => ask(tld, labels));
    },
  };
}
