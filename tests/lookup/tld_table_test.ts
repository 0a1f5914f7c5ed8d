import { assert, assertEquals, assertMatch } from "@std/assert";
import { tableOf as ianaTableOf } from "../lab/iana_table.ts";
import type { Lab } from "../lab/lab.ts";
import { onLab } from "../support/on_lab.ts";
import { runJob } from "../support/run_job.ts";
import { until } from "../support/until.ts";
import type { Json, RunningService, startService } from "../support/service.ts";

type Asked = Pick<RunningService, "get" | "services">;

async function serverOf({ get }: Asked, tld: string): Promise<string> {
  const { body } = await get("/tlds");
  return body.tlds.find((row: Json) => row.tld === tld)?.rdapServer;
}

const refresh = ({ services }: Asked) => services.jobs.dependencies.tlds.refresh();

/** How often IANA was asked. */
const fetchesOf = (lab: Lab) => lab.requests.filter(({ host }) => host === "iana.lab").length;

/** What /health says of the table. */
const healthOf = async ({ get }: Asked) => (await get("/health")).body.tlds;

const OWN = { com: "http://rdap.verisign.com/com/v1/", net: "http://rdap.verisign.com/net/v1/" };
const OWN_SERVER = "rdap.verisign.com/com/v1";
/** A host that returns a clean 404 for every name, and one that has passed its test where it was asked. */
const MOVED = "http://moved.lab/com/";
const NEW_HOME = "http://rdap.new-home.lab/com/";
const PAGE = "http://pubapi.registry.google/rdap/";
const NEW_SERVER = "rdap.new-home.lab/com";

/** IANA's table with these servers alone. */
const tableOf = (bases: Record<string, string>, publication = "2026-11-21T00:00:00Z") =>
  ianaTableOf(Object.entries(bases).map(([tld, base]) => [[tld], [base]]), publication);

/** Runs a test on a service that starts with this table. */
function onTable(
  table: string,
  run: Parameters<typeof onLab>[0],
  options: Parameters<typeof startService>[1] = {},
): Promise<void> {
  return onLab(run, ({ lab }) => {
    lab.setTable(table);
    return { env: { TLDS: "com,net" }, ...options };
  });
}

/** Runs a test on a service whose servers of com and net have passed their canaries. */
function onProven(run: Parameters<typeof onLab>[0]): Promise<void> {
  return onTable(tableOf(OWN, "2026-11-20T00:00:00Z"), async (world) => {
    await world.services.renewCanaries();
    await run(world);
  });
}

Deno.test("a check right after the start uses IANA's current table", () =>
  onTable(tableOf({ com: MOVED }), async ({ check, lab }) => {
    await check("free-name.com");
    const asked = lab.requests.map(({ host, path }) => host + path);
    assert(asked.includes("moved.lab/com/domain/free-name.com"), `${asked}`);
  }, { env: { TLDS: "com,io" }, awaitTable: false }));

Deno.test("a stored table of a lab is not used when upstreams must be https", async () => {
  const kv = await Deno.openKv(":memory:");
  await kv.set(["tlds"], { publication: "", bases: { [MOVED]: ["com"] } });
  const env = {
    TLDS: "com,io",
    ALLOW_INSECURE_UPSTREAMS: "",
    RDAP_BOOTSTRAP_URL: "https://iana.lab/rdap/dns.json",
    PRICES_URL: "https://prices.lab/pricing",
  };
  await onLab(
    async (service) => assertEquals(await serverOf(service, "com"), OWN_SERVER),
    { env, kv },
  );
});

const OTHER_FORMS: [key: Deno.KvKey, ...values: unknown[]][] = [
  [["tlds"], "text", { rows: [] }, { bases: "com" }, { bases: { [OWN.com]: 7 } }],
  [["prices"], "text", { com: 9 }, new Map([["com", { usd: "9" }]])],
];

for (const [key, ...values] of OTHER_FORMS) {
  Deno.test(`a value of ${key.join()} in KV that has another form, as of another version, counts as none`, async () => {
    for (const value of values) {
      const kv = await Deno.openKv(":memory:");
      await kv.set(key, value);
      await onTable("{", async ({ check, get }) => {
        assertEquals((await check("free-name.com")).available, true);
        assertEquals((await get("/tlds?coverage=all&q=page&limit=1")).body.tlds[0].tld, "page");
        const { body } = await get("/register?domain=some-name.com");
        assertEquals(body.registrars[0].estimatedPrice, 11.08);
      }, { kv, env: { TLDS: "com", ANY_TLD: "on" } });
    }
  });
}

