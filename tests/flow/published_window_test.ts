import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  areListsSlow,
  evenIntervalMs,
  windowOpensAt,
  type WindowUse,
  withStarts,
} from "../../src/flow/queue/published_window.ts";
import { mostWithin } from "../support/most_within.ts";

/** As CentralNic publishes it: 1,200 of them are used. */
const WINDOW = { limit: 1_800, ms: 900_000 };
const NOW = 1e12;

function used(count: number, at = NOW): WindowUse {
  return withStarts(WINDOW, undefined, { ofList: false, at, count });
}

Deno.test("windowOpensAt() lets single questions start until two thirds of the published number are used", () => {
  const opensAt = (count: number) =>
    windowOpensAt(WINDOW, used(count), { ofList: false, time: NOW + 1 });
  assertEquals(windowOpensAt(WINDOW, undefined, { ofList: false, time: NOW }), -Infinity);
  assertEquals(opensAt(1_199), -Infinity);
  const waitMs = opensAt(1_200) - NOW;
  assert(waitMs >= WINDOW.ms && waitMs <= WINDOW.ms + 61_000, `${waitMs} ms`);
});

Deno.test("windowOpensAt() lets lists start at once until half is used, then one in about 3 s, and none below a quarter", () => {
  const opensAt = (use: WindowUse) => windowOpensAt(WINDOW, use, { ofList: true, time: NOW });
  assertEquals(opensAt(used(599)), -Infinity);
  assertEquals([areListsSlow(WINDOW, used(599), NOW), opensAt(used(600))], [false, NOW]);
  const after = withStarts(WINDOW, used(600), { ofList: true, at: NOW });
  assertEquals([areListsSlow(WINDOW, after, NOW), opensAt(after)], [
    true,
    NOW + 4 * evenIntervalMs(WINDOW),
  ]);
  assertEquals(opensAt(used(899)), NOW);
  assert(opensAt(used(900)) >= NOW + WINDOW.ms);
  // A single question does not delay lists further.
  assertEquals(opensAt(withStarts(WINDOW, after, { ofList: false, at: NOW })), opensAt(after));
});

Deno.test("windowOpensAt() counts the tasks that start before", () => {
  const at = (count: number, ofList: boolean, ahead: number) =>
    windowOpensAt(WINDOW, used(count), { ofList, time: NOW, ahead });
  assertEquals(at(0, true, 599), -Infinity);
  assertEquals(at(598, true, 4), NOW + 2 * 4 * evenIntervalMs(WINDOW));
  assertEquals(at(1_190, false, 9), -Infinity);
  assert(at(1_190, false, 10) >= NOW + WINDOW.ms);
});

Deno.test("windowOpensAt() opens once enough starts have expired, and ignores wrong ones", () => {
  const first = used(700);
  const both = withStarts(WINDOW, first, { ofList: false, at: NOW + 300_000, count: 500 });
  const opensAt = windowOpensAt(WINDOW, both, { ofList: false, time: NOW + 300_000 });
  assertEquals(opensAt, first.starts[0]?.[0]);
  assertEquals(windowOpensAt(WINDOW, both, { ofList: false, time: opensAt }), -Infinity);
  assertEquals(areListsSlow(WINDOW, used(1_200, NOW + 86_400_000), NOW), false);
});

Deno.test("withStarts() keeps a record of some 17 entries, and never forgets a start that counts", () => {
  const steps = fc.array(
    fc.record({ afterMs: fc.nat(90_000), count: fc.nat(400), ofList: fc.boolean() }),
    { maxLength: 80 },
  );
  fc.assert(
    fc.property(steps, (steps) => {
      let use: WindowUse | undefined;
      let time = NOW;
      const starts: number[] = [];
      for (const { afterMs, count, ofList } of steps) {
        time += afterMs;
        for (let n = 0; n < count; n++) {
          if (windowOpensAt(WINDOW, use, { ofList, time }) > time) break;
          use = withStarts(WINDOW, use, { ofList, at: time });
          // As late as a slot may be used.
          starts.push(time + 900 * (n % 2));
        }
      }
      assert((use?.starts.length ?? 0) <= 18, `${use?.starts.length} entries`);
      assert(mostWithin(starts, WINDOW.ms) <= 1_200);
    }),
    { numRuns: 50 },
  );
});
