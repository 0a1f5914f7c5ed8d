import { assert, assertEquals } from "@std/assert";
import { SUITE_FAULTS } from "./faults.ts";
import { CLASSES } from "./population.ts";
import { reportText } from "./report.ts";
import { createRandom } from "./random.ts";
import { runChaos } from "./run.ts";
import { planShortRun } from "./schedule.ts";

Deno.test("three processes give no wrong answer while they are killed and registries lie", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const tally = await runChaos({
    seed,
    ...planShortRun(createRandom(seed)),
    faults: SUITE_FAULTS,
    callers: 9,
    graceMs: 1_000,
    // A busy machine misses deadlines, which makes names unknown; a service that answers only unknown must still fail.
    largestUnknownShare: 0.4,
  });
  const text = reportText(tally, { seed, seconds: 13, perRule: 1 });
  assertEquals(tally.violations.length, 0, text);
  // A run without questions would find nothing.
  assert(tally.fresh >= 100, text);
  const asked = CLASSES.filter((kind) => kind !== "seed");
  assertEquals(asked.filter((kind) => !tally.byClass.has(kind)), [], text);
});
