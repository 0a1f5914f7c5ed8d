import { domainToUnicode } from "node:url";

/**
 * Letters, digits and marks, and what joins them. Symbols, emoji among them, are DISALLOWED (RFC 5892 §2), though
 * registries answer 404 for them as for free names.
 */
const PERMITTED =
  /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb\u200c\u200d-]+$/u;

/** Whether a label that begins with `xn--` stands for one that a registry may hold (RFC 5891 §4.2). */
export function isALabel(label: string): boolean {
  const name = domainToUnicode(label);
  if (!PERMITTED.test(name) || /^[-\p{M}]|^..--|-$/u.test(name)) return false;
  // Back again: what is not lower case, not normal or joined in a wrong way comes back as another label, or as none.
  return name !== label && URL.parse(`https://${name}.example/`)?.hostname === `${label}.example`;
}
