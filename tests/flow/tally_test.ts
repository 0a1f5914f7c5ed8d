import { assert, assertEquals } from "@std/assert";
import { createTally } from "../../src/flow/tally.ts";

Deno.test("tally.count() counts each occurrence, and starts anew after take()", () => {
  const tally = createTally({ max: 10, random: Math.random });
  for (const name of ["a", "b", "a"]) tally.count(name);
  assertEquals([...tally.take()], [["a", 2], ["b", 1]]);
  assertEquals(tally.take().size, 0);
});

Deno.test("tally.putBack() adds counts to those counted since take()", () => {
  const tally = createTally({ max: 10, random: Math.random });
  tally.count("a");
  const taken = tally.take();
  tally.count("a");
  tally.count("b");
  tally.putBack(taken);
  assertEquals([...tally.take()], [["a", 2], ["b", 1]]);
});

Deno.test("tally.count() keeps frequent names among any number of names that occur once", () => {
  const tally = createTally({ max: 100, random: Math.random });
  let largest = 0;
  for (let n = 0; n < 4_000; n++) {
    tally.count(n % 4 === 0 ? "popular" : `stranger ${n}`);
    largest = Math.max(largest, tally.size);
  }
  assert(largest <= 100, `${largest} names`);
  assertEquals(tally.take().get("popular"), 1_000);
});

Deno.test("tally.count() samples when there are very many occurrences", () => {
  let draws = 0;
  // Every sixteenth draw is below a sixteenth.
  const tally = createTally({ max: 10, random: () => draws++ % 16 === 0 ? 0 : 0.5 });
  for (let n = 0; n < 4_096 + 16_000; n++) tally.count("a");
  assertEquals([draws, tally.take().get("a")], [16_000, 4_096 + 16_000]);
  tally.count("a");
  assertEquals([draws, tally.take().get("a")], [16_000, 1], "the next ones are counted again");
});
