import { assertEquals } from "@std/assert";
import type { Observation, Step } from "../../src/rules/watch_log.ts";
import {
  createPopularStore,
  createTestStores,
  createTldStore,
  createWatchLogs,
} from "../../src/store/records.ts";
import { guarded, test } from "../support/on_kv.ts";

function editionOf(day: number) {
  return {
    publication: `2026-11-0${day}T00:00:00Z`,
    refreshedAt: `2026-11-0${day}T04:23:00.000Z`,
    source: "https://iana.example/",
    bases: {},
  };
}

test("tldStore.set() does not replace a newer table", async (kv) => {
  let now = Date.parse("2026-11-03T00:00:00Z");
  const store = createTldStore(guarded(kv), { now: () => now });
  await store.set(editionOf(1));
  await store.set(editionOf(2));
  await store.set(editionOf(1));
  assertEquals(await store.get(), editionOf(2));
  // It was written by a clock that was set ahead.
  now = Date.parse("2026-11-01T12:00:00Z");
  await store.set(editionOf(1));
  assertEquals(await store.get(), editionOf(1));
});

test("popularStore counts from none when the value has another form", async (kv) => {
  const store = createPopularStore(guarded(kv), { now: () => NOW });
  const names = [["old", 9]];
  for (const value of ["text", { at: NOW }, { names }, { at: NOW, names: ["old", null] }]) {
    await kv.set(["popular", "ens"], value);
    assertEquals((await store.top("ens", 9)).includes("old"), false);
    assertEquals(await store.add("ens", new Map([["new", 3]])), true);
    assertEquals((await store.top("ens", 9))[0], "new");
  }
});

test("testStores and watchLogs take a value of another form for none, and for no failure of KV", async (kv) => {
  const guard = guarded(kv);
  const tests = createTestStores(guard).rdap;
  const logs = createWatchLogs(guard, { now: () => NOW });
  const result = { kind: "failed", why: "" } as const;
  const record = { server: "a", result, testedAt: 0, expiresAt: 0 };
  const passed = { kind: "passed", witness: "a", templates: [null] };
  // deno-fmt-ignore -- a table
  for (
    const value of [
      5, "text", null, { result: null, changes: null }, { changes: "text" },
      { ...record, expiresAt: undefined }, { ...record, result: { kind: "new" } }, { ...record, result: passed },
    ]
  ) {
    await kv.set(["test", "rdap", "com"], value);
    await kv.set(["watch", "a.com"], value);
    assertEquals(await tests.list(), new Map());
    assertEquals(await tests.change("com", (stored) => stored ?? record), record);
    assertEquals(await logs.listed(0), []);
    assertEquals(await logs.add("a.com", seen("registered"), UNREAD), { changes: [], readAt: 0 });
    assertEquals((await logs.add("a.com", seen("registered"), READ))?.changes.length, 1);
    assertEquals(guard.isFailing(), false, JSON.stringify(value));
  }
});

const NOW = Date.parse("2026-11-24T12:34:56Z");
const HOUR_MS = 3_600_000;
const MAX_LOGS = 2_000;
const READ = { isRead: true };
const UNREAD = { isRead: false };

const seen = (step: Step, at = NOW): Observation => ({ step, at, dates: {} });
const logsOn = (kv: Deno.Kv, now = () => NOW) => createWatchLogs(guarded(kv), { now });

test("watchLogs.add() has a change once, however many processes see it at once", async (kv) => {
  const logs = [logsOn(kv), logsOn(kv)];
  for (const [place, step] of (["registered", "redemption", "available"] as const).entries()) {
    const change = seen(step, NOW + place);
    await Promise.all(Array.from(Array(8), (_, n) => logs[n % 2]?.add("a.com", change, READ)));
  }
  const log = await logs[0]?.add("a.com", undefined, UNREAD);
  assertEquals(log?.changes.map(({ step, number }) => [step, number]), [
    ["registered", 0],
    ["redemption", 1],
    ["available", 2],
  ]);
});

test("watchLogs.add() begins logs for readers, and writes a reading in six hours", async (kv) => {
  let now = NOW;
  const logs = logsOn(kv, () => now);
  assertEquals(await logs.add("a.com", seen("registered"), UNREAD), { changes: [], readAt: 0 });
  assertEquals((await logs.add("free.com", seen("available"), READ))?.changes, []);
  assertEquals(await logs.listed(0), []);
  const first = await logs.add("a.com", seen("registered"), READ);
  assertEquals(first?.readAt, Math.floor(NOW / HOUR_MS) * HOUR_MS);
  const version = async () => (await kv.get(["watch", "a.com"])).versionstamp;
  const before = await version();
  now += 5 * HOUR_MS;
  await logs.add("a.com", seen("registered", now), READ);
  await logs.add("a.com", seen("registered", now), UNREAD);
  assertEquals(await version(), before);
  now += 2 * HOUR_MS;
  const later = await logs.add("a.com", seen("registered", now), READ);
  assertEquals(later?.readAt, Math.floor(now / HOUR_MS) * HOUR_MS);
});

test("watchLogs.listed() has names read since then, and deletes the newest logs", async (kv) => {
  for (let n = 0; n < MAX_LOGS + 3; n++) {
    const changes = [{ ...seen("registered", NOW + n), number: 0 }];
    await kv.set(["watch", `name-${n}.com`], { changes, readAt: n === 0 ? 0 : NOW + n });
  }
  const listed = await logsOn(kv).listed(1);
  assertEquals([listed.length, listed[0]], [MAX_LOGS - 1, `name-${MAX_LOGS - 1}.com`]);
  const left = await Array.fromAsync(kv.list({ prefix: ["watch"] }));
  assertEquals(left.length, MAX_LOGS);
  assertEquals(left.some(({ key }) => key[1] === `name-${MAX_LOGS}.com`), false);
});

Deno.test("watchLogs.add() and listed() have nothing where KV fails", async () => {
  const kv = await Deno.openKv(":memory:");
  kv.close();
  assertEquals(await logsOn(kv).add("a.com", seen("registered"), READ), undefined);
  assertEquals(await logsOn(kv).listed(0), []);
});
