import { assertEquals } from "@std/assert";
import { createFlusher } from "../../src/lookup/popular_counter.ts";
import { within } from "../support/until.ts";

Deno.test("soon() writes once after the interval, and again when called again", async () => {
  let writes = 0;
  let written = Promise.withResolvers<void>();
  const flusher = createFlusher(() => (writes++, written.resolve(), Promise.resolve()), 1);
  flusher.soon();
  flusher.soon();
  await within("it writes", written.promise);
  assertEquals(writes, 1);
  written = Promise.withResolvers();
  flusher.soon();
  await within("it writes again", written.promise);
  assertEquals(writes, 2);
});

Deno.test("flush() writes at once, joins a write that is under way, and takes back soon()", async () => {
  let writes = 0;
  const writing = Promise.withResolvers<void>();
  const flusher = createFlusher(() => (writes++, writing.promise), 3_600_000);
  flusher.soon();
  const both = [flusher.flush(), flusher.flush()];
  writing.resolve();
  await Promise.all(both);
  assertEquals(writes, 1);
});

Deno.test("stop() writes for the last time, after a write that is under way; soon() does nothing then", async () => {
  let writes = 0;
  const flusher = createFlusher(() => (writes++, Promise.resolve()), 3_600_000);
  const under = flusher.flush();
  await flusher.stop();
  await under;
  flusher.soon();
  assertEquals(writes, 2);
});
