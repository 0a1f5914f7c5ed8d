/**
 * Names whose state is known, to test servers with: those that DNS shows delegated, and random ones. And the test of the resolver:
 * "no delegation" counts only from one that shows a name known to be delegated.
 */
import { createSingleFlight } from "../flow/cache/flight.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { DnsAnswer } from "../rules/answer.ts";
import { toAsciiName } from "../rules/name.ts";
import { TEST_SEEDS } from "../rules/tested_server.ts";

/** The delegated names. */
export type KnownNames = ReturnType<typeof createKnownNames>;

const SEEN_PER_TLD = 3;

/** Creates them. */
export function createKnownNames(
  { isDelegated, resolver }: {
    isDelegated: (domain: string, wait: WaitOptions) => Promise<DnsAnswer>;
    resolver: Pick<ResolverCanary, "note">;
  },
) {
  const seen = new Map<string, string[]>();
  const labelsOf = (tld: string) => [...TEST_SEEDS, ...(seen.get(tld) ?? [])];

  return {
    /** Records a label that is delegated under the TLD. */
    noteDelegated(tld: string, label: string): void {
      const labels = seen.get(tld) ?? [];
      if (labels.includes(label)) return;
      seen.set(tld, [label, ...labels].slice(0, SEEN_PER_TLD));
    },
    /** Labels that are probably delegated, the surest first. */
    labelsOf: (tld: string): readonly string[] => [...new Set(labelsOf(tld))],
    /** Those that DNS shows delegated now; `first` comes first. */
    async delegated(tld: string, wait: WaitOptions, first?: string): Promise<readonly string[]> {
      const labels = [...new Set([...(first === undefined ? [] : [first]), ...labelsOf(tld)])];
      const found = await Promise.all(
        labels.map((label) => isDelegated(`${label}.${tld}`, wait)),
      );
      const shown = labels.filter((_, place) => found[place]?.kind === "delegated");
      resolver.note(tld, shown.length > 0);
      return shown;
    },
  };
}

/** Random letters, 30 unless told otherwise: such a name is neither registered nor reserved. */
export function madeUpLabel(length = 30): string {
  return Array.from({ length }, () => oneOf(LETTERS)).join("");
}

/**
 * A random label of the same form: registries may answer otherwise about hyphens, digits and other scripts. It has at
 * least twelve characters, so that it is most likely not registered.
 */
export async function madeUpLabelLike(label: string): Promise<string> {
  if (label.startsWith("xn--")) {
    const { unicodeOf } = await import("./a_label.ts");
    const own = [...unicodeOf(label) ?? ""];
    const letters = Array.from({ length: LEAST_LENGTH }, () => oneOf(own));
    const made = toAsciiName([...own, ...letters].join(""));
    return unicodeOf(made) === undefined ? madeUpLabel() : made;
  }
  const same = Array.from(
    label,
    (sign) => sign === "-" ? sign : oneOf(/\d/.test(sign) ? DIGITS : LETTERS),
  );
  return same.join("") + madeUpLabel(Math.max(0, LEAST_LENGTH - label.length));
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const DIGITS = [..."0123456789"];
const LEAST_LENGTH = 12;

function oneOf(signs: readonly string[]): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return signs[random % signs.length] ?? "";
}

/** The test, by TLD. */
export type ResolverCanary = ReturnType<typeof createResolverCanary>;

/** How long an answer proves that the resolver works: the longest time for which a broken one can mislead. */
const FRESH_MS = 2_000;

/** Creates the test; `monotonic` is a clock in ms that is never set back. */
export function createResolverCanary(
  { isDelegated, monotonic }: {
    isDelegated: (domain: string) => Promise<DnsAnswer>;
    monotonic: () => number;
  },
) {
  const shownAt = new Map<string, number>();
  const blind = new Set<string>();
  const questions = createSingleFlight<boolean>();

  /** Records whether it has just shown a delegation, or none of the names that a registry is tested with. */
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
    /** TLDs under which it did not show a delegated name at the last question. */
    blindFor: () => [...blind],
    /**
     * Whether the resolver has shown a delegation under the TLD within the last two seconds, or shows one of the labels
     * now. Simultaneous calls share the questions.
     */
    showsDelegations(tld: string, labels: readonly string[]): Promise<boolean> {
      if (monotonic() - (shownAt.get(tld) ?? -Infinity) < FRESH_MS) return Promise.resolve(true);
      return questions.run(tld, async () => {
        const isShown = await showsOne(tld, labels);
        note(tld, isShown);
        return isShown;
      });
    },
  };
}
