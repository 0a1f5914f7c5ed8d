import { assert, assertEquals, assertThrows } from "@std/assert";
import { memoized } from "../../src/flow/cache/memory.ts";

/** A memoized reader, and the texts that it has read. */
function countingReader(max: number) {
  const texts: string[] = [];
  const read = memoized((text) => {
    texts.push(text);
    if (text === "invalid") throw new Error("cannot be read");
    return { text };
  }, max);
  return { read, texts };
}

Deno.test("memoized() returns the same result without reading again when it gets the same text", () => {
  const { read, texts } = countingReader(8);
  const [first, other] = [read("a"), read("b")];
  assert(read("a") === first);
  assert(read("b") === other);
  assertEquals([first, other], [{ text: "a" }, { text: "b" }]);
  assertEquals(texts, ["a", "b"]);
});

Deno.test("memoized() reads again when the first reading threw", () => {
  const { read, texts } = countingReader(8);
  for (const _ of [1, 2]) assertThrows(() => read("invalid"), Error, "cannot be read");
  assertEquals(texts, ["invalid", "invalid"]);
});

Deno.test("memoized() keeps no result when its text is longer than 256 characters", () => {
  const { read, texts } = countingReader(8);
  const [longest, tooLong] = ["x".repeat(256), "x".repeat(257)];
  for (const text of [longest, longest, tooLong, tooLong]) assert(read(text).text === text);
  assertEquals(texts.map(({ length }) => length), [256, 257, 257]);
});
