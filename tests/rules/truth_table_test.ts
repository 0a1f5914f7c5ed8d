import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { TRUTH_TABLE, type TruthRow } from "./truth_table.ts";
import { decide, type State, stateOf, STATES, type Status } from "../../src/rules/verdict.ts";

const STATUS: Readonly<Record<State, readonly Status[]>> = {
  available: ["undelegated", "inactive"],
  premium: ["undelegated", "inactive", "premium"],
  reserved: ["undelegated"],
  taken: ["undelegated", "active"],
  unknown: ["unknown"],
};

function statusOf({ state, source, whois }: TruthRow): readonly Status[] {
  if (state === "taken" && source === "dns") return ["active"];
  const isDisputed = state === "unknown" && whois?.kind === "registered";
  return isDisputed ? ["unknown", "undelegated"] : STATUS[state];
}

for (const [place, row] of TRUTH_TABLE.entries()) {
  const { finding, evidence, whois, state, source, says = "" } = row;
  Deno.test(`row ${place + 1} of the truth table: ${state}, if ${finding}`, () => {
    const verdict = decide({ ...evidence, whois });
    assertEquals([stateOf(verdict), verdict.status, verdict.source], [
      state,
      statusOf(row),
      source,
    ]);
    assertEquals(verdict.available, state === "available" || state === "premium");
    assertEquals(verdict.premium, state === "premium");
    assertEquals(verdict.error !== undefined, state === "unknown");
    assertEquals(verdict.reason !== undefined, state === "reserved");
    assertStringIncludes(`${verdict.error ?? verdict.reason}`, says);
  });
}

Deno.test("the truth table has rows for every state", () => {
  const states = new Set(TRUTH_TABLE.map(({ state }) => state));
  assert(STATES.every((state) => states.has(state)));
});
