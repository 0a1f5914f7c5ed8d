import { assertEquals } from "@std/assert";
import type { CanaryRecord } from "../../src/rules/canary.ts";
import { createCanaryStore } from "../../src/store/canaries.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { onEachKv, openKvConnect } from "../support/on_each_kv.ts";
import { PASSED } from "../support/trusted_sources.ts";

const NOW = Date.UTC(2026, 10, 21);
const now = () => NOW;

function canariesOn(kv: Deno.Kv) {
  return createCanaryStore(guardKv(kv, { report() {}, monotonic: now }), { now });
}

function recordAt(minute: number): CanaryRecord {
  return {
    base: "https://rdap.example/",
    canary: PASSED,
    testedAt: new Date(NOW + minute * 60_000).toISOString(),
    expiresAt: NOW + 3_600_000,
  };
}

/** The later of two records, as processes keep it. */
function keepLatest(record: CanaryRecord) {
  return (kept: CanaryRecord | undefined) =>
    kept !== undefined && kept.testedAt > record.testedAt ? kept : record;
}

onEachKv("canaries.list() returns the records of all processes", async (kv, open) => {
  const [one, two] = [canariesOn(kv), canariesOn(await open.openAnother())];
  assertEquals(await two.list(), new Map());
  await one.change("com", () => recordAt(1));
  await two.change("org", () => recordAt(2));
  assertEquals(await one.list(), new Map([["com", recordAt(1)], ["org", recordAt(2)]]));
});

Deno.test("a pass of another version, without templates, counts as none", async () => {
  using kv = await Deno.openKv(":memory:");
  const canaries = canariesOn(kv);
  await kv.set(["canary", "com"], { ...recordAt(9), canary: { kind: "passed", wordings: [[]] } });
  assertEquals(await canaries.list(), new Map());
  assertEquals(await canaries.change("com", keepLatest(recordAt(1))), recordAt(1));
  assertEquals(await canaries.list(), new Map([["com", recordAt(1)]]));
});

onEachKv(
  "canaries.change() stores the latest record of simultaneous ones",
  async (kv, open) => {
    const [one, two] = [canariesOn(kv), canariesOn(await open.openAnother())];
    await Promise.all(
      [3, 1, 2].map((minute, n) =>
        (n === 1 ? one : two).change("com", keepLatest(recordAt(minute)))
      ),
    );
    assertEquals((await one.list())?.get("com"), recordAt(3));
  },
);

Deno.test("canaries.change() stores the record when the answer of its commit is lost", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const canaries = canariesOn(open.kv);
  open.server.fail("write", { kind: "apply_then_drop" }, 1);
  assertEquals(await canaries.change("com", keepLatest(recordAt(1))), recordAt(1));
  assertEquals((await canaries.list())?.get("com"), recordAt(1));
});
