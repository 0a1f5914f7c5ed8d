import { assertEquals } from "@std/assert";
import { createEnsAnswers } from "../../src/store/ens_answers.ts";
import { failingKv } from "../support/changed_kv.ts";
import { meteredKv } from "../support/metered_kv.ts";
import { guarded, test } from "../support/on_kv.ts";

const NOW = Date.UTC(2026, 10, 21);

function answersOn(kv: Deno.Kv) {
  return createEnsAnswers<ReturnType<typeof keptOf>["value"]>(guarded(kv), {
    kind: "check",
    now: () => NOW,
  });
}

/** A finding as it is kept: asked for so many ms after the present, for five minutes. */
function keptOf(atMs = 0, available = true) {
  const askedAt = NOW + atMs;
  const checkedAt = new Date(askedAt).toISOString();
  const value = { available, sources: ["dns", "rdap"], checkedAt };
  return { value, askedAt, expiresAt: askedAt + 300_000 };
}

test("ensAnswers.set() stores and returns what was asked later, for all processes", async (kv) => {
  const [one, two] = [answersOn(kv), answersOn(kv)];
  assertEquals(await two.get("a"), undefined);
  await kv.set(["ens", "check", "a"], { available: true });
  assertEquals(await two.get("a"), undefined, "without an expiry");
  await one.set("a", keptOf());
  assertEquals(await two.get("a"), keptOf());
  const newer = keptOf(5_000, false);
  assertEquals(await two.set("a", newer), newer);
  assertEquals(await one.set("a", keptOf()), newer);
  assertEquals(await one.get("a"), newer);
  await Promise.all([8, 6, 9, 7].map((s, n) => [one, two][n % 2]!.set("a", keptOf(s * 1_000))));
  assertEquals(await one.get("a"), keptOf(9_000), "the latest of simultaneous values");
  const future = keptOf(3_600_000);
  await kv.set(["ens", "check", "a"], { ...future.value, expiresAt: future.expiresAt });
  const last = keptOf(10_000);
  assertEquals(await one.set("a", last), last, "the time of a clock that was wrong gives way");
});

test("ensAnswers.get() costs a read unit, set() one of each, and values expire", async (real) => {
  const { kv, units, lifetimes } = meteredKv(real);
  const answers = answersOn(kv);
  await answers.set("a", keptOf());
  await answers.get("a");
  assertEquals([units, lifetimes], [{ read: 2, write: 1 }, [300_000]]);
});

test("ensAnswers.get() and set() work without a KV that fails", async (kv) => {
  let fails = true;
  const answers = answersOn(failingKv(kv, "get", () => fails));
  assertEquals(await answers.set("a", keptOf()), keptOf());
  assertEquals(await answers.get("a"), undefined);
  fails = false;
  await answers.set("a", keptOf());
  assertEquals(await answers.get("a"), keptOf());
});
