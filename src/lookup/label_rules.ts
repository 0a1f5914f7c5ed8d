/** The registry's rules for a label, which decide whether its 404 counts. Imported at the first 404: 60 KB of tables. */
import type { LabelPolicy } from "../rules/answer.ts";
import { judgeLabel } from "../rules/labels/label_policy.ts";
import { isReserved } from "../rules/labels/reserved.ts";
import type { AskedName } from "../rules/readers/statements.ts";
import { unicodeOf } from "./a_label.ts";

const RESERVED: LabelPolicy = { kind: "forbidden", rule: "Registries reserve this name" };

/** Whether the TLD's registry sells such a label, and the forms of the name that its 404 may echo. */
export function readLabelRules(
  label: string,
  tld: string,
): { policy: LabelPolicy; asked: AskedName } {
  const asked = { label, domain: `${label}.${tld}` };
  const unicode = unicodeOf(label);
  return {
    policy: isReserved(label, tld) ? RESERVED : judgeLabel(label, unicode, tld),
    asked: unicode === undefined ? asked : { ...asked, unicodeDomain: `${unicode}.${tld}` },
  };
}
