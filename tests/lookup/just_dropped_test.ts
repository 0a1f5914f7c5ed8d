import { assertEquals, assertMatch } from "@std/assert";
import { whoisEnv } from "../lab/lab_env.ts";
import { onLab, type World } from "../support/on_lab.ts";
import type { Json } from "../support/service.ts";

const HOUR_MS = 3_600_000;
const TLDS = ["com", "info", "io", "org", "site"];

/** A world whose service has seen a label registered under all TLDs, which the registries have deleted since. */
interface Dropped extends World {
  /** The rows of the label so many hours later. */
  rowsAt(hours: number): Promise<Json[]>;
  seenAt: Readonly<Record<string, string>>;
  /** What the registries answer about the label from now on. */
  answer(rdap: "free" | "dropzone"): void;
}

function afterDrop(run: (dropped: Dropped) => Promise<void>, hasWhois = false): Promise<void> {
  return onLab(async (world) => {
    const { get, lab, clock } = world;
    lab.script("dropped", { dns: "delegated", rdap: "registered" });
    lab.script("dropped.org", { dns: "nxdomain", rdap: "registered" });
    const check = async () => (await get("/check?name=dropped&evidence=1")).body.results;
    await check();
    // The second check waits for what the first writes.
    const seen: Json[] = await check();
    assertEquals(seen.map(({ state }) => state), TLDS.map(() => "taken"));
    const answer = (rdap: "free" | "dropzone") => {
      for (const name of ["dropped", "dropped.org"]) lab.script(name, { dns: "nxdomain", rdap });
    };
    answer("free");
    await run({
      ...world,
      rowsAt: (hours) => (clock.aheadMs = hours * HOUR_MS, check()),
      seenAt: Object.fromEntries(seen.map(({ tld, checkedAt }) => [tld, checkedAt])),
      answer,
    });
  }, ({ lab }) => ({
    env: { TLDS: TLDS.join(), ...(hasWhois && whoisEnv(lab)) },
    // What waits in the background must not seem to wait for hours.
    monotonic: () => performance.now(),
  }));
}

Deno.test("a name of org and info that was registered within 48 hours is unknown, and not cached", () =>
  afterDrop(async ({ url, rowsAt, seenAt }) => {
    for (const hours of [1, 2, 24, 47.9]) {
      for (const row of await rowsAt(hours)) {
        const isHeldBack = ["info", "org"].includes(row.tld);
        const what = `${row.domain} after ${hours} hours`;
        assertEquals(row.state, isHeldBack ? "unknown" : "available", what);
        if (!isHeldBack) continue;
        assertMatch(
          row.error,
          /^Just dropped: registered until \S+ at least, .* after its deletion$/,
        );
        assertEquals(row.error.includes(seenAt[row.tld]), true, row.error);
        assertEquals([row.source, row.likely, row.retryAfter], ["rdap", undefined, undefined]);
      }
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assertMatch(metrics, /\{tld="info",reason="just_dropped"\} 4/);
    const rows = await rowsAt(48);
    assertEquals(rows.map(({ state, error }) => error ?? state), TLDS.map(() => "available"));
  }));

Deno.test("a name that was registered within 48 hours is unknown also where its registry called it reserved in between", () =>
  afterDrop(async ({ rowsAt, answer }) => {
    answer("dropzone");
    const between = await rowsAt(2);
    assertEquals(between.map(({ state }) => state), TLDS.map(() => "reserved"));
    answer("free");
    for (const [hours, held] of [[47, ["info", "org"]], [49, []]] as const) {
      const rows = await rowsAt(hours);
      const unknown = rows.filter(({ state }) => state === "unknown").map(({ tld }) => tld);
      assertEquals(unknown, [...held], `after ${hours} hours`);
    }
  }));

Deno.test("a name that was registered within 48 hours is available where a needed WHOIS server denies it, too", () =>
  afterDrop(async ({ rowsAt }) => {
    for (const { tld, state } of await rowsAt(1)) {
      assertEquals(state, tld === "info" ? "unknown" : "available", tld);
    }
  }, true));
