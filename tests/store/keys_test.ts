import { assertEquals, assertMatch } from "@std/assert";
import { createKeyFinder, createKeys } from "../../src/store/keys.ts";
import { changedKv } from "../support/changed_kv.ts";
import { guarded } from "../support/on_kv.ts";

/** Keys on a real KV that counts reads, fails when told to, and a clock that moves on with each key. */
async function openKeys() {
  const kv = await Deno.openKv(":memory:");
  const state = { now: Date.UTC(2026, 10, 21), reads: 0, fails: false };
  const watched = changedKv(kv, (operation) => {
    if (operation !== "get") return undefined;
    state.reads++;
    if (state.fails) throw new Error("disk I/O error");
  });
  return {
    kv,
    state,
    keys: createKeys(kv, { now: () => state.now++ }),
    find: createKeyFinder(guarded(watched), { now: () => state.now }).find,
    [Symbol.dispose]: () => kv.close(),
  };
}

const guess = (n: number): string => `das_${String(n).padStart(43, "0")}`;

Deno.test("keys.create() stores the hash of a key of 256 random bits, and list() has the oldest first", async () => {
  using platform = await openKeys();
  const labels = ["lab", "constructor", "__proto__", "a"];
  const made = [];
  for (const label of labels) made.push(await platform.keys.create(label, 600));
  assertEquals(new Set(made.map(({ key }) => key)).size, made.length);
  const { key, record } = made[0]!;
  assertMatch(key, /^das_[A-Za-z0-9_-]{43}$/);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  const stored = { label: "lab", limit: 600, createdAt: "2026-11-21T00:00:00.000Z" };
  assertEquals(record, { id: new Uint8Array(digest).toHex(), ...stored });
  assertEquals((await platform.kv.get(["key", record.id])).value, stored);
  const entries = await Array.fromAsync(platform.kv.list({ prefix: [] }));
  assertEquals(JSON.stringify(entries).includes(key.slice(4)), false);
  assertEquals((await platform.keys.list()).map(({ label }) => label), labels);
});

Deno.test("keys.revoke() takes an id, a prefix of one id only, or the key itself", async () => {
  using platform = await openKeys();
  const { keys, kv } = platform;
  const { record: kept } = await keys.create("kept");
  for (const given of ["id", "prefix", "key"]) {
    const { key, record } = await keys.create("a");
    const idOrKey = given === "key" ? key : record.id.slice(0, given === "id" ? 64 : 12);
    assertEquals(await keys.revoke(idOrKey), { kind: "revoked", record });
  }
  assertEquals(await keys.revoke(""), { kind: "unknown" });
  assertEquals(await keys.revoke("no such id"), { kind: "unknown" });
  assertEquals(await keys.list(), [kept]);
  for (const id of ["77xa", "77xb"]) await kv.set(["key", id], { label: "b", createdAt: "" });
  assertEquals(await keys.revoke("77x"), { kind: "ambiguous", count: 2 });
  assertEquals((await keys.list()).length, 3);
});

Deno.test("finder.find() reads a key once in five seconds, for any number of requests, and nothing for a text that cannot be a key", async () => {
  using platform = await openKeys();
  const { key, record } = await platform.keys.create("lab", 600);
  const round = () => Promise.all(Array.from({ length: 50 }, () => platform.find(key, "a")));
  assertEquals([...await round(), ...await round()], Array(100).fill(record));
  assertEquals(platform.state.reads, 1);
  platform.state.now += 5_000;
  await round();
  assertEquals(platform.state.reads, 2);
  const texts = ["", "das_", `das_${"a".repeat(42)}`, `das_${"a".repeat(44)}`, `${guess(1)}\n`];
  for (const text of texts) assertEquals(await platform.find(text, "a"), undefined);
  assertEquals(platform.state.reads, 2);
});

Deno.test("finder.find() accepts a revoked key for five seconds at most, and not when the clock is set back", async () => {
  for (const ms of [5_000, -3_600_000]) {
    using platform = await openKeys();
    const { key, record } = await platform.keys.create("lab");
    assertEquals(await platform.find(key, "a"), record);
    await platform.keys.revoke(record.id);
    platform.state.now += ms;
    assertEquals(await platform.find(key, "a"), undefined, `${ms} ms later`);
  }
});

Deno.test("finder.find() reads 60 unknown keys a minute for one sender, and more for others", async () => {
  using platform = await openKeys();
  for (let n = 0; n < 200; n++) await platform.find(guess(n), "a");
  assertEquals(platform.state.reads, 60);
  const { key, record } = await platform.keys.create("lab");
  assertEquals(await platform.find(key, "a"), undefined);
  assertEquals(await platform.find(key, "b"), record);
  assertEquals(await platform.find(key, "a"), record);
  platform.state.now += 60_000;
  await platform.find(guess(200), "a");
  assertEquals(platform.state.reads, 62);
  for (let n = 0; n < 100; n++) {
    const { key } = await platform.keys.create(`${n}`);
    assertEquals((await platform.find(key, "c"))?.label, `${n}`, "known keys do not count");
  }
});

Deno.test("finder.find() uses the last known record while KV fails, and caches no failure", async () => {
  using platform = await openKeys();
  const { key, record } = await platform.keys.create("lab");
  const { key: other, record: otherRecord } = await platform.keys.create("other");
  await platform.find(key, "a");
  platform.state.now += 5_000;
  platform.state.fails = true;
  assertEquals(await platform.find(key, "a"), record);
  for (let n = 0; n < 100; n++) assertEquals(await platform.find(other, "a"), undefined);
  platform.state.fails = false;
  assertEquals(await platform.find(other, "a"), otherRecord);
});
