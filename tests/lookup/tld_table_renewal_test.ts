import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/process.ts";
import { createTldTable } from "../../src/lookup/tld_table.ts";
import type { BootstrapAnswer, TldEdition } from "../../src/rules/readers/iana.ts";

const START = Date.UTC(2026, 10, 21);
const MINUTE_MS = 60_000;
const FR = { tld: "fr", rdapBase: "https://rdap.nic.fr/" };

const SOURCE = "https://iana.example/";
const PUBLICATION = "2026-11-21T00:00:00Z";

function editionOf(server: string, minute: number): TldEdition {
  return {
    publication: PUBLICATION,
    rows: [{ tld: "com", rdapBase: `https://${server}/` }, FR],
    refreshedAt: new Date(START + minute * MINUTE_MS).toISOString(),
    origin: `${SOURCE} com,fr`,
  };
}

/** A file that lists the server for com, and one for fr unless it lacks that. */
function fileOf(server: string, hasFr = true): BootstrapAnswer {
  const com = ["com", [`https://${server}/`]] as const;
  const bases = new Map([com, ...(hasFr ? [["fr", [FR.rdapBase]] as const] : [])]);
  return { kind: "file", file: { publication: PUBLICATION, bases } };
}

/** A table for com and fr on a simulated clock; `next` is what IANA answers. */
function createTable() {
  const background = createBackground((error) => {
    throw error;
  });
  const platform = {
    minute: 0,
    refreshes: 0,
    kept: undefined as TldEdition | undefined,
    next: (): BootstrapAnswer => ({ kind: "failed", reason: "HTTP 500" }),
  };
  const table = createTldTable({
    extra: new Map(),
    wanted: ["com", "fr"],
    source: SOURCE,
    fetchFile() {
      platform.refreshes++;
      return Promise.resolve(platform.next());
    },
    store: {
      get: () => Promise.resolve(platform.kept),
      set: () => Promise.resolve(),
      setListed: () => Promise.resolve(),
    },
    canary: {
      isProven: () => Promise.resolve(false),
      prove: () => Promise.reject(new Error("not asked")),
    },
    isAllowed: () => true,
    background,
    log: { info() {}, warn() {} },
    now: () => START + platform.minute * MINUTE_MS,
  });
  return { platform, table, background };
}

Deno.test("enabled() retries a failed refresh after five minutes while a wanted TLD has no row", async () => {
  const { platform, table, background } = createTable();
  await table.refresh();
  platform.next = () => fileOf("a.example");
  for (platform.minute = 0; platform.minute < 5; platform.minute++) {
    assertEquals(await table.enabled(), ["com"]);
  }
  assertEquals(platform.refreshes, 1, "not before");
  assertEquals(await table.enabled(), ["com"], "no caller waits for it");
  await background.settled();
  assertEquals(await table.enabled(), ["com", "fr"]);
  platform.minute = 60;
  await table.fresh();
  await background.settled();
  assertEquals(platform.refreshes, 2, "not after");
});

Deno.test("enabled() does not retry when a refresh succeeded without a row for a TLD", async () => {
  const { platform, table, background } = createTable();
  platform.next = () => fileOf("a.example", false);
  await table.refresh();
  platform.minute = 60;
  await table.enabled();
  await background.settled();
  assertEquals(platform.refreshes, 1);
});

Deno.test("fresh() does not replace an edition by an older one from KV", async () => {
  const { platform, table, background } = createTable();
  const server = async () => {
    await table.fresh();
    await background.settled();
    return (await table.fresh())[0]?.rdapBase;
  };
  platform.next = () => fileOf("new.example");
  platform.minute = 10;
  await table.refresh();
  platform.kept = editionOf("old.example", 5);
  platform.minute = 20;
  assertEquals(await server(), "https://new.example/");
  platform.kept = editionOf("newer.example", 15);
  platform.minute = 30;
  assertEquals(await server(), "https://newer.example/");
});

Deno.test("enabled() retries a failed refresh though the clock was set back by an hour", async () => {
  const { platform, table, background } = createTable();
  platform.minute = 60;
  await table.refresh();
  platform.minute = 0;
  await table.enabled();
  await background.settled();
  assertEquals(platform.refreshes, 2);
});
