import { assertEquals } from "@std/assert";
import { createCanaryRecords } from "../../src/lookup/canary_records.ts";
import type { Canary } from "../../src/rules/answer.ts";
import type { CanaryRecord } from "../../src/rules/canary.ts";
import { PASSED } from "../support/trusted_sources.ts";

const COM = { tld: "com", rdapBase: "https://a.example/" };
const FAILED: Canary = { kind: "failed", why: "it lies" };

/** A store that counts its reads; it can be made to fail for a process, and set back for all. */
function createStore() {
  let kept = new Map<string, CanaryRecord>();
  let version = 10;
  const link = () => {
    const store = {
      works: true,
      versions: 0,
      lists: 0,
      version: () =>
        Promise.resolve((store.versions++, store.works ? `version ${version}` : undefined)),
      list: () => Promise.resolve((store.lists++, store.works ? new Map(kept) : undefined)),
      change(tld: string, next: (kept?: CanaryRecord) => CanaryRecord) {
        if (store.works) kept.set(tld, next(kept.get(tld)));
        if (store.works) version++;
        return Promise.resolve(store.works ? kept.get(tld) : undefined);
      },
    };
    return store;
  };
  return Object.assign(link(), {
    link,
    kept: () => kept,
    /** Returns what puts the present content in place of a later one; `writes`: how many changes have followed it. */
    copy() {
      const copy = { kept: new Map(kept), version };
      return (writes = 0) => {
        kept = new Map(copy.kept);
        version = copy.version + writes;
      };
    },
  });
}

Deno.test("inForce() reads the version every three seconds, and the list only when the version has changed", async () => {
  const store = createStore();
  let now = 1e12;
  const one = createCanaryRecords({ store, now: () => now, monotonic: () => now });
  const other = createCanaryRecords({ store: store.link(), now: () => now, monotonic: () => now });
  await one.note(COM, PASSED);
  for (let asked = 0; asked < 9; asked++) assertEquals(await one.inForce(COM), PASSED);
  assertEquals([store.versions, store.lists], [1, 1]);
  now += 3_000;
  await one.inForce(COM);
  assertEquals([store.versions, store.lists], [2, 1], "nothing is new");
  await other.note(COM, FAILED);
  now += 2_999;
  assertEquals(await one.inForce(COM), PASSED);
  now += 1;
  const asked = [one.inForce(COM), one.inForce(COM)];
  assertEquals(await Promise.all(asked), [FAILED, FAILED]);
  assertEquals([store.versions, store.lists], [3, 2]);
  assertEquals(one.failing(), ["com"]);
});

Deno.test("isFresh() starts a background read before the copy gets too old", async () => {
  const store = createStore();
  let now = 1e12;
  const records = createCanaryRecords({ store, now: () => now, monotonic: () => now });
  await records.refresh();
  now += 1_499;
  assertEquals([records.isFresh(), store.versions], [true, 1]);
  now += 1;
  assertEquals([records.isFresh(), store.versions], [true, 2]);
  await new Promise((resolve) => setTimeout(resolve));
  now += 2_000;
  assertEquals(records.isFresh(), true, "the read in the background counts");
});

Deno.test("inForce() reads other processes' results also after the wall clock is set back", async () => {
  const store = createStore();
  let now = 1e12;
  let waited = 0;
  const clocks = { now: () => now, monotonic: () => waited };
  const one = createCanaryRecords({ store, ...clocks });
  await one.note(COM, PASSED);
  assertEquals(await one.inForce(COM), PASSED);
  await createCanaryRecords({ store: store.link(), ...clocks }).note(COM, FAILED);
  now -= 3_600_000;
  waited += 3_000;
  assertEquals(await one.inForce(COM), FAILED);
});

Deno.test("note() uses a result that KV did not take, and writes it when KV works again", async () => {
  const store = createStore();
  let now = 1e12;
  const one = createCanaryRecords({ store, now: () => now, monotonic: () => now });
  const two = createCanaryRecords({ store, now: () => now, monotonic: () => now });
  await one.note(COM, PASSED);
  store.works = false;
  now += 1_000;
  await one.note(COM, FAILED);
  store.works = true;
  assertEquals(await two.inForce(COM), PASSED);
  now += 30_000;
  assertEquals(await one.inForce(COM), FAILED);
  now += 30_000;
  assertEquals(await two.inForce(COM), FAILED);
});

