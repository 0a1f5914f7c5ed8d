/**
 * Names whose state is known, to test servers with: those that DNS shows delegated, and random ones. And the test of the resolver:
 * "no delegation" counts only from one that shows a name known to be delegated.
 */
import { createSingleFlight } from "../flow/cache/flight.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { DnsAnswer } from "../rules/answer.ts";
import { toAsciiName } from "../rules/name.ts";
import { TEST_SEEDS } from "../rules/tested_server.ts";

/** The delegated names, and whether the resolver shows them. */
export type KnownNames = ReturnType<typeof createKnownNames>;

const SEEN_PER_TLD = 3;
/** Suffixes of countries: DNS may show no other name directly below such a TLD, and no registry has a record of them. */
const SUFFIXES = ["com", "co"];
/** How long an answer proves that the resolver works: the longest time for which a broken one can mislead. */
const FRESH_MS = 2_000;

/** Creates them; `monotonic` is a clock in ms that is never set back. */
export function createKnownNames(
  { isDelegated, monotonic }: {
    isDelegated: (domain: string, wait?: WaitOptions) => Promise<DnsAnswer>;
    monotonic: () => number;
  },
) {
  const seen = new Map<string, string[]>();
  /** When the resolver last showed a delegation under a TLD; `-Infinity`: it showed none at the last question. */
  const shownAt = new Map<string, number>();
  const questions = createSingleFlight<boolean>();

  const note = (tld: string, isShown: boolean) =>
    shownAt.set(tld, isShown ? monotonic() : -Infinity);

  /** Labels that are probably delegated, the surest first. */
  function labelsOf(tld: string, first: string | undefined): string[] {
    const labels = [...TEST_SEEDS, ...(seen.get(tld) ?? [])];
    return [...new Set(first === undefined ? labels : [first, ...labels])];
  }

  async function showsOne(tld: string, first: string | undefined): Promise<boolean> {
    const shows = async (label = "") => (await isDelegated(`${label}.${tld}`)).kind === "delegated";
    const [surest, ...others] = [...labelsOf(tld, first), ...SUFFIXES];
    return await shows(surest) || (await Promise.all(others.map(shows))).includes(true);
  }

  return {
    /** Records a label that DNS has just shown delegated under the TLD. */
    noteDelegated(tld: string, label: string): void {
      note(tld, true);
      const labels = seen.get(tld) ?? [];
      if (labels.includes(label)) return;
      seen.set(tld, [label, ...labels].slice(0, SEEN_PER_TLD));
    },
    /** Labels that DNS shows delegated now; `first` comes first. */
    async delegated(tld: string, wait: WaitOptions, first?: string): Promise<readonly string[]> {
      const labels = labelsOf(tld, first);
      const found = await Promise.all(
        labels.map((label) => isDelegated(`${label}.${tld}`, wait)),
      );
      const shown = labels.filter((_, place) => found[place]?.kind === "delegated");
      note(tld, shown.length > 0);
      return shown;
    },
    /**
     * Whether the resolver has shown a delegation under the TLD within the last two seconds, or shows one now, `first` asked
     * about first. Simultaneous calls share the questions.
     */
    showsDelegation(tld: string, first?: string): Promise<boolean> {
      if (monotonic() - (shownAt.get(tld) ?? -Infinity) < FRESH_MS) return Promise.resolve(true);
      return questions.run(tld, async () => {
        const isShown = await showsOne(tld, first);
        note(tld, isShown);
        return isShown;
      });
    },
    /** Whether the resolver has shown no delegated name under one of the TLDs at the last question. */
    isBlind: (tlds: readonly string[]) => tlds.some((tld) => shownAt.get(tld) === -Infinity),
  };
}

/** Random letters, 24 unless told otherwise: such a name is neither registered nor reserved. */
export function madeUpLabel(length = 24): string {
  return Array.from({ length }, () => oneOf(LETTERS)).join("");
}

/**
 * A random label of the same form: registries may answer otherwise about hyphens, digits and other scripts. It has at
 * least twelve characters, so that it is most likely not registered.
 */
export async function madeUpLabelLike(label: string): Promise<string> {
  if (label.startsWith("xn--")) {
    const { unicodeOf } = await import("./label.ts");
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
