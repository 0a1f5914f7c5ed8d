/** The canary test of the resolver: "no delegation" counts only from one that shows a name known to be delegated. */
import { createSingleFlight } from "../flow/cache/single_flight.ts";
import type { DnsAnswer } from "../rules/answer.ts";

/** The test, by TLD. */
export interface ResolverCanary {
  /**
   * Whether the resolver has shown a delegation under the TLD within the last two seconds, or shows one of the labels
   * now. Simultaneous calls share the questions.
   */
  showsDelegations(tld: string, labels: readonly string[]): Promise<boolean>;
  /** Records whether it has just shown a delegation, or none of the names that a registry is tested with. */
  note(tld: string, isShown: boolean): void;
  /** TLDs under which it did not show a delegated name at the last question. */
  blindFor(): string[];
}

/** How long an answer proves that the resolver works: the longest time for which a broken one can mislead. */
const FRESH_MS = 2_000;

/** Creates the test; `monotonic` is a clock in ms that is never set back. */
export function createResolverCanary(
  { isDelegated, monotonic }: {
    isDelegated: (domain: string) => Promise<DnsAnswer>;
    monotonic: () => number;
  },
): ResolverCanary {
  const shownAt = new Map<string, number>();
  const blind = new Set<string>();
  const questions = createSingleFlight<boolean>();

  function note(tld: string, isShown: boolean): void {
    if (isShown) {
      shownAt.set(tld, monotonic());
      blind.delete(tld);
    } else {
      shownAt.delete(tld);
      blind.add(tld);
    }
  }

  async function showsOne(tld: string, labels: readonly string[]): Promise<boolean> {
    for (const label of labels) {
      if ((await isDelegated(`${label}.${tld}`)).kind === "delegated") return true;
    }
    return false;
  }

  return {
    note,
    blindFor: () => [...blind],
    showsDelegations(tld, labels) {
      if (monotonic() - (shownAt.get(tld) ?? -Infinity) < FRESH_MS) return Promise.resolve(true);
      return questions.run(tld, async () => {
        const isShown = await showsOne(tld, labels);
        note(tld, isShown);
        return isShown;
      });
    },
  };
}
