/** What one name on the command line or in a list asks for. */
import { type LabelReading, readDomain, readEnsLabel, readLabel } from "../rules/name.ts";

/** The TLD of names that Ethereum keeps: checked where it is asked for, never as one of "every TLD". */
export const ETH = "eth";

/** A name to check under some TLDs; undefined: under every enabled one. */
export interface Wish {
  label: string;
  tlds: readonly string[] | undefined;
}

/** The wish, or why the name makes none, in words for a person. */
export type WishReading = { kind: "wish"; wish: Wish } | { kind: "refused"; why: string };

/** Reads a name, which may have its TLD or be left to those that were `chosen` for all. */
export function readWish(name: string, chosen: readonly string[] | undefined): WishReading {
  if (!name.includes(".")) {
    const reading = readBareLabel(name, chosen);
    if (reading.kind === "refused") return reading;
    return { kind: "wish", wish: { label: reading.label, tlds: chosen } };
  }
  const reading = isEth(name) ? readEnsLabel(name) : readDomain(name);
  if (reading.kind === "refused") return reading;
  const tld = reading.kind === "domain" ? reading.tld : ETH;
  if (chosen === undefined || chosen.includes(tld)) {
    return { kind: "wish", wish: { label: reading.label, tlds: [tld] } };
  }
  return { kind: "refused", why: `It has a TLD already, other than --tld ${chosen.join(",")}` };
}

/** A label must be one under every TLD that is asked for: .eth has a grammar of its own. */
function readBareLabel(label: string, tlds: readonly string[] = []): LabelReading {
  if (!tlds.includes(ETH)) return readLabel(label);
  const reading = readEnsLabel(label);
  return reading.kind === "refused" || tlds.length === 1 ? reading : readLabel(label);
}

function isEth(name: string): boolean {
  return name.toLowerCase().endsWith(`.${ETH}`);
}
