/** What one name on the command line or in a list asks for. */
import { readDomain, readLabel } from "../rules/name.ts";

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
    const reading = readLabel(name);
    if (reading.kind === "refused") return reading;
    return { kind: "wish", wish: { label: reading.label, tlds: chosen } };
  }
  const reading = readDomain(name);
  if (reading.kind === "refused") return reading;
  const { label, tld } = reading;
  if (chosen === undefined || chosen.includes(tld)) {
    return { kind: "wish", wish: { label, tlds: [tld] } };
  }
  return { kind: "refused", why: `It has a TLD already, other than --tld ${chosen.join(",")}` };
}
