import { assert, assertEquals, assertMatch } from "@std/assert";
import { whoisEnv } from "../lab/lab_env.ts";
import { onLab } from "../support/on_lab.ts";
import { postJson } from "../support/post_json.ts";
import type { Json } from "../support/service.ts";
import { until } from "../support/until.ts";

/** Enough for the test of a server and one name; the next one waits for longer than a client that wants JSON. */
const SLOW = { concurrency: 4, burst: 4, everyMs: 3_000 };

Deno.test("a name whose needed WHOIS server has a queue is likely available, and asking again finds the answer of its look-up", () =>
  onLab(async ({ check, services, lab }) => {
    await services.renewCanaries();
    assertEquals((await check("zebra1.org")).state, "available");
    const row = await check("zebra2.org");
    assertEquals([row.state, row.available, row.likely], ["unknown", false, "available"]);
    assertEquals(row.status, ["unknown", "undelegated"]);
    assertMatch(row.error ?? "", /its WHOIS server, .*, could not be asked yet; retry in \d+ s$/);
    assert((row.retryAfter ?? 0) > 0 && (row.retryAfter ?? 0) <= 60, `${row.retryAfter}`);
    await until(
      "its look-up has an answer",
      async () => (await check("zebra2.org")).state === "available",
    );
    const asked = lab.whoisQueries.filter(({ domain }) => domain === "zebra2.org");
    const requests = lab.requests.filter(({ path }) => /zebra2/.test(path));
    assertEquals([asked.length, requests.length], [1, 1]);
  }, ({ lab }) => ({ env: { ...whoisEnv(lab), TLDS: "org" }, whoisPaceOf: () => SLOW })));

Deno.test("a list makes no name available that only its registry's WHOIS server withholds, then or for others afterwards", () =>
  onLab(async ({ check, get, lab }) => {
    const names = Array.from({ length: 15 }, (_, at) => [`kept-${at}`, `free-${at}`]).flat();
    for (const name of names.filter((name) => name.startsWith("kept"))) {
      lab.script(`${name}.org`, { dns: "nxdomain", rdap: "free", whois: "globalblock" });
    }
    const stateOf = (name: string) => name.startsWith("kept") ? "reserved" : "available";
    for (const isFirst of [true, false]) {
      const rows: Json[] = (await get("/check", postJson({ names, tlds: ["org"] }))).body.results;
      for (const { state, likely, domain } of rows) {
        const said = state === "unknown" ? `likely ${likely}` : state;
        assert(["likely available", stateOf(domain)].includes(said), `${domain}: ${said}`);
      }
      assert(!isFirst || rows.filter(({ state }) => state === "unknown").length > 10);
    }
    for (const name of names.slice(-4)) {
      await until(
        `${name} has an answer`,
        async () => (await check(`${name}.org`)).state === stateOf(name),
      );
    }
  }, ({ lab }) => ({
    env: { ...whoisEnv(lab), TLDS: "org", RATE_LIMIT: "1000" },
    whoisPaceOf: () => ({ concurrency: 6, burst: 6, everyMs: 250 }),
  })));

for (const tld of ["io", "org"]) {
  Deno.test(`a name of .${tld} is not available for others when the client has left that waited for its WHOIS server`, () =>
    onLab(async ({ check, services, lab }) => {
      await services.renewCanaries();
      assertEquals((await check(`zebra1.${tld}`)).state, "available");
      lab.script(`kept.${tld}`, {
        dns: "nxdomain",
        rdap: "free",
        whois: "globalblock",
        delayMs: 300,
      });
      const leaving = new AbortController();
      const waiter = { signal: leaving.signal, client: "one" };
      const row = services.checkDomain("kept", tld, waiter);
      await until("RDAP is asked", () => lab.requests.some(({ path }) => path.includes("kept")));
      leaving.abort();
      assertEquals((await row).state, "unknown");
      // On a slow machine the server has its next turn by now.
      const { state } = await check(`kept.${tld}`);
      assert(["unknown", "reserved"].includes(state), state);
    }, ({ lab }) => ({ env: { ...whoisEnv(lab), TLDS: tld }, whoisPaceOf: () => SLOW })));
}
