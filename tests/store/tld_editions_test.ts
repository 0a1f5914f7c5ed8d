import { assertEquals } from "@std/assert";
import type { TldEdition } from "../../src/rules/readers/iana.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createTldStore } from "../../src/store/tld_editions.ts";
import { onKv } from "../support/on_kv.ts";

function editionOf(day: number): TldEdition {
  return {
    publication: `2026-11-0${day}T00:00:00Z`,
    refreshedAt: `2026-11-0${day}T04:23:00.000Z`,
    origin: "https://iana.example/ com",
    rows: [],
  };
}

onKv(
  "tldStore.set() does not replace a newer table",
  async (kv) => {
    let now = Date.parse("2026-11-03T00:00:00Z");
    const store = createTldStore(guardKv(kv, { report() {}, monotonic: Date.now }), {
      now: () => now,
    });
    await store.set(editionOf(1));
    await store.set(editionOf(2));
    await store.set({ ...editionOf(1), problem: "IANA did not answer" });
    assertEquals(await store.get(), editionOf(2));
    await store.set({ ...editionOf(2), problem: "IANA did not answer" });
    assertEquals((await store.get())?.problem, "IANA did not answer");
    // It was written by a clock that was set ahead.
    now = Date.parse("2026-11-01T12:00:00Z");
    await store.set(editionOf(1));
    assertEquals(await store.get(), editionOf(1));
  },
);
