import type { Witnesses } from "../../src/lookup/judge.ts";
import type { Canary } from "../../src/rules/answer.ts";

/** A canary test that passed at a registry whose 404 has an empty body. */
export const PASSED: Canary = { kind: "passed", witness: "google", templates: [] };

/** Canary and resolver tests that always pass, for tests of other parts of a look-up. */
export const TRUSTED: Pick<Witnesses, "canary" | "resolver" | "resolverName"> = {
  resolverName: "system",
  canary: {
    resultOf: () => Promise.resolve(PASSED),
    inForce: () => Promise.resolve(PASSED),
    testedAt: () => undefined,
    trusts: () => true,
    learn: () => Promise.resolve(undefined),
    labelsOf: () => [],
    noteDelegated() {},
  },
  resolver: {
    showsDelegations: () => Promise.resolve(true),
    note() {},
  },
};
