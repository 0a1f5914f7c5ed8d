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
  const hasHeard = () => true;
  const two = createCanaryRecords({ store, hasHeard, now: () => now, monotonic: () => now });
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

/** A store with a pass from before, two processes that have read it, and a clock. */
async function openStore() {
  const store = createStore();
  const clock = { ms: 1e12 };
  const now = () => clock.ms;
  const open = (options: { hasHeard?: () => boolean; believedMs?: number } = {}) =>
    createCanaryRecords({ store: store.link(), ...options, now, monotonic: now });
  const iso = (atMs = 0) => new Date(clock.ms + atMs).toISOString();
  const lose = store.copy();
  await open().note(COM, PASSED);
  clock.ms += 600_000;
  const hasHeard = () => true;
  const [one, two] = [open({ hasHeard }), open({ hasHeard })];
  for (const records of [one, two]) assertEquals(await records.inForce(COM), PASSED);
  return { store, clock, open, iso, one, two, lose };
}

Deno.test("inForce() keeps a failure, and writes it again, when KV is set back to the pass before it", async () => {
  for (const writes of [0, 5]) {
    const { store, clock, iso, one, two } = await openStore();
    const restore = store.copy();
    await one.note(COM, FAILED);
    clock.ms += 3_000;
    assertEquals(await two.inForce(COM), FAILED);
    // The version may have grown since by writes of others: then what is missing shows it.
    restore(writes);
    clock.ms += 3_000;
    assertEquals(two.believes(iso()), true);
    assertEquals(await two.inForce(COM), FAILED);
    assertEquals(store.kept().get("com")?.canary, FAILED);
    assertEquals([two.believes(iso(30_000)), two.believes(iso(30_001))], [false, true]);
    assertEquals(await one.inForce(COM), FAILED);
  }
});

Deno.test("inForce() takes over a failure of a process whose clock is an hour behind", async () => {
  const { store, clock, one } = await openStore();
  const behind = createCanaryRecords({
    store: store.link(),
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

Deno.test("believes() is true when a test of this process ends while the results are being read", async () => {
  const { store, clock, iso, two } = await openStore();
  const listed = Promise.withResolvers<void>();
  let testing = () => Promise.resolve();
  let noting = Promise.resolve();
  const writer = createCanaryRecords({
    store: {
      list: store.list,
      version() {
        noting = testing();
        return store.version();
      },
      async change(tld, next) {
        await listed.promise;
        return await store.change(tld, next);
      },
    },
    hasHeard: () => true,
    now: () => clock.ms,
    monotonic: () => clock.ms,
  });
  await writer.refresh();
  clock.ms += 3_600_000;
  await two.note({ ...COM, tld: "net" }, PASSED);
  testing = () => writer.note(COM, PASSED);
  await writer.refresh();
  listed.resolve();
  await noting;
  assertEquals(writer.believes(iso()), true);
});

Deno.test("inForce() returns a pass after a failure again when KV is set back to the failure", async () => {
  const { store, clock, one } = await openStore();
  await one.note(COM, FAILED);
  const restore = store.copy();
  clock.ms += 60_000;
  await one.note(COM, PASSED);
  await one.refresh();
  restore();
  clock.ms += 3_000;
  assertEquals(await one.inForce(COM), PASSED);
  assertEquals(store.kept().get("com")?.canary, PASSED);
});

Deno.test("inForce() keeps a failure when KV is set back to a pass of less than 30 s before it", async () => {
  const { store, clock, one, two } = await openStore();
  await two.note(COM, PASSED);
  clock.ms += 3_000;
  await one.refresh();
  const restore = store.copy();
  await one.note(COM, FAILED);
  restore(5);
  clock.ms += 3_000;
  assertEquals(await one.inForce(COM), FAILED);
  assertEquals(store.kept().get("com")?.canary, FAILED);
});

Deno.test("inForce() writes its results again when KV has lost everything", async () => {
  const { store, clock, iso, one, lose } = await openStore();
  await one.note(COM, FAILED);
  lose();
  clock.ms += 3_000;
  assertEquals(await one.inForce(COM), FAILED);
  assertEquals(store.kept().get("com")?.canary, FAILED);
  assertEquals(one.believes(iso()), false);
});

Deno.test("believes() is false for what KV had before it was found to be set back, though nothing is missing", async () => {
  const { store, clock, iso, one } = await openStore();
  const restore = store.copy();
  restore(-1);
  assertEquals(one.believes(iso()), true);
  clock.ms += 3_000;
  await one.refresh();
  assertEquals([one.believes(iso(30_000)), one.believes(iso(30_001))], [false, true]);
  assertEquals(store.kept().get("com")?.canary, PASSED);
});

Deno.test("inForce() returns no pass of KV until another process was heard, but each failure", async () => {
  const { clock, open, one } = await openStore();
  let isHeard = false;
  const fresh = open({ hasHeard: () => isHeard });
  assertEquals([await fresh.inForce(COM), await fresh.lastResult(COM)], [undefined, PASSED]);
  isHeard = true;
  assertEquals(await fresh.inForce(COM), PASSED);
  await one.note(COM, FAILED);
  clock.ms += 3_000;
  isHeard = false;
  assertEquals(await fresh.inForce(COM), FAILED);
  assertEquals(await open().inForce(COM), FAILED);
});

Deno.test("inForce() returns a pass of KV after a test of this process, and one that another made after the start", async () => {
  const { clock, open, one } = await openStore();
  const [tester, waiter] = [open(), open()];
  await tester.note(COM, { kind: "doubted", why: "denied once" });
  assertEquals((await tester.inForce(COM))?.kind, "doubted", "the test goes on");
  await tester.note(COM, PASSED);
  assertEquals((await tester.inForce(COM))?.kind, "passed");
  clock.ms += 3_000;
  assertEquals(await waiter.inForce(COM), undefined);
  clock.ms += 30_000;
  await one.note(COM, PASSED);
  clock.ms += 3_000;
  assertEquals((await waiter.inForce(COM))?.kind, "passed");
});

Deno.test("inForce() returns a pass of KV that is younger than what a command believes", async () => {
  const { open, iso } = await openStore();
  assertEquals(await open({ believedMs: 660_000 }).inForce(COM), PASSED);
  assertEquals(await open({ believedMs: 600_000 }).inForce(COM), undefined);
  const command = open({ believedMs: 60_000 });
  assertEquals([command.believes(iso(-30_000)), command.believes(iso(-29_999))], [false, true]);
});
