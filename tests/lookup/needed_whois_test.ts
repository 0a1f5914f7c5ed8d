import { assert, assertEquals, assertMatch } from "@std/assert";
import { whoisEnv } from "../lab/lab_env.ts";
import { onLab } from "../support/on_lab.ts";
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

Deno.test("a name is not available for others when the client has left that waited for its WHOIS server", () =>
  onLab(async ({ check, services, lab }) => {
    await services.renewCanaries();
    assertEquals((await check("zebra1.org")).state, "available");
    lab.script("kept", { dns: "nxdomain", rdap: "free", whois: "globalblock", delayMs: 300 });
    const leaving = new AbortController();
    const row = services.checkDomain("kept", "org", { signal: leaving.signal, client: "one" });
    await until("RDAP is asked", () => lab.requests.some(({ path }) => path.includes("kept")));
    leaving.abort();
    assertEquals((await row).state, "unknown");
    // On a slow machine the server has its next turn by now.
    const { state } = await check("kept.org");
    assert(["unknown", "reserved"].includes(state), state);
  }, ({ lab }) => ({ env: { ...whoisEnv(lab), TLDS: "org" }, whoisPaceOf: () => SLOW })));
