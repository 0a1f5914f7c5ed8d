/**
 * Grammar of the names in queries: a label, a domain of one label and a TLD (RFC 1035, RFC 5891 §4.2.3.1), and a .eth
 * label (ENSIP-15, ASCII only).
 */

/** A label in lower case, or why the input is invalid, as a text for people. */
export type LabelReading = { kind: "label"; label: string } | { kind: "refused"; why: string };

/** A domain of exactly one label and a TLD in lower case, or why the input is invalid. */
export type DomainReading =
  | { kind: "domain"; domain: string; label: string; tld: string }
  | { kind: "refused"; why: string };

/** All are tested before lower-casing, which turns the Kelvin sign into an ASCII k. */
const LABEL = /^[a-z0-9-]{1,63}$/i;
const ETH_LABEL = /^[a-z0-9-]{3,63}$/i;
const TLD = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i;

/**
 * Parses the label of a domain. Hyphens are checked here because two registries return 404 for impossible labels,
 * which would look available.
 */
export function readLabel(input: string): LabelReading {
  if (input.includes(".")) return refused("Send the name without dots; the TLD goes into tld");
  if (!LABEL.test(input)) return refused("Use 1 to 63 letters a-z, digits and hyphens");
  const label = input.toLowerCase();
  if (label.startsWith("-") || label.endsWith("-")) {
    return refused("Remove the hyphen at the start or the end");
  }
  if (label.startsWith("--", 2) && !label.startsWith("xn")) {
    return refused("Hyphens at both the third and the fourth place are reserved for xn-- names");
  }
  return { kind: "label", label };
}

/** Parses a domain such as `example.com`; subdomains are refused, any syntactically valid TLD is accepted. */
export function readDomain(input: string): DomainReading {
  const [first = "", last = "", ...deeper] = input.split(".");
  if (deeper.length > 0) return refused("Send one label and a TLD, such as example.com");
  const tld = readTld(last);
  if (tld === undefined) return refused("Add a TLD, such as example.com");
  const reading = readLabel(first);
  if (reading.kind === "refused") return reading;
  const { label } = reading;
  return { kind: "domain", domain: `${label}.${tld}`, label, tld };
}

/**
 * Parses a .eth label, with or without the suffix. Unlike in a domain, it may start or end with a hyphen. Hyphens at both
 * the third and the fourth place are refused: the contract would sell such a name, but no client would resolve it.
 */
export function readEnsLabel(input: string): LabelReading {
  const bare = input.replace(/\.eth$/i, "");
  if (bare.includes(".")) {
    return refused("Send a name directly under .eth; subdomains are not sold");
  }
  if (!ETH_LABEL.test(bare)) return refused("Use 3 to 63 letters a-z, digits and hyphens");
  if (bare.startsWith("--", 2)) {
    return refused("Hyphens at both the third and the fourth place never resolve (ENSIP-15)");
  }
  return { kind: "label", label: bare.toLowerCase() };
}

/** Whether the text is a syntactically valid TLD in lower case: letters, or an A-label. */
export function isTld(text: string): boolean {
  return readTld(text) === text;
}

/** Parses a TLD in any letter case, with or without its dot; undefined if it is invalid. */
export function readTld(input: string): string | undefined {
  const tld = input.replace(/^\./, "");
  return TLD.test(tld) ? tld.toLowerCase() : undefined;
}

function refused(why: string): { kind: "refused"; why: string } {
  return { kind: "refused", why };
}
