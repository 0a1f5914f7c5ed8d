import { assertEquals, assertRejects } from "@std/assert";
import { startReading } from "../../src/api/start_reading.ts";

/** A generator of 1 and 2 that records what it does. */
async function* recorded(done: string[]): AsyncGenerator<number, string, void> {
  try {
    done.push("started");
    yield 1;
    await Promise.resolve();
    yield 2;
    return "all";
  } finally {
    done.push("ended");
  }
}

Deno.test("startReading() starts the generator at once, and yields and returns what it does", async () => {
  const done: string[] = [];
  const reading = startReading(recorded(done));
  assertEquals(done, ["started"]);
  assertEquals(await reading.next(), { value: 1, done: false });
  assertEquals(await reading.next(), { value: 2, done: false });
  assertEquals(await reading.next(), { value: "all", done: true });
  assertEquals(done, ["started", "ended"]);
});

Deno.test("startReading() ends the generator when its reader stops early", async () => {
  const done: string[] = [];
  for await (const value of startReading(recorded(done))) {
    assertEquals(value, 1);
    break;
  }
  assertEquals(done, ["started", "ended"]);
});

Deno.test("startReading() throws a failure where its value is read, and leaves no rejection unhandled", async () => {
  // deno-lint-ignore require-yield -- it fails before its first value
  async function* failing(): AsyncGenerator<number, void, void> {
    await Promise.resolve();
    throw new RangeError("bug");
  }
  const reading = startReading(failing());
  startReading(failing());
  await new Promise((resolve) => setTimeout(resolve));
  await assertRejects(() => reading.next(), RangeError, "bug");
});
