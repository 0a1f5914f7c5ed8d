import { assertEquals } from "@std/assert";
import { addCounts, NONE_POPULAR, popularNames } from "../../src/rules/popularity.ts";
import { test } from "../support/on_kv.ts";

const DAY_MS = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 21);

function after(counts: Record<string, number>, before = NONE_POPULAR, now = NOW) {
  return addCounts(before, new Map(Object.entries(counts)), now);
}

function top(popularity: ReturnType<typeof after>, now = NOW, seeds: string[] = [], max = 100) {
  return popularNames(popularity, { now, seeds, max });
}

Deno.test("addCounts() adds to the scores and sorts by them, halves a score in a day, drops names without queries, and raises no score when a clock is set back", () => {
  const before = after({ old: 8 });
  assertEquals(after({ new: 3 }, before, NOW + DAY_MS).names, [["old", 4], ["new", 3]]);
  assertEquals(after({ new: 3 }, before, NOW + 2 * DAY_MS).names, [["new", 3], ["old", 2]]);
  const once = after({ old: 1 });
  assertEquals(after({}, once, NOW + 6 * DAY_MS).names.length, 1);
  assertEquals(after({}, once, NOW + 7 * DAY_MS).names, []);
  assertEquals(after({ least: 0.01, less: 0.0099 }).names, [["least", 0.01]]);
  assertEquals(after({}, before, NOW - DAY_MS), before);
  const both = after({ a: 3, b: 5 });
  assertEquals(both, { at: NOW, names: [["b", 5], ["a", 3]] });
  assertEquals(after({ a: 4, c: 1 }, both).names, [["a", 7], ["b", 5], ["c", 1]]);
});

test("addCounts() keeps the most popular names within one KV value at any name length", async (kv) => {
  const long = (n: number) => `${n}`.padStart(63, "x");
  const counts = Array.from({ length: 2_000 }, (_, n) => [long(n), n + 0.5]);
  const popularity = after(Object.fromEntries(counts));
  assertEquals(popularity.names.length, 500);
  assertEquals(popularity.names.at(0)?.[0], long(1_999));
  assertEquals(popularity.names.at(-1)?.[0], long(1_500));
  await kv.set(["popular", "domain"], popularity);
});

Deno.test("popularNames() returns names queried more than once, then seeds, without duplicates", () => {
  const popularity = after({ once: 1, often: 9, twice: 2, seed: 3 });
  assertEquals(top(popularity, NOW, ["seed", "other"]), ["often", "seed", "twice", "other"]);
  assertEquals(top(popularity, NOW, ["other"], 3), ["often", "seed", "other"]);
  assertEquals(top(popularity, NOW, ["one", "two", "three"], 2), ["one", "two"]);
  assertEquals(top(popularity, NOW + DAY_MS), ["often", "seed"]);
  assertEquals(top(NONE_POPULAR, NOW, ["seed"]), ["seed"]);
  assertEquals(NONE_POPULAR, { at: 0, names: [] });
});
