import { assertEquals } from "@std/assert";
import { createCanaryRecords } from "../../src/lookup/canary_records.ts";
import type { Canary } from "../../src/rules/answer.ts";
import type { CanaryRecord } from "../../src/rules/canary.ts";

const COM = { tld: "com", rdapBase: "https://a.example/" };
const PASSED: Canary = { kind: "passed" };
const FAILED: Canary = { kind: "failed", why: "it lies" };

/** A store that counts its reads and can be out of reach. */
function createStore() {
  const kept = new Map<string, CanaryRecord>();
  const store = {
    works: true,
    lists: 0,
    list: () => Promise.resolve((store.lists++, store.works ? new Map(kept) : undefined)),
    set: (tld: string, record: CanaryRecord) =>
      Promise.resolve(store.works && kept.set(tld, record) !== undefined),
  };
  return store;
}

Deno.test("inForce() reads what others noted twice a minute at most, whatever their clocks say", async () => {
  const store = createStore();
  let now = 1e12;
  const one = createCanaryRecords({ store, now: () => now });
  const behind = createCanaryRecords({ store, now: () => now - 3_600_000 });
  await one.note(COM, PASSED);
  for (let asked = 0; asked < 9; asked++) assertEquals(await one.inForce(COM), PASSED);
  await behind.note(COM, FAILED);
  now += 29_999;
  assertEquals([await one.inForce(COM), store.lists], [PASSED, 1]);
  now += 1;
  const asked = [one.inForce(COM), one.inForce(COM)];
  assertEquals([await Promise.all(asked), store.lists], [[undefined, undefined], 2]);
  assertEquals(one.failing(), ["com"], "no longer in force by this clock, and failed all the same");
});

Deno.test("what could not be written is believed here, and written once the store is back", async () => {
  const store = createStore();
  let now = 1e12;
  const one = createCanaryRecords({ store, now: () => now });
  const two = createCanaryRecords({ store, now: () => now });
  await one.note(COM, PASSED);
  store.works = false;
  await one.note(COM, FAILED);
  store.works = true;
  assertEquals(await two.inForce(COM), PASSED);
  now += 30_000;
  assertEquals(await one.inForce(COM), FAILED);
  now += 30_000;
  assertEquals(await two.inForce(COM), FAILED);
});

Deno.test("a store that is out of reach is not asked again at once", async () => {
  const store = createStore();
  store.works = false;
  const records = createCanaryRecords({ store, now: () => 1e12 });
  for (let asked = 0; asked < 9; asked++) await records.refresh();
  assertEquals(store.lists, 1);
  assertEquals(records.believes("com", new Date(1e12).toISOString()), true);
});
