/** Generated names: prefixes and suffixes for the names that the user gives. */
import { RADIX_TLDS, tldType, WANTED_TLDS } from "../rules/tables/tlds.ts";

/** How names are generated. */
export interface Generation {
  prefixes: readonly string[];
  suffixes: readonly string[];
}

/** A name as text, and whether the user gave another one. */
export interface Variant {
  text: string;
  isGenerated: boolean;
}

/** The groups of TLDs that `--preset` takes, each with the TLDs of those enabled that are in it. */
export const PRESETS: Readonly<Record<string, (enabled: readonly string[]) => readonly string[]>> =
  {
    popular: (enabled) => WANTED_TLDS.filter((tld) => enabled.includes(tld)),
    generic: (enabled) => enabled.filter((tld) => tldType(tld) === "gTLD"),
    country: (enabled) => enabled.filter((tld) => tldType(tld) === "ccTLD"),
  };

/** Yields a name with each prefix and each suffix, itself first. Both go around the label of a domain. */
export function* variantsOf(
  text: string,
  { prefixes, suffixes }: Pick<Generation, "prefixes" | "suffixes">,
): Generator<Variant> {
  const [label = "", ...tld] = text.split(".");
  for (const prefix of ["", ...prefixes]) {
    for (const suffix of ["", ...suffixes]) {
      const isGenerated = prefix + suffix !== "";
      yield { text: [prefix + label + suffix, ...tld].join("."), isGenerated };
    }
  }
}

/** The TLDs for generated names without a TLD, in place of all of `tlds`. */
export function forGenerated(tlds: readonly string[]): readonly string[] {
  return tlds.filter((tld) => !RADIX_TLDS.has(tld));
}
