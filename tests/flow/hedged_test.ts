import { assertEquals } from "@std/assert";
import { type Attempt, hedged } from "../../src/flow/hedged.ts";
import { FakeTime } from "../support/fake_time.ts";

const options = { afterMs: 400, isAnswer: (value: string) => !value.startsWith("no") };

function after(ms: number, value: string): Attempt<string> {
  return () => new Promise((resolve) => setTimeout(resolve, ms, value));
}

Deno.test("hedged() returns the first answer when an attempt is slow, aborts the others, and waits for the slow one when later ones fail", async () => {
  using time = new FakeTime(0);
  let outrun: AbortSignal | undefined;
  const slow: Attempt<string> = (signal) => {
    outrun = signal;
    return after(9_000, "slow")(signal);
  };
  const answer = hedged([slow, after(50, "b")], options)
    .then((value) => ({ value, at: Date.now() }));
  await time.runAll();
  assertEquals(await answer, { value: "b", at: 450 });
  assertEquals(outrun?.aborted, true);
  const last = hedged([after(1_000, "slow"), after(1, "no 1"), after(1, "no 2")], options);
  await time.runAll();
  assertEquals(await last, "slow");
});
