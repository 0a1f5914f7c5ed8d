import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { lines, merged } from "../../src/flow/async_iterables.ts";

async function linesOf(chunks: readonly (string | Uint8Array)[], most = 100): Promise<string[]> {
  const encoder = new TextEncoder();
  const bytes = chunks.map((chunk) => typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  return await Array.fromAsync(lines(ReadableStream.from(bytes), { most }));
}

Deno.test("lines() yields lines without line endings, for LF and CRLF", async () => {
  assertEquals(await linesOf(["a\nb\r\n\nc"]), ["a", "b", "", "c"]);
  assertEquals(await linesOf(["a\n"]), ["a"]);
  assertEquals(await linesOf([]), []);
  assertEquals(await linesOf(["\uFEFFa\n"]), ["a"], "a byte order mark is no part of the text");
});

Deno.test("lines() reads UTF-16 with its mark, and lines that end with a return alone", async () => {
  const units = Uint16Array.from([..."\ufeffä.com\r\nb.io\n"].map((sign) => sign.charCodeAt(0)));
  const little = new Uint8Array(units.buffer);
  const big = little.map((_, at) => little[at ^ 1] ?? 0);
  for (const bytes of [little, big]) {
    assertEquals(await linesOf([bytes]), ["ä.com", "b.io"]);
    assertEquals(await linesOf([...bytes].map((byte) => Uint8Array.of(byte))), ["ä.com", "b.io"]);
  }
  assertEquals(await linesOf(["a\rb\r", "\nc\r"]), ["a", "b", "c"]);
  assertEquals(await linesOf(["a"]), ["a"]);
});

Deno.test("lines() yields the same lines for any chunk boundaries", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "ü", "\n", "€", " ") });
  await fc.assert(fc.asyncProperty(text, fc.nat(20), async (text, at) => {
    const bytes = new TextEncoder().encode(text);
    const whole = await linesOf([bytes]);
    assertEquals(await linesOf([bytes.subarray(0, at), bytes.subarray(at)]), whole);
    assertEquals(whole, text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  }));
});

Deno.test("lines() cuts lines to `most` characters", async () => {
  assertEquals(await linesOf(["abcdef", "ghi\nxyz\n"], 4), ["abcd", "xyz"]);
  let given = 0;
  let longest = 0;
  const endless = (async function* () {
    for (; given < 100; given++) yield new TextEncoder().encode("x".repeat(1_000));
  })();
  for await (const line of lines(endless, { most: 10 })) longest = Math.max(longest, line.length);
  assertEquals([given, longest], [100, 10]);
});

async function* after<T>(value: Promise<T>): AsyncGenerator<T> {
  yield await value;
}

Deno.test("merged() ends no process when a value comes after its reader has left", async () => {
  const [first, second, end] = [1, 2, 3].map(() => Promise.withResolvers<string>());
  async function* source() {
    yield await first!.promise;
    yield await second!.promise;
    yield await end!.promise;
  }
  const values = merged([source()], (value) => Promise.resolve(value));
  await values.cancel();
  first!.resolve("a");
  second!.resolve("b");
  // A rejection that no code has taken up by then would fail this test.
  await new Promise((resolve) => setTimeout(resolve, 0));
  end!.resolve("c");
});

Deno.test("merged() yields in the order of arrival, and fails with its first failure", async () => {
  const [a, b, c] = [1, 2, 3].map(() => Promise.withResolvers<string>());
  const values = merged([a!, b!, c!].map(({ promise }) => after(promise))).values();
  for (const [source, value] of [[c, "c"], [a, "a"]] as const) {
    source!.resolve(value);
    assertEquals((await values.next()).value, value);
  }
  b!.reject(new RangeError("bug"));
  await assertRejects(() => values.next(), RangeError, "bug");
});
