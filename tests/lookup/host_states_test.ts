import { assertEquals } from "@std/assert";
import { createHostStates } from "../../src/lookup/host_states.ts";

Deno.test("problems() lists hosts during a cooldown, and those whose last answer failed", () => {
  let now = 0;
  const states = createHostStates({ monotonic: () => now });
  assertEquals(states.problems(), []);
  states.noteAnswer("a", { kind: "failed", fault: "down", why: "" });
  states.noteAnswer("b", { kind: "registered", askedAt: 0 });
  states.noteAnswer("c", { kind: "failed", fault: "unasked", why: "" });
  states.notePause("b", 5_000);
  states.notePause("b", 1_000);
  assertEquals(states.problems(), [
    { host: "a", state: "failing", leftMs: 0 },
    { host: "b", state: "cooling", leftMs: 5_000 },
  ]);
  now = 5_000;
  states.noteAnswer("a", { kind: "notFound", askedAt: 0, statements: [] });
  assertEquals(states.problems(), []);
});
