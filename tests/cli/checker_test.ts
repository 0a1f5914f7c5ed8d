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

Deno.test("createPauses() counts down to the pause that ends next", async () => {
  using time = new FakeTime(0);
  const stop = new AbortController();
  const pauses = createPauses({ note() {}, stop: stop.signal, now: Date.now });
  assertEquals(pauses.current(), undefined);
  const waits = [pauses.wait("slow.example", 30_000), pauses.wait("a.example", 4_000)];
  assertEquals(pauses.current(), { host: "a.example", seconds: 4 });
  time.tick(3_400);
  assertEquals(pauses.current(), { host: "a.example", seconds: 1 });
  time.tick(600);
  assertEquals(pauses.current(), { host: "slow.example", seconds: 26 });
  time.tick(26_000);
  assertEquals(pauses.current(), undefined);
  stop.abort();
  await Promise.all(waits);
});
