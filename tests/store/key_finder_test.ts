import { assertEquals } from "@std/assert";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createKeyFinder } from "../../src/store/key_finder.ts";
import { createKeys } from "../../src/store/keys.ts";

/** Keys on a real KV that counts reads, fails when told to, and a clock. */
async function openFinder() {
  const real = await Deno.openKv(":memory:");
  const clock = { now: 1_000_000 };
  const state = { reads: 0, fails: false };
  const now = () => clock.now;
  const kv = new Proxy(real, {
    get: (target, name) => {
      if (name !== "get") return Reflect.get(target, name);
      return (key: Deno.KvKey) => {
        state.reads++;
        return state.fails ? Promise.reject(new Error("disk I/O error")) : target.get(key);
      };
    },
  });
  return {
    clock,
    state,
    keys: createKeys(real, { now }),
    finder: createKeyFinder(guardKv(kv, { report() {}, monotonic: () => performance.now() }), {
      now,
    }),
    [Symbol.dispose]: () => real.close(),
  };
}

function guess(n: number): string {
  return `das_${String(n).padStart(43, "0")}`;
}

Deno.test("finder.find() accepts a revoked key no longer when the clock is set back", async () => {
  using platform = await openFinder();
  const { key, record } = await platform.keys.create("lab", 600);
  assertEquals(await platform.finder.find(key, "a"), record);
  await platform.keys.revoke(record.id);
  platform.clock.now -= 3_600_000;
  assertEquals(await platform.finder.find(key, "a"), undefined);
});

Deno.test("finder.find() finds created keys", async () => {
  using platform = await openFinder();
  const { key, record } = await platform.keys.create("lab", 600);
  assertEquals(await platform.finder.find(key, "a"), record);
  assertEquals(await platform.finder.find(guess(1), "a"), undefined);
});

Deno.test("finder.find() reads nothing for a text that cannot be a key", async () => {
  using platform = await openFinder();
  for (
    const text of [
      "",
      "das_",
      `das_${"a".repeat(42)}`,
      `das_${"a".repeat(44)}`,
      "sk_1",
      `${guess(1)}\n`,
    ]
  ) {
    assertEquals(await platform.finder.find(text, "a"), undefined);
  }
  assertEquals(platform.state.reads, 0);
});

Deno.test("finder.find() reads a key once in five seconds, for any number of requests", async () => {
  using platform = await openFinder();
  const { key, record } = await platform.keys.create("lab");
  const round = () => Promise.all(Array.from({ length: 50 }, () => platform.finder.find(key, "a")));
  assertEquals(await round(), Array(50).fill(record));
  assertEquals(await round(), Array(50).fill(record));
  assertEquals(platform.state.reads, 1);
  platform.clock.now += 5_000;
  await round();
  assertEquals(platform.state.reads, 2);
});

Deno.test("finder.find() accepts a revoked key for five seconds at most", async () => {
  using platform = await openFinder();
  const { key, record } = await platform.keys.create("lab");
  await platform.finder.find(key, "a");
  await platform.keys.revoke(record.id);
  platform.clock.now += 5_000;
  assertEquals(await platform.finder.find(key, "a"), undefined);
});

Deno.test("finder.find() reads 60 unknown keys a minute for one sender, and more for others", async () => {
  using platform = await openFinder();
  for (let n = 0; n < 200; n++) await platform.finder.find(guess(n), "a");
  assertEquals(platform.state.reads, 60);
  const { key, record } = await platform.keys.create("lab");
  assertEquals(await platform.finder.find(key, "a"), undefined);
  assertEquals(await platform.finder.find(key, "b"), record);
  assertEquals(await platform.finder.find(key, "a"), record);
  platform.clock.now += 60_000;
  await platform.finder.find(guess(200), "a");
  assertEquals(platform.state.reads, 62);
});

Deno.test("finder.find() does not count known keys of one sender as unknown", async () => {
  using platform = await openFinder();
  for (let n = 0; n < 100; n++) {
    const { key } = await platform.keys.create(`${n}`);
    assertEquals((await platform.finder.find(key, "a"))?.label, `${n}`);
  }
});

Deno.test("finder.find() uses the last known record while KV fails, and caches no failure", async () => {
  using platform = await openFinder();
  const { key, record } = await platform.keys.create("lab");
  const { key: other, record: otherRecord } = await platform.keys.create("other");
  await platform.finder.find(key, "a");
  platform.clock.now += 5_000;
  platform.state.fails = true;
  assertEquals(await platform.finder.find(key, "a"), record);
  assertEquals(await platform.finder.find(other, "a"), undefined);
  platform.state.fails = false;
  assertEquals(await platform.finder.find(other, "a"), otherRecord);
});
