import { assertEquals } from "@std/assert";
import { createPauses } from "../../src/cli/checker.ts";
import { FakeTime } from "../support/fake_time.ts";

Deno.test("createPauses() notes a pause once for all names that wait for it, and again when it gets longer", async () => {
  using time = new FakeTime(0);
  const notes: string[] = [];
  const stop = new AbortController();
  const pauses = createPauses({
    note: (line) => void notes.push(line),
    stop: stop.signal,
    now: Date.now,
  });
  const waits = [
    pauses.wait("a.example", 30_000),
    pauses.wait("a.example", 30_400),
    pauses.wait("b.example", 1_000),
  ];
  time.tick(32_400);
  await Promise.all(waits);
  assertEquals(notes, [
    "a.example is rate-limiting us; waiting 30 s",
    "b.example is rate-limiting us; waiting 1 s",
  ]);
  const interrupted = pauses.wait("a.example", 60_000);
  assertEquals(notes.length, 3);
  stop.abort();
  await interrupted;
  await pauses.wait("a.example", 60_000);
});
