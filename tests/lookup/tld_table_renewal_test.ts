import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/background.ts";
import type { RefreshRows } from "../../src/lookup/tld_refresh.ts";
import { createTldTable } from "../../src/lookup/tld_table.ts";
import type { TldEdition } from "../../src/rules/bootstrap.ts";

const START = Date.UTC(2026, 10, 21);
const MINUTE_MS = 60_000;
const FR = { tld: "fr", rdapBase: "https://rdap.nic.fr/" };

function editionOf(server: string, minute: number): TldEdition {
  return {
    publication: "2026-11-21T00:00:00Z",
    rows: [{ tld: "com", rdapBase: `https://${server}/` }, FR],
    contested: [],
    refreshedAt: new Date(START + minute * MINUTE_MS).toISOString(),
    validators: {},
    origin: "",
  };
}

/** A table for com and fr on a clock; `next` is what a refresh does. */
function createTable() {
  const background = createBackground((error) => {
    throw error;
  });
  const world = {
    minute: 0,
    refreshes: 0,
    kept: undefined as TldEdition | undefined,
    next: ((table) => Promise.resolve(table.fail("HTTP 500"))) as RefreshRows,
  };
  const table = createTldTable({
    wanted: ["com", "fr"],
    refreshRows: (...args) => (world.refreshes++, world.next(...args)),
    store: { get: () => Promise.resolve(world.kept) },
    isAllowed: () => true,
    background,
    now: () => START + world.minute * MINUTE_MS,
  });
  return { world, table, background };
}

Deno.test("IANA is asked again some minutes after it failed while a wanted TLD has no row", async () => {
  const { world, table, background } = createTable();
  await table.refresh();
  world.next = (inUse) => Promise.resolve(inUse.use(editionOf("a.example", world.minute)));
  for (world.minute = 0; world.minute < 5; world.minute++) {
    assertEquals(await table.enabled(), ["com"]);
  }
  assertEquals(world.refreshes, 1, "not before");
  assertEquals(await table.enabled(), ["com"], "nobody waits for it");
  await background.settled();
  assertEquals(await table.enabled(), ["com", "fr"]);
  world.minute = 60;
  await table.fresh();
  await background.settled();
  assertEquals(world.refreshes, 2, "not after");
});

Deno.test("a TLD without a row in a table that could be read is left to the daily refresh", async () => {
  const { world, table, background } = createTable();
  world.next = (inUse) => {
    const { rows, ...edition } = editionOf("a.example", world.minute);
    return Promise.resolve(inUse.use({ ...edition, rows: rows.slice(0, 1) }));
  };
  await table.refresh();
  world.minute = 60;
  await table.enabled();
  await background.settled();
  assertEquals(world.refreshes, 1);
});

Deno.test("a kept table does not replace a newer one that could not be written", async () => {
  const { world, table, background } = createTable();
  const server = async () => {
    await table.fresh();
    await background.settled();
    return (await table.fresh())[0]?.rdapBase;
  };
  world.next = (inUse) => Promise.resolve(inUse.use(editionOf("new.example", world.minute)));
  world.minute = 10;
  await table.refresh();
  world.kept = editionOf("old.example", 5);
  world.minute = 20;
  assertEquals(await server(), "https://new.example/");
  world.kept = editionOf("newer.example", 15);
  world.minute = 30;
  assertEquals(await server(), "https://newer.example/");
});

Deno.test("tldTable.enabled() asks IANA again though the clock was set back by an hour since it failed", async () => {
  const { world, table, background } = createTable();
  world.minute = 60;
  await table.refresh();
  world.minute = 0;
  await table.enabled();
  await background.settled();
  assertEquals(world.refreshes, 2);
});
