import { hostPolicy } from "../../src/rules/host_policies.ts";
import { REGISTRIES } from "../lab/registries.ts";

/** Time, in ms, after which no host's pace remembers that it was asked so many questions for each of its TLDs. */
export function recoveryMs(tlds: readonly string[], questionsPerTld: number): number {
  const debts = REGISTRIES.map(({ host, bases }) =>
    tlds.filter((tld) => tld in bases).length * questionsPerTld * hostPolicy(host).everyMs
  );
  return Math.max(...debts);
}
