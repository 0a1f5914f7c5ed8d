/** What the words of a registry's 404 mean. RDAP has no field for it, so the phrases seen in the wild are rows. */
import type { Notice } from "./answer.ts";

/**
 * Phrases, first match wins: a TLD that is not served makes every other word void, and what cannot be bought is not
 * premium. Sources: Tucows (Radix), Nomulus with GlobalBlock, PIR Dropzone, Donuts DPML and Uni EPS, Nomulus PR 3221.
 */
const PHRASES: readonly { notice: Notice; pattern: RegExp }[] = [
  { notice: "unsupported", pattern: /not supported by this registry/ },
  { notice: "reserved", pattern: /not available for registration/ },
  {
    notice: "reserved",
    pattern: /registry[ -]reserved|reserved (?:name|domain|by|for)|(?:is|are|been) reserved/,
  },
  // The whole of what is said, or its end, as in what is left of "name.example reserved".
  { notice: "reserved", pattern: /(?:^|status:|\bname|\bdomain|\bpermanently)\W*reserved\W*$/ },
  { notice: "reserved", pattern: /\bblocked\b|globalblock|adultblock|uni eps/ },
  { notice: "reserved", pattern: /\bdpml\b|brand protection/ },
  {
    notice: "reserved",
    pattern:
      /(?:name|domain|label|registration)\b.{0,120}\brestricted\b|^restricted\b|restricted (?:name|domain|label)/,
  },
  { notice: "reserved", pattern: /dropzone|\bauction/ },
  { notice: "premium", pattern: /\bpremium\b|\bplatinum\b|expiry access period/ },
];

/** Sentences of legal text that hold the same words without saying anything of the name. */
const BOILERPLATE =
  /rights? (?:are |is )?reserved|reserves? (?:all |the |its |any )*rights?|terms (?:of|and)|(?:use of|access to|queries to) (?:this|our|the) (?:\w+ ){0,4}(?:database|service|data)|(?:access|rate|volume)[- ](?:is |are |may be )?(?:restricted|blocked|limit)/;

/** What is said of the very name that was asked for is no boilerplate, whatever else the sentence mentions. */
const OF_THE_NAME = /\bth(?:is|e) (?:domain name|domain|name|label) (?:is|has been|was|cannot)\b/;

/** Also where a line ends in the middle of it. */
const RIGHTS = /\ball\s+rights\s+(?:are\s+)?reserved/g;

/**
 * Reads the texts of a 404. The asked name is taken out first: a registry that answers "my-premium.dev not found" says
 * nothing about a price.
 */
export function readNotices(texts: readonly string[], domain: string): Notice {
  const said = texts.flatMap((text) => sentences(text, domain));
  return PHRASES.find(({ pattern }) => said.some((sentence) => pattern.test(sentence)))?.notice ??
    "plain";
}

/** Whether a notice is the registry's standing legal text, which comes with every answer. */
export function isStandingNotice(title: string, linkRels: readonly string[]): boolean {
  return linkRels.includes("terms-of-service") ||
    /terms|status codes|inaccuracy|copyright|disclaimer|redact/i.test(title);
}

/** Lines by themselves, and once more without their ends: some registries write a sentence a line, some wrap them. */
function sentences(text: string, domain: string): string[] {
  const said = text.toLowerCase().replaceAll(domain, "").replaceAll(RIGHTS, "");
  return [...said.split("\n"), said]
    .flatMap((piece) => piece.replace(/\s+/g, " ").split(/[.!?;] /))
    .filter((sentence) => OF_THE_NAME.test(sentence) || !BOILERPLATE.test(sentence));
}
