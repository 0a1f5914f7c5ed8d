import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { type Fault, FAULTS } from "./faults.ts";
import { createRandom } from "./random.ts";
import { planRun } from "./schedule.ts";

function plan(seed: number, faults: readonly Fault[] = FAULTS) {
  return planRun({ random: createRandom(seed), ms: 600_000, slots: 3, faults });
}

Deno.test("planRun() gives the same schedule for the same seed, in order, with deeds of every kind", () => {
  assertEquals(plan(1), plan(1));
  assertNotEquals(plan(1), plan(2));
  const times = plan(1).map(({ at }) => at);
  assertEquals(times, times.toSorted((a, b) => a - b));
  const kinds = new Set(plan(1).map(({ kind }) => kind));
  assertEquals([...kinds].toSorted(), [
    "backup",
    "clock",
    "denyDns",
    "fail",
    "job",
    "kill",
    "lie",
    "refuse",
    "restore",
    "reword",
    "table",
    "turn",
  ]);
});

Deno.test("planRun() tests the registries after each lie or refusal has begun and after it is over", () => {
  const deeds = plan(3);
  const probes = deeds.filter((deed) => deed.kind === "job" && deed.job === "probe_registries");
  for (const deed of deeds) {
    if (deed.kind !== "lie" && deed.kind !== "refuse") continue;
    const end = deed.at + deed.forMs;
    assert(probes.some(({ at }) => at > deed.at && at < end), "none while it lasts");
    assert(probes.some(({ at }) => at > end), "none once it is over");
  }
});

Deno.test("planRun() does nothing that is switched off", () => {
  assertEquals(plan(4, []), []);
});
