import { assertEquals } from "@std/assert";
import { guardKv } from "../../src/store/guarded_kv.ts";

Deno.test("a KV that never answers keeps nobody from the end", async () => {
  using real = await Deno.openKv(":memory:");
  const guarded = guardKv(real, { report() {}, now: Date.now });
  const never = new Promise<string>(() => {});
  assertEquals(await guarded.attempt(() => never, "fallback"), "fallback");
  await guarded.settled();
  assertEquals(guarded.isFailing(), true);
});
