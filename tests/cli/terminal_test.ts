import { assertEquals } from "@std/assert";
import { createNonBlockingWriter } from "../../src/cli/terminal.ts";

Deno.test("createNonBlockingWriter() writes in order, and in one piece what arrives during a partial write", async () => {
  let taken = "";
  const writes: number[] = [];
  const write = createNonBlockingWriter({
    write(bytes) {
      writes.push(bytes.length);
      taken += new TextDecoder().decode(bytes.subarray(0, 2));
      return Promise.resolve(Math.min(2, bytes.length));
    },
  });
  await Promise.all([write("abcd"), write("ef"), write("gh")]);
  assertEquals([taken, writes], ["abcdefgh", [4, 2, 4, 2]]);
  await write("i");
  assertEquals(taken, "abcdefghi");
});
