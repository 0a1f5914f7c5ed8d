import { domainToUnicode } from "node:url";

/**
 * Letters, digits and marks, Cherokee's capitals, and what joins them. Symbols, emoji among them, are DISALLOWED
 * (RFC 5892 §2), though registries answer 404 for them as for free names.
 */
const PERMITTED =
  /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u13a0-\u13f5\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb\u200c\u200d-]+$/u;
/** The exceptions among letters and marks, and old Hangul jamo (RFC 5892 §2.6, §2.9). */
const DISALLOWED =
  /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/;
/** What is allowed in its place only, out of it (RFC 5892 appendix A.3 to A.9). */
const MISPLACED = [
  /(?<!l)\u00b7|\u00b7(?!l)/,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
  /^(?!.*[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]).*\u30fb/u,
  /^(?=.*[\u0660-\u0669]).*[\u06f0-\u06f9]/,
];

/** Whether a label that begins with `xn--` stands for one that a registry may hold (RFC 5891 §4.2). */
export function isALabel(label: string): boolean {
  const name = domainToUnicode(label);
  if (!PERMITTED.test(name) || DISALLOWED.test(name)) return false;
  if (/^[-\p{M}]|^..--|-$/u.test(name) || MISPLACED.some((place) => place.test(name))) return false;
  // Back again: what is not lower case, not normal or joined in a wrong way comes back as another label, or as none.
  return name !== label && URL.parse(`https://${name}.example/`)?.hostname === `${label}.example`;
}
