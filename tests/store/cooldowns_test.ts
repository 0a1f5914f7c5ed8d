import { assertEquals } from "@std/assert";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createCooldowns } from "../../src/store/cooldowns.ts";
import { onEachKv, openKvConnect } from "../support/on_each_kv.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Cooldowns on a KV, under a clock that the test sets. */
function openCooldowns(kv: Deno.Kv, clock = { now: Date.UTC(2026, 10, 21) }) {
  const now = () => clock.now;
  const guarded = guardKv(kv, { report() {}, monotonic: now });
  const { pauseOf, set } = createCooldowns(guarded, { now, monotonic: now });
  return {
    pauseOf,
    leftMs: async (host: string) => (await pauseOf(host))?.leftMs ?? 0,
    set: (host: string, pauseMs: number) => set(host, "limited", pauseMs),
    setDown: (host: string, pauseMs: number) => set(host, "down", pauseMs),
    clock,
    [Symbol.asyncDispose]: () => guarded.settled(),
  };
}

onEachKv(
  "cooldowns.pauseOf() is what is left of the longest pause that any process has set",
  async (kv) => {
    await using cooldowns = openCooldowns(kv);
    assertEquals(await cooldowns.leftMs("rdap.example"), 0);
    await cooldowns.set("rdap.example", 30_000);
    await cooldowns.set("rdap.example", HOUR_MS);
    await cooldowns.set("rdap.example", MINUTE_MS);
    assertEquals(await cooldowns.leftMs("rdap.example"), HOUR_MS);
    cooldowns.clock.now += HOUR_MS - 1;
    assertEquals(await cooldowns.leftMs("rdap.example"), 1);
    cooldowns.clock.now += 1;
    assertEquals(await cooldowns.leftMs("rdap.example"), 0);
  },
);

onEachKv("cooldowns.pauseOf() and set() take words of Object.prototype as hosts", async (kv) => {
  const hosts = ["constructor", "toString", "__proto__"];
  await using cooldowns = openCooldowns(kv);
  for (const host of hosts) {
    assertEquals(await cooldowns.pauseOf(host), undefined, host);
    await cooldowns.set(host, MINUTE_MS);
  }
  await using other = openCooldowns(kv);
  for (const host of hosts) assertEquals(await other.leftMs(host), MINUTE_MS, host);
});

onEachKv(
  "cooldowns.set() keeps the longest of the pauses that are set at the same time",
  async (kv) => {
    await using cooldowns = openCooldowns(kv);
    const minutes = [9, 1, 8, 2];
    await Promise.all(minutes.map((one) => cooldowns.set("rdap.example", one * MINUTE_MS)));
    assertEquals(await cooldowns.leftMs("rdap.example"), 9 * MINUTE_MS);
  },
);

onEachKv(
  "cooldowns.pauseOf() ignores a pause that a clock set back would lengthen, and set() replaces it",
  async (kv) => {
    await using cooldowns = openCooldowns(kv);
    await cooldowns.set("rdap.example", MINUTE_MS);
    for (const backMs of [10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS]) {
      cooldowns.clock.now -= backMs;
      assertEquals(await cooldowns.leftMs("rdap.example"), 0, `${backMs}`);
    }
    await cooldowns.set("rdap.example", 5_000);
    assertEquals(await cooldowns.leftMs("rdap.example"), 5_000);
  },
);

onEachKv(
  "cooldowns.pauseOf() is no longer than the pause where the clocks of two processes differ",
  async (kv) => {
    await using cooldowns = openCooldowns(kv);
    await cooldowns.set("rdap.example", 30_000);
    cooldowns.clock.now -= 20_000;
    assertEquals(await cooldowns.leftMs("rdap.example"), 30_000);
  },
);

onEachKv(
  "cooldowns.pauseOf() knows after three seconds what another process has set",
  async (kv, open) => {
    await using one = openCooldowns(kv);
    await using two = openCooldowns(await open.openAnother(), one.clock);
    assertEquals(await two.leftMs("rdap.example"), 0);
    await one.set("rdap.example", MINUTE_MS);
    await one.set("other.example", MINUTE_MS);
    one.clock.now += 3_000;
    const left = MINUTE_MS - 3_000;
    assertEquals(await two.leftMs("rdap.example"), left);
    await two.set("third.example", MINUTE_MS);
    one.clock.now += 3_000;
    assertEquals(await one.leftMs("other.example"), left - 3_000);
    assertEquals(await one.leftMs("third.example"), left);
  },
);

Deno.test("cooldowns.pauseOf() reads once in three seconds for all hosts, and set() does not read", async () => {
  await using open = await openKvConnect({ roundTripMs: 40 });
  await using cooldowns = openCooldowns(open.kv);
  const hosts = Array.from({ length: 19 }, (_, n) => `rdap-${n}.example`);
  const unitsOf = async (work: () => Promise<unknown>) => {
    open.server.reset();
    await work();
    const { readUnits, writeUnits } = open.server.readings();
    return [readUnits, writeUnits];
  };
  const ask = () => Promise.all(hosts.map(cooldowns.leftMs));
  assertEquals(await unitsOf(ask), [1, 0]);
  assertEquals(await unitsOf(() => cooldowns.set("rdap-1.example", MINUTE_MS)), [0, 1]);
  cooldowns.clock.now += 2_999;
  assertEquals(await unitsOf(ask), [0, 0]);
  cooldowns.clock.now += 1;
  assertEquals(await unitsOf(ask), [1, 0]);
});

Deno.test("cooldowns.pauseOf() keeps what it knows while KV fails, and asks it once in three seconds", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  await using cooldowns = openCooldowns(open.kv);
  await cooldowns.set("rdap.example", MINUTE_MS);
  open.server.fail("read", { kind: "status", status: 429 });
  cooldowns.clock.now += 10_000;
  open.server.reset();
  assertEquals(await cooldowns.leftMs("rdap.example"), MINUTE_MS - 10_000);
  assertEquals(await cooldowns.leftMs("rdap.example"), MINUTE_MS - 10_000);
  assertEquals(open.server.readings().requests.read, 1);
});

onEachKv(
  "cooldowns.pauseOf() has the fault that another process has set",
  async (kv, open) => {
    await using one = openCooldowns(kv);
    await using two = openCooldowns(await open.openAnother(), one.clock);
    await one.setDown("rdap.example", MINUTE_MS);
    assertEquals(await two.pauseOf("rdap.example"), { fault: "down", leftMs: MINUTE_MS });
    assertEquals(await two.pauseOf("other.example"), undefined);
  },
);
