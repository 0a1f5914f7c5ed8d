import { assertEquals } from "@std/assert";
import type { CacheEntry } from "../../src/flow/cache/cached.ts";
import { createEnsAnswers } from "../../src/store/ens_answers.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { onEachKv, openKvConnect } from "../support/on_each_kv.ts";

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

onEachKv("answers.get() returns what another process set, with its expiry", async (kv, open) => {
  const [one, two] = [answersOn(kv), answersOn(await open.openAnother())];
  assertEquals(await two.get("a"), undefined);
  await one.set("a", keptOf(NOW));
  assertEquals(await two.get("a"), keptOf(NOW));
  await two.set("a", keptOf(NOW + 1, false));
  assertEquals((await one.get("a"))?.value.available, false);
});

onEachKv("answers.set() stores and returns what was asked for later", async (kv, open) => {
  const [one, two] = [answersOn(kv), answersOn(await open.openAnother())];
  const newer = keptOf(NOW + 5_000, false);
  assertEquals(await two.set("a", newer), newer);
  assertEquals(await one.set("a", keptOf(NOW)), newer);
  assertEquals(await two.get("a"), newer);
  const future = keptOf(NOW + 3_600_000);
  await kv.set(["domain", "com", "a"], { ...future.value, expiresAt: future.expiresAt });
  assertEquals(await one.set("a", newer), newer, "the time of a clock that was wrong gives way");
});

onEachKv(
  "answers.set() stores the latest of simultaneous values",
  async (kv, open) => {
    const processes = [answersOn(kv), answersOn(await open.openAnother())];
    const seconds = [3, 1, 4, 2];
    await Promise.all(
      seconds.map((second, place) => processes[place % 2]?.set("a", keptOf(NOW + second * 1_000))),
    );
    assertEquals((await processes[0]?.get("a"))?.askedAt, NOW + 4_000);
  },
);

onEachKv("answers.get() treats a value without an expiry as a miss", async (kv) => {
  await kv.set(["domain", "com", "a"], { available: true });
  assertEquals(await answersOn(kv).get("a"), undefined);
});

Deno.test("answers.set() has KV delete the value once it has expired", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const before = Date.now();
  await answersOn(open.kv).set("a", keptOf(NOW));
  const [mutation] = open.server.commits.flatMap(({ mutations }) => mutations);
  const lifetimeMs = (mutation?.expireAtMs ?? 0) - before;
  assertEquals(lifetimeMs >= 300_000 && lifetimeMs <= 300_000 + Date.now() - before, true);
});

Deno.test("answers.get() costs a read unit, answers.set() a write unit, and a read unit unless get() came before", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const answers = answersOn(open.kv);
  open.server.reset();
  await answers.set("a", keptOf(NOW));
  await answers.get("a");
  await answers.get("b");
  const { readUnits, writeUnits, requests } = open.server.readings();
  assertEquals([readUnits, writeUnits, requests.read, requests.write], [3, 1, 3, 1]);
  open.server.reset();
  await answers.set("b", keptOf(NOW));
  const after = open.server.readings();
  assertEquals([after.readUnits, after.writeUnits], [0, 1]);
});

Deno.test("answers.get() and set() work without a KV that fails, and report it once", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const events: string[] = [];
  const guarded = guardKv(open.kv, { report: (event) => void events.push(event), monotonic: now });
  const answers = createEnsAnswers<Finding>(guarded, { keyOf: (name) => ["domain", name], now });
  open.server.fail("read", { kind: "status", status: 429 });
  open.server.fail("write", { kind: "status", status: 429 });
  await answers.set("a", keptOf(NOW));
  assertEquals(await answers.get("a"), undefined);
  open.server.recover();
  await answers.set("a", keptOf(NOW));
  assertEquals((await answers.get("a"))?.value, FREE);
  assertEquals(events, ["kv.failing", "kv.working"]);
  await guarded.settled();
});
