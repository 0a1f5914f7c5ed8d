import { assertEquals } from "@std/assert";
import { createPolledCopy } from "../../src/flow/cache/memory.ts";

Deno.test("polledCopy.refresh() reads when the copy is too old, once for simultaneous calls", async () => {
  let time = 0;
  let reads = 0;
  const copy = createPolledCopy(() => Promise.resolve(void reads++), {
    maxAgeMs: 3_000,
    now: () => time,
  });
  await Promise.all([copy.refresh(), copy.refresh()]);
  time = 2_999;
  await copy.refresh();
  assertEquals([reads, copy.ageMs()], [1, 2_999]);
  time = 3_000;
  await copy.refresh();
  assertEquals([reads, copy.ageMs()], [2, 0]);
});

Deno.test("polledCopy.refresh() reads when the clock was set back further than the maximum age", async () => {
  let time = 1_000_000;
  let reads = 0;
  const copy = createPolledCopy(() => Promise.resolve(void reads++), {
    maxAgeMs: 3_000,
    now: () => time,
  });
  await copy.refresh();
  time = 0;
  await copy.refresh();
  assertEquals(reads, 2);
});

Deno.test("polledCopy.ageMs() counts from the start of a read, because the data may be as old", async () => {
  let time = 0;
  const reading = Promise.withResolvers<void>();
  const copy = createPolledCopy(() => reading.promise, { maxAgeMs: 3_000, now: () => time });
  assertEquals(copy.ageMs(), Infinity);
  const read = copy.read();
  time = 2_000;
  reading.resolve();
  await read;
  assertEquals(copy.ageMs(), 2_000);
});
