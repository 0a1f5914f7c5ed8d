import { assertEquals } from "@std/assert";
import { createPauses } from "../../src/cli/checker.ts";
import { pause } from "../../src/flow/deadline.ts";
import { FakeTime } from "../support/fake_time.ts";

Deno.test("createPauses() notes a pause once for all names that wait for a host until its end, and the next one", async () => {
  using time = new FakeTime(0);
  const notes: string[] = [];
  const stop = new AbortController();
  const pauses = createPauses({
    note: (line) => void notes.push(line),
    stop: stop.signal,
    now: Date.now,
    pause,
  });
  const waits = [
    pauses.wait("a.example", 30_000),
    pauses.wait("a.example", 30_400),
  ];
  time.tick(29_999);
  waits.push(pauses.wait("a.example", 2_000));
  const noted = ["Too many requests to a.example; waiting 30 s"];
  assertEquals(notes, noted);
  time.tick(1);
  waits.push(pauses.wait("a.example", 15_000));
  noted.push("Too many requests to a.example; waiting 15 s");
  assertEquals(notes, noted);
  time.tick(17_000);
  await Promise.all(waits);
  const interrupted = pauses.wait("a.example", 60_000);
  assertEquals(notes.length, 3);
  stop.abort();
  await interrupted;
  await pauses.wait("a.example", 60_000);
});

Deno.test("createPauses() counts down to the end of the pause", async () => {
  using time = new FakeTime(0);
  const stop = new AbortController();
  const pauses = createPauses({ note() {}, stop: stop.signal, now: Date.now, pause });
  assertEquals(pauses.current(), undefined);
  const waits = [pauses.wait("a.example", 30_000), pauses.wait("a.example", 4_000)];
  assertEquals(pauses.current(), { host: "a.example", seconds: 30 });
  time.tick(3_400);
  assertEquals(pauses.current(), { host: "a.example", seconds: 27 });
  time.tick(26_600);
  assertEquals(pauses.current(), undefined);
  stop.abort();
  await Promise.all(waits);
});
