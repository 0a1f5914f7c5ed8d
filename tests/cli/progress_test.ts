import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createMeter } from "../../src/cli/meter.ts";
import { drawProgress } from "../../src/cli/progress.ts";

// deno-fmt-ignore -- a table
const LINES: [Parameters<typeof drawProgress>, string][] = [
  [[{ done: 0, total: 1_000, perSecond: undefined }, 80], "[                              ] 0/1000 checked"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 80], "[============                  ] 412/1000 checked  80/s  0:08 left"],
  [[{ done: 1_000, total: 1_000, perSecond: 80 }, 80], "[==============================] 1000/1000 checked  80/s  0:00 left"],
  [[{ done: 10, total: 10_000, perSecond: 0.9 }, 60], "[                   ] 10/10000 checked  0.9/s  3:05:00 left"],
  [[{ done: 412, total: undefined, perSecond: 79.6 }, 80], "412 checked  80/s"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 35], "412/1000 checked  80/s  0:08 left"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 33], "412/1000 checked  80/s"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 22], "412/1000 checked"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 9], "412/1000"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 0], ""],
];

Deno.test("drawProgress() shows how far, how fast and how long still, as far as there is room", () => {
  for (const [[standing, columns], line] of LINES) {
    assertEquals(drawProgress(standing, columns), line);
  }
});

Deno.test("drawProgress() never fills the last column, for what wraps cannot be wiped away", () => {
  const standing = fc.record({
    done: fc.nat(1e9),
    total: fc.option(fc.nat(1e9), { nil: undefined }),
    perSecond: fc.option(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { nil: undefined }),
  });
  fc.assert(fc.property(standing, fc.nat(200), (standing, columns) => {
    const line = drawProgress(standing, columns);
    assertEquals(line.length < Math.max(1, columns), true, line);
    assertEquals(/^[\x20-\x7e]*$/.test(line), true, "one column a character");
  }));
});

Deno.test("createMeter() tells the rate of the last seconds, not of all", () => {
  let time = 0;
  const meter = createMeter(() => time);
  assertEquals(meter.perSecond(), undefined);
  // A thousand kept answers at once, then one a second.
  for (let n = 0; n < 1_000; n++) meter.add();
  for (; time < 30_000; time += 250) {
    if (time % 1_000 === 0) meter.add();
    meter.perSecond();
  }
  assertEquals(meter.count, 1_030);
  assertEquals(Math.round(meter.perSecond() ?? NaN), 1);
});

Deno.test("createMeter() tells no rate where nothing was done for a while", () => {
  let time = 0;
  const meter = createMeter(() => time);
  meter.add();
  for (; time < 30_000; time += 500) meter.perSecond();
  assertEquals(meter.perSecond(), undefined);
});