Deno.test("a failing store is not asked again within three seconds", async () => {
  const store = createStore();
  store.works = false;
  const records = createCanaryRecords({ store, now: () => 1e12, monotonic: () => 1e12 });
  for (let asked = 0; asked < 9; asked++) await records.refresh();
  assertEquals(store.versions, 1);
  assertEquals(records.trusts("com", new Date(1e12).toISOString()), true);
});

Deno.test("note() does not overwrite another process's failure time with a pass", async () => {
  const store = createStore();
  let now = 1e12;
  const records = () => createCanaryRecords({ store, now: () => now, monotonic: () => now });
  const idle = records();
  await idle.refresh();
  const one = records();
  await one.note(COM, FAILED);
  const denied = new Date(now - 1).toISOString();
  for (const later of [idle, records()]) {
    now += 1_000;
    await later.note(COM, PASSED);
    assertEquals([await later.inForce(COM), later.trusts("com", denied)], [PASSED, false]);
  }
  now += 30_000;
  assertEquals([await one.inForce(COM), one.trusts("com", denied)], [PASSED, false]);
});

Deno.test("a late write of an old pass does not undo a newer failure", async () => {
  const store = createStore();
  let now = 1e12;
  const [lonely, link] = [store.link(), store.link()];
  const one = createCanaryRecords({ store: lonely, now: () => now, monotonic: () => now });
  const two = createCanaryRecords({ store: link, now: () => now, monotonic: () => now });
  lonely.works = false;
  await one.note(COM, PASSED);
  lonely.works = true;
  now += 10 * 60_000;
  await two.note(COM, FAILED);
  now += 30_000;
  assertEquals(await one.inForce(COM), FAILED);
  now += 30_000;
  assertEquals([await one.inForce(COM), await two.inForce(COM)], [FAILED, FAILED]);
});

Deno.test("a late write of an old failure is merged into the newer pass", async () => {
  const store = createStore();
  let now = 1e12;
  const [lonely, link] = [store.link(), store.link()];
  const one = createCanaryRecords({ store: lonely, now: () => now, monotonic: () => now });
  const two = createCanaryRecords({ store: link, now: () => now, monotonic: () => now });
  lonely.works = false;
  const denied = new Date(now - 1).toISOString();
  await one.note(COM, FAILED);
  lonely.works = true;
  now += 40_000;
  await two.note(COM, PASSED);
  now += 10_000;
  for (const records of [one, two]) {
    assertEquals(await records.inForce(COM), PASSED);
    assertEquals(records.trusts("com", denied), false);
    now += 30_000;
  }
});

Deno.test("a list read that started before a new result does not undo that result", async () => {
  const row = { tld: "com", rdapBase: "https://registry.example/" };
  const listed = Promise.withResolvers<void>();
  const kept = new Map<string, CanaryRecord>([["com", {
    base: row.rdapBase,
    canary: PASSED,
    testedAt: "2026-01-01T00:00:00.000Z",
    expiresAt: 2e12,
  }]]);
  const records = createCanaryRecords({
    store: {
      version: () => Promise.resolve("a version"),
      async list() {
        const found = new Map(kept);
        await listed.promise;
        return found;
      },
      change(tld, next) {
        const record = next(kept.get(tld));
        kept.set(tld, record);
        return Promise.resolve(record);
      },
    },
    now: () => 1.9e12,
    monotonic: () => 1.9e12,
  });
  const reading = records.refresh();
  await records.note(row, { kind: "failed", why: "it lies" });
  listed.resolve();
  await reading;
  assertEquals((await records.inForce(row))?.kind, "failed");
});

Deno.test("inForce() takes over a failure of a process whose clock is an hour behind", async () => {
  const store = createStore();
  const clock = { ms: 1e12 };
  const now = () => clock.ms;
  const one = createCanaryRecords({ store, now, monotonic: now });
  await one.note(COM, PASSED);
  clock.ms += 600_000;
  const behind = createCanaryRecords({
    store,
    now: () => clock.ms - 3_590_000,
    monotonic: () => clock.ms,
  });
  await behind.note(COM, FAILED);
  clock.ms += 3_000;
  assertEquals(await one.inForce(COM), FAILED);
  clock.ms += 3_000;
  await one.refresh();
  assertEquals(store.kept().get("com")?.canary, FAILED);
});
