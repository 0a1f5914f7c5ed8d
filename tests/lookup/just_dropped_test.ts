import { assertEquals, assertMatch } from "@std/assert";
import { whoisEnv } from "../lab/lab_env.ts";
import { onLab, testsOnLab, type World } from "../support/on_lab.ts";
import type { Json } from "../support/service.ts";

const HOUR_MS = 3_600_000;
const TLDS = ["com", "info", "io", "org", "site"];

const OPTIONS = {
  env: { TLDS: TLDS.join() },
  // What waits in the background must not seem to wait for hours.
  monotonic: () => performance.now(),
};
const test = testsOnLab(OPTIONS);

/** Lets the service see a label registered under all TLDs, and the registries delete it then. */
async function dropName({ get, lab, clock }: World) {
  lab.script("dropped", { dns: "delegated", rdap: "registered" });
  lab.script("dropped.org", { dns: "nxdomain", rdap: "registered" });
  const check = async (): Promise<Json[]> =>
    (await get("/check?name=dropped&evidence=1")).body.results;
  await check();
  // The second check waits for what the first writes.
  const seen = await check();
  assertEquals(seen.map(({ state }) => state), TLDS.map(() => "taken"));
  const answer = (rdap: "free" | "dropzone") => {
    for (const name of ["dropped", "dropped.org"]) lab.script(name, { dns: "nxdomain", rdap });
  };
  answer("free");
  return {
    /** The rows of the label so many hours later. */
    rowsAt: (hours: number) => (clock.aheadMs = hours * HOUR_MS, check()),
    seenAt: Object.fromEntries(seen.map(({ tld, checkedAt }) => [tld, checkedAt])),
    /** What the registries answer about the label from now on. */
    answer,
  };
}

test("a name of org and info that was registered within 48 hours is unknown, and not cached", async (world) => {
  const { rowsAt, seenAt } = await dropName(world);
  for (const hours of [1, 2, 24, 47.9]) {
    for (const row of await rowsAt(hours)) {
      const isHeldBack = ["info", "org"].includes(row.tld);
      const what = `${row.domain} after ${hours} hours`;
      assertEquals(row.state, isHeldBack ? "unknown" : "available", what);
      if (!isHeldBack) continue;
      const words = `Just dropped: registered until ${seenAt[row.tld]} at least, `;
      assertEquals(row.error.startsWith(words), true, row.error);
      assertMatch(row.error, /after its deletion$/);
      assertEquals([row.source, row.likely, row.retryAfter], ["rdap", undefined, undefined]);
    }
  }
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  assertMatch(metrics, /\{tld="info",reason="just_dropped"\} 4/);
  const rows = await rowsAt(48);
  assertEquals(rows.map(({ state, error }) => error ?? state), TLDS.map(() => "available"));
});

test("a name that was registered within 48 hours is unknown also where its registry called it reserved in between", async (world) => {
  const { rowsAt, answer } = await dropName(world);
  answer("dropzone");
  const between = await rowsAt(2);
  assertEquals(between.map(({ state }) => state), TLDS.map(() => "reserved"));
  answer("free");
  for (const [hours, held] of [[47, ["info", "org"]], [49, []]] as const) {
    const rows = await rowsAt(hours);
    const unknown = rows.filter(({ state }) => state === "unknown").map(({ tld }) => tld);
    assertEquals(unknown, [...held], `after ${hours} hours`);
  }
});

Deno.test("a name that was registered within 48 hours is available where a needed WHOIS server denies it, too", () =>
  onLab(async (world) => {
    const { rowsAt } = await dropName(world);
    for (const { tld, state } of await rowsAt(1)) {
      assertEquals(state, tld === "info" ? "unknown" : "available", tld);
    }
  }, ({ lab }) => ({ ...OPTIONS, env: { ...OPTIONS.env, ...whoisEnv(lab) } })));