Deno.test("a check waits at most a second for a slow IANA", () =>
  onLab(async (service) => {
    assertEquals((await service.check("taken.com")).status, ["active"]);
    assertEquals(await serverOf(service, "com"), OWN_SERVER);
  }, ({ lab }) => {
    lab.scriptHost("iana.lab", { kind: "silent" });
    return { env: { TLDS: "com,io" }, awaitTable: false };
  }));

Deno.test("TLDS enables more TLDs of IANA's table; one without a known server is a warning and stands in /health", () =>
  onTable(
    tableOf({ com: OWN.com, page: PAGE }),
    async (service) => {
      const { get, events } = service;
      const warnings = events.filter(({ event }) => event === "tlds.missing");
      assertEquals(warnings.map(({ level, tlds }) => [level, tlds]), [["warn", "zzzz,nowhere"]]);
      assertMatch((await healthOf(service)).problem, /for zzzz, nowhere/);
      const { body: { results } } = await get("/check?name=free-name");
      assertEquals(results.map(({ domain, available }: Json) => [domain, available]), [
        ["free-name.com", true],
        ["free-name.page", true],
      ]);
      assertMatch((await get("/check?name=a&tld=nowhere")).body.message, /com, page$/);
    },
    { env: { TLDS: "page,com,zzzz,nowhere" } },
  ));

Deno.test("RDAP_EXTRA gives TLDs of TLDS the operator's own servers, for checks, tests and lists", () =>
  onTable(
    tableOf({ com: OWN.com, net: "http://moved.lab/net/" }),
    async ({ get, services, lab }) => {
      const { tlds } = (await get("/tlds")).body;
      const servers = tlds.map(({ tld, rdapServer }: Record<string, string>) => [tld, rdapServer]);
      assertEquals(servers, [
        ["com", "rdap.verisign.com/net/v1"],
        ["dev", "pubapi.registry.google/rdap"],
        ["net", "moved.lab/net"],
      ]);
      lab.clear();
      await services.renewCanaries();
      const asked = lab.requests.map(({ path }) => path.replace(/domain\/.*\./, "…."));
      assertEquals(asked.filter((path) => path.startsWith("/com/")), []);
      assert(asked.includes("/net/v1/….com"), `${asked}`);
    },
    { env: { TLDS: "com,net,dev", RDAP_EXTRA: `com=${OWN.net},dev=${PAGE}` } },
  ));

Deno.test("a new server is used at once, and no name is available by it before it has passed its own test", () =>
  onProven(async (service) => {
    const { check, services, lab } = service;
    assertEquals((await check("some-name.com")).available, true);
    lab.setTable(tableOf({ ...OWN, com: MOVED }));
    await refresh(service);
    assertEquals(await serverOf(service, "com"), "moved.lab/com");
    const { state, error } = await check("another-name.com");
    assertEquals(state, "unknown");
    assertMatch(`${error}`, /not trusted/);
    lab.setTable(tableOf({ ...OWN, com: NEW_HOME }));
    await refresh(service);
    await services.renewCanaries();
    assertEquals((await check("third-name.com")).available, true);
  }));

Deno.test("a process that starts asks IANA only if the table in KV is a day old, also where it enables other TLDs", () =>
  onTable(tableOf({ ...OWN, com: NEW_HOME, page: PAGE }), async (first) => {
    const { lab, clock, start } = first;
    for (const [ms, expected] of [[86_000_000, 1], [0, 1], [86_400_000, 2]] as const) {
      clock.aheadMs = ms;
      assertEquals(await serverOf(await start(), "com"), NEW_SERVER);
      assertEquals(fetchesOf(lab), expected, `${ms}`);
    }
    const other = await start({ env: { TLDS: "com,net,page" } });
    assertEquals(await serverOf(other, "page"), "pubapi.registry.google/rdap");
    assertEquals(fetchesOf(lab), 2);
  }));

