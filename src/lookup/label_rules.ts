/** The registry's rules for a label, which decide whether its 404 counts. Imported at the first 404: 60 KB of tables. */
import type { LabelPolicy } from "../rules/answer.ts";
import type { SuffixCoverage } from "../rules/coverage.ts";
import { isReserved, judgeLabel, judgeOtherLabel } from "../rules/labels/label_policy.ts";
import { BUILT_IN_SUFFIXES } from "../rules/tables/tlds.ts";
import type { AskedName } from "../rules/readers/statements.ts";
import { askedName, unicodeOf } from "./a_label.ts";

const RESERVED: LabelPolicy = { kind: "forbidden", rule: "Registries reserve this name" };

/**
 * Whether the TLD's registry sells such a label, and the forms of the name that its 404 may echo; `coverage`: what is known
 * of a suffix that is not built in.
 */
export function readLabelRules(
  label: string,
  tld: string,
  coverage: SuffixCoverage | undefined,
): { policy: LabelPolicy; asked: AskedName } {
  const asked = askedName(label, tld);
  if (coverage !== undefined && !BUILT_IN_SUFFIXES.has(tld)) {
    return { policy: judgeOtherLabel(label, coverage), asked };
  }
  const isListed = isReserved(label, tld);
  return { policy: isListed ? RESERVED : judgeLabel(label, unicodeOf(label), tld), asked };
}
