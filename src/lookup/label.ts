/**
 * What is known of a label without a question: its U-label if it is an A-label (`xn--…`) by IDNA2008, RFC 5890 to 5893, and
 * whether its registry sells it. Imported when the first name needs it: 60 KB of tables.
 *
 * Without a package: the maintained ones on npm (tr46, uts46) implement UTS 46, which accepts symbols that IDNA2008
 * refuses. The algorithm of RFC 5892 needs only Unicode properties, which V8 has and keeps current.
 */
import { domainToUnicode } from "node:url";
import type { LabelPolicy } from "../rules/answer.ts";
import type { SuffixCoverage } from "../rules/coverage.ts";
import { isReserved, judgeLabel, judgeOtherLabel } from "../rules/labels/label_policy.ts";
import { toAsciiName } from "../rules/name.ts";
import type { AskedName } from "../rules/readers/statements.ts";
import { BUILT_IN_SUFFIXES } from "../rules/tables/tlds.ts";

/**
 * The letters, digits and marks of RFC 5892 §2.1, without those that are unstable (§2.2), ignorable (§2.3, §2.4) or old
 * Hangul jamo (§2.9). Changes_When_NFKC_Casefolded is §2.2's NFKC(casefold(NFKC(cp))) ≠ cp, and besides true only of
 * ignorable ones, which are excluded anyway. Unassigned code points (§2.8) have none of these categories.
 */
const LETTER_DIGIT = String
  .raw`[[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]--[\p{Changes_When_NFKC_Casefolded}\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Noncharacter_Code_Point}\u20d0-\u20ff\u{1d100}-\u{1d1ff}\u{1d200}-\u{1d24f}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]]`;
/** RFC 5892 §2.6, DISALLOWED: tatweel, N'Ko lajanyalan, Hangul tone marks, kana repeat marks. */
const REFUSED = String.raw`\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b`;
/** RFC 5892 §2.6, PVALID and CONTEXTO: ß ς and others, and what appendix A allows in some contexts (`MISPLACED`). */
const EXCEPTION = String
  .raw`\u00df\u03c2\u06fd\u06fe\u0f0b\u3007\u00b7\u0375\u05f3\u05f4\u30fb\u0660-\u0669\u06f0-\u06f9`;
/**
 * A label of code points that are PVALID, CONTEXTJ or CONTEXTO (RFC 5892 §3); BackwardCompatible (§2.7) is empty.
 * Linear: one class, repeated.
 */
const PERMITTED = new RegExp(
  String.raw`^[[${LETTER_DIGIT}--[${REFUSED}]]${EXCEPTION}\u200c\u200d\-]+$`,
  "v",
);
/** Violations of contextual rules (RFC 5892 appendix A.3 to A.9). `toAsciiName` checks A.1 and A.2, the joiners. */
const MISPLACED = [
  /(?<!l)\u00b7|\u00b7(?!l)/,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
  /^(?!.*[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]).*\u30fb/u,
  /^(?=.*[\u0660-\u0669]).*[\u06f0-\u06f9]/,
];
/** A leading combining mark, and hyphens at an end or at positions 3 and 4 (RFC 5891 §4.2.3.1, §4.2.3.2). */
const MISSHAPEN = /^[-\p{M}]|^..--|-$/u;

/**
 * The U-label of a label in lower case; undefined if it is no valid A-label. UTS 46, by which a U-label is converted back,
 * checks what V8 has no properties for: bidi (RFC 5893) and the joiners (RFC 5892 A.1, A.2). A label that is not NFC or not
 * in lower case gives a different label.
 */
export function unicodeOf(label: string): string | undefined {
  if (!label.startsWith("xn--")) return undefined;
  const unicode = domainToUnicode(label);
  const isValid = unicode !== label && PERMITTED.test(unicode) && !MISSHAPEN.test(unicode) &&
    !MISPLACED.some((place) => place.test(unicode)) && toAsciiName(unicode) === label;
  return isValid ? unicode : undefined;
}

/** The domain with U-labels in place of its A-labels; undefined if it has no valid one. */
export function toUnicodeDomain(domain: string): string | undefined {
  const unicode = domain.split(".").map((label) => unicodeOf(label) ?? label).join(".");
  return unicode === domain ? undefined : unicode;
}

/** The forms of a name that a registry's answer may contain. */
export function askedName(label: string, tld: string): AskedName {
  const asked = { label, domain: `${label}.${tld}` };
  const unicode = unicodeOf(label);
  return unicode === undefined ? asked : { ...asked, unicodeDomain: `${unicode}.${tld}` };
}

const RESERVED: LabelPolicy = { kind: "forbidden", rule: "Registries reserve this name" };

/** Whether the TLD's registry sells such a label; `coverage`: what is known of a suffix that is not built in. */
export function labelPolicyOf(
  label: string,
  tld: string,
  coverage: SuffixCoverage | undefined,
): LabelPolicy {
  if (coverage !== undefined && !BUILT_IN_SUFFIXES.has(tld)) {
    return judgeOtherLabel(label, coverage);
  }
  return isReserved(label, tld) ? RESERVED : judgeLabel(label, unicodeOf(label), tld);
}
