import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createRate, drawProgress } from "../../src/cli/progress.ts";

// deno-fmt-ignore -- a table
const LINES: [Parameters<typeof drawProgress>, string][] = [
  [[{ done: 0, total: 1_000, perSecond: undefined }, 80], "[                              ] 0/1000 checked"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 80], "[============                  ] 412/1000 checked  80/s  0:08 left"],
  [[{ done: 1_000, total: 1_000, perSecond: 80 }, 80], "[==============================] 1000/1000 checked  80/s  0:00 left"],
  [[{ done: 10, total: 10_000, perSecond: 0.9 }, 60], "[                   ] 10/10000 checked  0.9/s  3:05:00 left"],
  [[{ done: 412, total: undefined, perSecond: 79.6 }, 80], "412 checked  80/s"],
  [[{ done: 4, total: 9, perSecond: undefined, pause: { host: "a.example", seconds: 26 } }, 80], "[=============                 ] 4/9 checked  waiting 26 s for a.example"],
  [[{ done: 4, total: 9, perSecond: 2, pause: { host: "a.example", seconds: 26 } }, 100], "[=============                 ] 4/9 checked  waiting 26 s for a.example  2.0/s  0:26 left"],
  [[{ done: 4, total: 90, perSecond: 2, pause: { host: "a.example", seconds: 26 } }, 100], "[=                             ] 4/90 checked  waiting 26 s for a.example  2.0/s  0:43 left"],
  [[{ done: 4, total: 9, perSecond: 2, pause: { host: "a.example", seconds: 26 } }, 40], "4/9 checked  waiting 26 s for a.example"],
  [[{ done: 4, total: 9, perSecond: 2, pause: { host: "a.example", seconds: 26 } }, 30], "[======         ] 4/9 checked"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 35], "412/1000 checked  80/s  0:08 left"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 33], "412/1000 checked  80/s"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 22], "412/1000 checked"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 9], "412/1000"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 0], ""],
];

Deno.test("drawProgress() shows count, rate and time left as far as they fit", () => {
  for (const [[progress, columns], line] of LINES) {
    assertEquals(drawProgress(progress, columns), line);
  }
});

Deno.test("drawProgress() never fills the last column, because a wrapped line cannot be erased", () => {
  const progress = fc.record({
    done: fc.nat(1e9),
    total: fc.option(fc.nat(1e9), { nil: undefined }),
    perSecond: fc.option(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { nil: undefined }),
    pause: fc.option(fc.record({ host: fc.domain(), seconds: fc.nat(1e5) }), { nil: undefined }),
  });
  fc.assert(fc.property(progress, fc.nat(200), (progress, columns) => {
    const line = drawProgress(progress, columns);
    assertEquals(line.length < Math.max(1, columns), true, line);
    assertEquals(/^[\x20-\x7e]*$/.test(line), true, "one column per character");
  }));
});

Deno.test("createRate() measures the last seconds, not the whole run", () => {
  let time = 0;
  const rate = createRate(() => time);
  assertEquals(rate.perSecond(), undefined);
  // A thousand cache hits at once, then one result per second.
  for (let n = 0; n < 1_000; n++) rate.add();
  for (; time < 30_000; time += 250) {
    if (time % 1_000 === 0) rate.add();
    rate.perSecond();
  }
  assertEquals(rate.count, 1_030);
  assertEquals(Math.round(rate.perSecond() ?? NaN), 1);
});

Deno.test("createRate() has no rate when nothing was done lately", () => {
  let time = 0;
  const rate = createRate(() => time);
  rate.add();
  for (; time < 30_000; time += 500) rate.perSecond();
  assertEquals(rate.perSecond(), undefined);
});
