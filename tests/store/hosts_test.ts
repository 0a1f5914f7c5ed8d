import { assertEquals } from "@std/assert";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createCooldowns } from "../../src/store/hosts.ts";

const NOW = 1e12;
const now = () => NOW;

Deno.test("a host is left alone for the longest pause that any process was told to make", async () => {
  using kv = await Deno.openKv(":memory:");
  const guarded = guardKv(kv, { report() {}, now });
  const { get, set } = createCooldowns(guarded, { now });
  assertEquals(await get("rdap.example"), 0);
  await set("rdap.example", NOW + 30_000);
  await set("rdap.example", NOW + 3_600_000);
  await set("rdap.example", NOW + 60_000);
  assertEquals(await get("rdap.example"), NOW + 3_600_000);
  await guarded.settled();
});

Deno.test("pauses that processes are told to make at the same time do not undo each other", async () => {
  using kv = await Deno.openKv(":memory:");
  const guarded = guardKv(kv, { report() {}, now });
  const { get, set } = createCooldowns(guarded, { now });
  const pauses = [9, 1, 8, 2, 7, 3].map((minutes) => minutes * 60_000);
  await Promise.all(pauses.map((ms) => set("rdap.example", NOW + ms)));
  assertEquals(await get("rdap.example"), NOW + 9 * 60_000);
  await guarded.settled();
});
