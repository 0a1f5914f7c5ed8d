import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createKeys, isKeyText, keyId } from "../../src/store/keys.ts";

const NOW = Date.UTC(2026, 10, 21);

async function openKeys() {
  const kv = await Deno.openKv(":memory:");
  let now = NOW;
  return {
    kv,
    keys: createKeys(kv, { now: () => now++ }),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("keys.create() takes words of Object.prototype as labels", async () => {
  using platform = await openKeys();
  const labels = ["constructor", "toString", "__proto__"];
  for (const label of labels) await platform.keys.create(label);
  assertEquals(
    (await platform.keys.list()).map(({ label }) => label).toSorted(),
    labels.toSorted(),
  );
});

Deno.test("keys.create() creates a key of 256 random bits and stores only its hash", async () => {
  using platform = await openKeys();
  const { key, record } = await platform.keys.create("lab", 600);
  assertMatch(key, /^das_[A-Za-z0-9_-]{43}$/);
  assertNotEquals((await platform.keys.create("lab")).key, key);
  assert(isKeyText(key));
  assertEquals(record, {
    id: await keyId(key),
    label: "lab",
    limit: 600,
    createdAt: "2026-11-21T00:00:00.000Z",
  });
  const entries = await Array.fromAsync(platform.kv.list({ prefix: [] }));
  assertEquals(JSON.stringify(entries).includes(key.slice(4)), false);
  assertEquals((await platform.kv.get(["key", record.id])).value, {
    label: "lab",
    limit: 600,
    createdAt: "2026-11-21T00:00:00.000Z",
  });
});

Deno.test("keys.list() returns all keys, the oldest first", async () => {
  using platform = await openKeys();
  for (const label of ["a", "b", "c"]) await platform.keys.create(label);
  assertEquals((await platform.keys.list()).map(({ label }) => label), ["a", "b", "c"]);
});

Deno.test("keys.revoke() takes an id, a unique prefix of one, or the key itself", async () => {
  using platform = await openKeys();
  for (const cut of [64, 12]) {
    const { record } = await platform.keys.create("a");
    assertEquals(await platform.keys.revoke(record.id.slice(0, cut)), { kind: "revoked", record });
  }
  const { key, record } = await platform.keys.create("b");
  assertEquals(await platform.keys.revoke(key), { kind: "revoked", record });
  assertEquals(await platform.keys.list(), []);
});

Deno.test("keys.revoke() revokes nothing when the prefix is ambiguous", async () => {
  using platform = await openKeys();
  await platform.keys.create("a");
  assertEquals(await platform.keys.revoke(""), { kind: "unknown" });
  assertEquals(await platform.keys.revoke("no such id"), { kind: "unknown" });
  await platform.kv.set(["key", "77a"], { label: "b", createdAt: "" });
  await platform.kv.set(["key", "77b"], { label: "c", createdAt: "" });
  const revocation = await platform.keys.revoke("77");
  assertEquals(revocation.kind, "ambiguous");
  assertEquals((await platform.keys.list()).length, 3);
});

Deno.test("keyId() is the key's SHA-256", async () => {
  const expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assertEquals(await keyId("abc"), expected);
});
