import { assertEquals } from "@std/assert";
import { createSharedHosts } from "../../src/store/shared_hosts.ts";
import { changedKv } from "../support/changed_kv.ts";
import { guarded, test } from "../support/on_kv.ts";

const START = Date.UTC(2026, 10, 26);

/** What a process shares on a KV, by clocks that the test sets. */
function openShared(kv: Deno.Kv, guard = guarded(kv)) {
  const clock = { wall: START, monotonic: 0 };
  const shared = createSharedHosts(guard, {
    now: () => clock.wall,
    monotonic: () => clock.monotonic,
  });
  return { ...shared, clock, settled: guard.settled };
}

test("spend() of two processes loses no change, even when they coincide", async (kv) => {
  const both = [openShared(kv), openShared(kv)];
  const spendOne = (n: number) => both[n % 2]!.spend("a", ([spent = 0] = []) => [spent + 1]);
  await Promise.all(Array.from({ length: 12 }, (_, n) => spendOne(n)));
  let last: readonly number[] = [];
  await both[0]!.spend("a", (spent = []) => last = spent);
  assertEquals(last, [12]);
  for (const { settled } of both) await settled();
});

test("spend() tries the changes of a commit that has conflicted again together, then each as an operation of its own", async (kv) => {
  const other = openShared(kv);
  const spendOne = ([spent = 0]: readonly number[] = []) => [spent + 1];
  let operations = 0;
  const getMany = async (keys: Deno.KvKey[]) => {
    const found = await kv.getMany(keys);
    await other.spend("a", spendOne);
    return found;
  };
  const meddled = changedKv(kv, (name) => {
    if (name === "getMany" && operations === 5) return getMany;
  });
  const guard = guarded(meddled);
  const attempt: typeof guard.attempt = (operation) => {
    operations++;
    return guard.attempt(operation);
  };
  const one = openShared(kv, { ...guard, attempt });
  for (const { spend } of [one, other, one]) assertEquals(await spend("a", spendOne), true);
  assertEquals((await kv.get(["host", "a"])).value, [3]);
  assertEquals(operations, 3);
  await other.spend("a", spendOne);
  await Promise.all(["a", "b"].map((host) => one.spend(host, spendOne)));
  const found = await kv.getMany([["host", "a"], ["host", "b"]]);
  assertEquals(found.map(({ value }) => value), [[6], [1]]);
  assertEquals(operations, 7);
  for (const { settled } of [one, other]) await settled();
});

test("stateOf() is known to others within 3 seconds, and no time becomes shorter", async (kv) => {
  const [one, other] = [openShared(kv), openShared(kv)];
  assertEquals(await other.stateOf("a"), undefined);
  const slowed = { fault: "limited", pauseMs: 60_000, slowMs: 3_600_000 } as const;
  await one.note("a", slowed);
  await one.note("a", { fault: "down", pauseMs: 5_000, slowMs: 0 });
  await one.note("b", { fault: "down", pauseMs: 30_000, slowMs: 0 });
  other.clock.monotonic += 3_000;
  assertEquals(await other.stateOf("a"), slowed);
  assertEquals(await other.stateOf("b"), { fault: "down", pauseMs: 30_000, slowMs: 0 });
  other.clock.wall += 60_000;
  assertEquals(await other.stateOf("a"), { fault: "limited", pauseMs: 0, slowMs: 3_540_000 });
  assertEquals(await other.stateOf("b"), undefined);
  for (const { settled } of [one, other]) await settled();
});

Deno.test("stateOf() ignores what was noted before the clock was set back", async () => {
  for (const backMs of [600_000, 86_400_000]) {
    using kv = await Deno.openKv(":memory:");
    const one = openShared(kv);
    await one.note("a", { fault: "limited", pauseMs: 60_000, slowMs: 3_600_000 });
    await one.note("b", { fault: "limited", pauseMs: 0, slowMs: 3_600_000 });
    one.clock.wall -= backMs;
    for (const host of ["a", "b"]) assertEquals(await one.stateOf(host), undefined);
    await one.note("a", { fault: "down", pauseMs: 5_000, slowMs: 0 });
    assertEquals(await one.stateOf("a"), { fault: "down", pauseMs: 5_000, slowMs: 0 });
    await one.settled();
  }
});

test("spend() takes a value of another form for none", async (kv) => {
  const { settled, spend } = openShared(kv);
  for (const [host, value] of [["a", NaN], ["b", "1"]] as const) {
    await kv.set(["host", host], [value]);
    const stored: unknown[] = [];
    assertEquals(await spend(host, (spent) => (stored.push(spent), [1])), true);
    assertEquals(stored, [undefined]);
  }
  await settled();
});

test("spend() is false, and changes nothing, where KV fails", async (kv) => {
  const failing = { ...guarded(kv), attempt: () => Promise.resolve(undefined) };
  const shared = createSharedHosts(failing, { now: () => START, monotonic: () => 0 });
  assertEquals(await shared.spend("a", () => [1]), false);
  assertEquals(await shared.stateOf("a"), undefined);
});
