import { assertEquals } from "@std/assert";
import type { CacheEntry } from "../../src/flow/cache/cached.ts";
import { createEnsAnswers } from "../../src/store/ens_answers.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { failingKv } from "../support/changed_kv.ts";
import { meteredKv } from "../support/metered_kv.ts";
import { onKv } from "../support/on_kv.ts";

const NOW = Date.UTC(2026, 10, 21);
const now = () => NOW;

interface Finding {
  readonly available: boolean;
  readonly sources: readonly string[];
  readonly checkedAt: string;
}

function answersOn(kv: Deno.Kv) {
  const guarded = guardKv(kv, { report() {}, monotonic: now });
  const keyOf = (name: string) => ["domain", "com", name];
  return createEnsAnswers<Finding>(guarded, { keyOf, now });
}

const FREE: Finding = {
  available: true,
  sources: ["dns", "rdap"],
  checkedAt: new Date(NOW).toISOString(),
};

/** A finding as it is kept: asked for at `askedAt`, for five minutes. */
function keptOf(askedAt: number, available = true): CacheEntry<Finding> {
  const value = { ...FREE, available, checkedAt: new Date(askedAt).toISOString() };
  return { value, askedAt, expiresAt: askedAt + 300_000 };
}

onKv("answers.get() returns what another process set, with its expiry", async (kv) => {
  const [one, two] = [answersOn(kv), answersOn(kv)];
  assertEquals(await two.get("a"), undefined);
  await one.set("a", keptOf(NOW));
  assertEquals(await two.get("a"), keptOf(NOW));
  await two.set("a", keptOf(NOW + 1, false));
  assertEquals((await one.get("a"))?.value.available, false);
});

onKv("answers.set() stores and returns what was asked for later", async (kv) => {
  const [one, two] = [answersOn(kv), answersOn(kv)];
  const newer = keptOf(NOW + 5_000, false);
  assertEquals(await two.set("a", newer), newer);
  assertEquals(await one.set("a", keptOf(NOW)), newer);
  assertEquals(await two.get("a"), newer);
  const future = keptOf(NOW + 3_600_000);
  await kv.set(["domain", "com", "a"], { ...future.value, expiresAt: future.expiresAt });
  assertEquals(await one.set("a", newer), newer, "the time of a clock that was wrong gives way");
});

onKv(
  "answers.set() stores the latest of simultaneous values",
  async (kv) => {
    const processes = [answersOn(kv), answersOn(kv)];
    const seconds = [3, 1, 4, 2];
    await Promise.all(
      seconds.map((second, place) => processes[place % 2]?.set("a", keptOf(NOW + second * 1_000))),
    );
    assertEquals((await processes[0]?.get("a"))?.askedAt, NOW + 4_000);
  },
);

onKv("answers.get() treats a value without an expiry as a miss", async (kv) => {
  await kv.set(["domain", "com", "a"], { available: true });
  assertEquals(await answersOn(kv).get("a"), undefined);
});

onKv(
  "answers.get() costs a read unit, answers.set() a write unit, and a read unit unless get() came before, and KV deletes what has expired",
  async (real) => {
    const { kv, units, lifetimes, reset } = meteredKv(real);
    const answers = answersOn(kv);
    await answers.set("a", keptOf(NOW));
    await answers.get("a");
    await answers.get("b");
    assertEquals([units, lifetimes], [{ read: 3, write: 1 }, [300_000]]);
    reset();
    await answers.set("b", keptOf(NOW));
    assertEquals(units, { read: 0, write: 1 });
  },
);

onKv("answers.get() and set() work without a KV that fails, and report it once", async (kv) => {
  let fails = true;
  const events: string[] = [];
  const failing = failingKv(kv, "get", () => fails);
  const guarded = guardKv(failing, { report: (event) => void events.push(event), monotonic: now });
  const answers = createEnsAnswers<Finding>(guarded, { keyOf: (name) => ["domain", name], now });
  await answers.set("a", keptOf(NOW));
  assertEquals(await answers.get("a"), undefined);
  fails = false;
  await answers.set("a", keptOf(NOW));
  assertEquals((await answers.get("a"))?.value, FREE);
  assertEquals(events, ["kv.failing", "kv.working"]);
  await guarded.settled();
});