Deno.test("refresh_tlds is due while IANA's table could not be read, and a run adopts it", () =>
  onTable("{", async (service) => {
    const { lab, services: { jobs: { dependencies } } } = service;
    assertEquals(await dependencies.tlds.isOld(), true);
    assertEquals(await serverOf(service, "page"), undefined);
    lab.setTable(tableOf({ com: OWN.com, page: PAGE }));
    await runJob(service, "refresh_tlds");
    assertEquals(await serverOf(service, "page"), "pubapi.registry.google/rdap");
    assertEquals(await dependencies.tlds.isOld(), false);
  }, { env: { TLDS: "com,page" } }));

Deno.test("a process reads the table that another one has stored after ten minutes, and takes it only if it is newer than its own", () => {
  let now = Date.now();
  return onTable(tableOf({ ...OWN, com: MOVED }), async (service) => {
    const { kv } = service;
    const own = (await kv.get<{ refreshedAt: string }>(["tlds"])).value!;
    const store = async (minutes: number) => {
      const refreshedAt = new Date(Date.parse(own.refreshedAt) + minutes * 60_000).toISOString();
      const bases = { [`http://rdap.of${minutes}.lab/`]: ["com"] };
      await kv.set(["tlds"], { ...own, refreshedAt, bases });
    };
    /** The server after a time, and after a reading that this may have caused. */
    const serverAfter = async (ms: number) => {
      now += ms;
      await serverOf(service, "com");
      return await serverOf(service, "com");
    };
    await store(-5);
    assertEquals(await serverAfter(600_000), "moved.lab/com");
    await store(1);
    assertEquals(await serverAfter(599_999), "moved.lab/com");
    await serverAfter(1);
    await until("it is read", async () => await serverAfter(0) === "rdap.of1.lab");
  }, { env: { TLDS: "com,net" }, now: () => now });
});

Deno.test("names under a TLD that is newer than the built-in ones can be checked once IANA's table lists it, and none is available", () =>
  onTable(tableOf(OWN), async (service) => {
    const { lab, get, check } = service;
    const ask = () => get("/check?name=free-for-you&tld=brandnew");
    assertEquals((await ask()).body.error, "unsupported_tld");
    lab.setTable(tableOf({ ...OWN, brandnew: "http://rdap.verisign.com/com/v1/" }));
    await refresh(service);
    assertEquals((await check("free-for-you.brandnew")).state, "unknown");
  }, { env: { TLDS: "com,net", ANY_TLD: "on" } }));

/** Files that must change nothing; of their shapes, tests/rules/bootstrap_test.ts has more. */
function brokenTables(lab: Lab): [what: string, problem: RegExp, publish: () => void][] {
  const table = tableOf(OWN);
  const file = (body: string) => () => lab.setTable(body);
  const answer = (rdap: Parameters<Lab["scriptHost"]>[1]) => () => lab.scriptHost("iana.lab", rdap);
  return [
    ["is cut", /not a valid RFC 9224 table/, file(table.slice(0, -10))],
    ["has lost a TLD", /no usable RDAP server for com/, file(tableOf({ net: OWN.net }))],
    ["is a fault", /HTTP 500/, () => lab.setTable(table, 500)],
    ["has 50 MB", /oversized/, file(table + " ".repeat(50 * 1_024 * 1_024))],
    ["never ends", /oversized/, answer({ kind: "oversized", bytes: 2 * 1_024 * 1_024 })],
    ["says not modified of nothing", /HTTP 304/, answer({ kind: "empty", status: 304 })],
  ];
}

Deno.test("a broken or shrunken file changes nothing, fails no check, and is reported until it is repaired", () =>
  onProven(async (service) => {
    const { check, events, lab } = service;
    for (const [what, expected, publish] of brokenTables(lab)) {
      publish();
      const refreshed = refresh(service);
      assertEquals((await check(`during-${lab.requests.length}.com`)).available, true, what);
      await refreshed;
      const { publication, problem } = await healthOf(service);
      assertEquals(publication, "2026-11-20T00:00:00Z", what);
      assertMatch(problem, expected, what);
      assertEquals(await serverOf(service, "com"), OWN_SERVER, what);
      const failures = events.splice(0).filter(({ event }) => event === "tlds.refresh_failed");
      assertEquals(failures.length, 1, what);
      assertMatch(`${failures[0]?.reason}`, expected, what);
    }
    lab.scriptHost("iana.lab", undefined);
    lab.setTable(tableOf(OWN));
    await refresh(service);
    const { publication, problem } = await healthOf(service);
    assertEquals([publication, problem], ["2026-11-21T00:00:00Z", undefined]);
  }));
