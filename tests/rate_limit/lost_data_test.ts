import { assert, assertEquals } from "@std/assert";
import { createRateLimiter, type RateLimiter } from "../../src/rate_limit/limiter.ts";
import { createModelKv, type Fate } from "./model_kv.ts";
import { createVirtualTime } from "./virtual_time.ts";

const START = 1_700_000_000_000;
const LIMIT = 60;
/** So late after an outage, limiters have found out that KV is back, and no longer admit by shares. */
const RECOVERY_MS = 7_000;

/** A limiter in virtual time. */
interface Process {
  readonly limiter: RateLimiter;
  /** Makes claims one after the other, and gives how many were admitted within a second. */
  take(count: number, claim?: { key?: string; cost?: number }): Promise<number>;
  kill(): void;
  isKilled: boolean;
}

/** Four limiters on one KV in virtual time; it can be out of reach, and lose its data. */
function startFour() {
  const time = createVirtualTime();
  const kv = createModelKv(time);
  let fate: Fate = "works";
  let keysRead = 0;

  function startOne(): Process {
    const way = { isKilled: false, tripMs: () => 1, fate: () => fate };
    const { getMany, atomic } = kv.reach(way);
    const limiter = createRateLimiter({
      kv: {
        getMany(keys, options) {
          keysRead += keys.length;
          return getMany(keys, options);
        },
        atomic,
      },
      now: () => START + Math.floor(time.now),
      monotonic: () => time.now,
      startAlarm: (ring, ms) => time.startAlarm(() => way.isKilled || ring(), ms),
      report() {},
      processes: () => 4,
    });
    return {
      limiter,
      async take(count, { key = "client", cost = 1 } = {}) {
        let admitted = 0;
        const claimAll = async () => {
          for (let n = 0; n < count; n++) {
            if ((await limiter.admit(key, LIMIT, cost)).kind === "admitted") admitted++;
          }
        };
        void claimAll();
        await time.runUntil(time.now + 1_000);
        return admitted;
      },
      kill: () => void (way.isKilled = true),
      get isKilled() {
        return way.isKilled;
      },
    };
  }

  const all = [startOne(), startOne(), startOne(), startOne()] as const;

  /** Has KV fail until each limiter has noticed by a claim, by default of a client of its own, and lose its data. */
  async function loseData(claim: { key?: string; cost?: number } = {}): Promise<void> {
    const alive = all.filter(({ isKilled }) => !isKilled);
    fate = "errs";
    alive.forEach(({ limiter }, n) => {
      void limiter.admit(claim.key ?? `client of ${n}`, LIMIT, claim.cost);
    });
    await time.runUntil(time.now + 500);
    assert(alive.every(({ limiter }) => limiter.isOnFallback()));
    kv.lose();
    keysRead = 0;
    fate = "works";
    await time.runUntil(time.now + RECOVERY_MS);
    assert(alive.every(({ limiter }) => !limiter.isOnFallback()));
  }

  return { all, kv, loseData, keysRead: () => keysRead };
}

Deno.test("a limiter writes again what KV has lost, without a claim", async () => {
  const { all: [one, two, three], loseData } = startFour();
  assertEquals([await one.take(10), await two.take(10), await three.take(20)], [10, 10, 20]);
  await loseData();
  assertEquals(await one.take(30) + await two.take(30), 20);
});

Deno.test("a limiter counts the slots of a killed process that no other process knows", async () => {
  // All write the entry again at the same time: in one of the rounds, the one that knows is not the first.
  for (const knower of [0, 1, 2]) {
    const { all, loseData } = startFour();
    const [one, two, three, killed] = all;
    const alive = [one, two, three];
    for (const { take } of alive) assertEquals(await take(5), 5);
    assertEquals(await killed.take(1, { cost: 15 }), 1);
    // More than it has in reserve, so that it reads KV.
    assertEquals(await alive[knower]?.take(1, { cost: 10 }), 1);
    killed.kill();
    await loseData();
    let admitted = 0;
    for (const { take } of alive) admitted += await take(30);
    assertEquals(admitted, LIMIT - 3 * 5 - 15 - 10, `known to ${knower}`);
  }
});

Deno.test("a limiter does not admit by a reservation that KV has lost", async () => {
  const { all: [one, two, three], loseData } = startFour();
  assertEquals([await three.take(20), await one.take(1), await two.take(1)], [20, 1, 1]);
  // More than once, so that the last commit reserved slots.
  assertEquals(await three.take(10), 10);
  await loseData();
  const rest = await one.take(60) + await two.take(60);
  assertEquals(rest + await three.take(10), 28);
});

Deno.test("a limiter that admitted nothing without KV finds that it has lost its data", async () => {
  const { all: [one, two, three], loseData } = startFour();
  assertEquals([await one.take(5), await two.take(5), await three.take(20)], [5, 5, 20]);
  // More than a share.
  await loseData({ key: "client", cost: 16 });
  assertEquals(await one.take(60) + await two.take(60), 30);
});

Deno.test("a limiter writes the slots of all its keys again, and reads few of them twice for that", async () => {
  const { all: [one], kv, loseData, keysRead } = startFour();
  const keys = Array.from({ length: 100 }, (_, n) => `client ${n}`);
  await Promise.all(keys.map((key) => one.take(1, { key })));
  await loseData();
  assertEquals(keys.filter((key) => !kv.data.has(key)), []);
  assert(keysRead() < 1.5 * keys.length, `${keysRead()} keys read`);
});
