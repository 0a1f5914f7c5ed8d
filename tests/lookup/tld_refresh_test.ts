import { assertEquals, assertMatch } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { type Json, type RunningService, startService } from "../support/service.ts";

const env = { TLDS: "com,net" };

/** IANA's table with these bases; the lab's own for the rest. */
function tableOf(bases: Record<string, string>, publication = "2026-11-21T00:00:00Z"): string {
  const own = {
    com: "http://rdap.verisign.com/com/v1/",
    net: "http://rdap.verisign.com/net/v1/",
  };
  const services = Object.entries({ ...own, ...bases }).map(([tld, base]) => [[tld], [base]]);
  return JSON.stringify({ publication, services, version: "1.0" });
}

/** A service whose servers of com and net have proved themselves. */
async function startProven(lab: Lab, kv?: Deno.Kv): Promise<RunningService> {
  lab.setTable(tableOf({}, "2026-11-20T00:00:00Z"));
  const service = await startService(lab, { env, ...(kv && { kv }) });
  await service.services.renewCanaries();
  return service;
}

async function serverOf({ get }: RunningService, tld: string): Promise<string> {
  const { body } = await get("/tlds");
  return body.tlds.find((row: Json) => row.tld === tld)?.rdapServer;
}

function fetchesOf(lab: Lab) {
  return lab.requests.filter(({ host }) => host === "iana.lab");
}

Deno.test("a server that moved is used once its canary has passed", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  await service.services.refreshTlds();
  assertEquals(await serverOf(service, "com"), "rdap.new-home.lab/com");
  assertEquals((await service.get("/health")).body.tlds.problem, undefined);
  lab.clear();
  assertEquals((await service.check("some-name.com")).available, true);
  assertEquals(lab.requests.map(({ host }) => host), ["rdap.new-home.lab"], "tested already");
});

Deno.test("until the test of a new server is over, checks use the old one and do not wait", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  lab.scriptHost("rdap.new-home.lab", { kind: "silent" });
  const refreshed = service.services.refreshTlds();
  while (!lab.requests.some(({ host }) => host === "rdap.new-home.lab")) {
    assertEquals((await service.check(`n${lab.requests.length}.com`)).available, true);
  }
  assertEquals((await service.check("another-name.com")).available, true);
  assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1");
  service.services.giveUp();
  await refreshed;
});

Deno.test("a server that moved to one that lies keeps its old base, and /health says why", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.setTable(tableOf({ com: "http://moved.lab/com/", net: "http://rdap.new-home.lab/net/" }));
  await service.services.refreshTlds();
  assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1");
  assertEquals(await serverOf(service, "net"), "rdap.new-home.lab/net");
  assertEquals((await service.check("some-name.com")).available, true);
  const { tlds } = (await service.get("/health")).body;
  assertEquals(tlds.publication, "2026-11-21T00:00:00Z");
  assertMatch(tlds.problem, /^the new RDAP server for com is not used: .*cannot be believed/);
});

Deno.test("a new server that failed its test is tested again though the file stays the same", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  lab.scriptHost("rdap.new-home.lab", "free");
  lab.setTable(tableOf({ com: "http://rdap.new-home.lab/com/" }));
  await service.services.refreshTlds();
  assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1");
  lab.scriptHost("rdap.new-home.lab", undefined);
  await service.services.refreshTlds();
  assertEquals(await serverOf(service, "com"), "rdap.new-home.lab/com");
  assertEquals((await service.get("/health")).body.tlds.problem, undefined);
});

Deno.test("a file that has not changed is not sent again, to another process neither", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  await using lab = await startLab();
  let now = Date.now();
  await using one = await startService(lab, { env, kv: await Deno.openKv(path), now: () => now });
  const first = (await one.get("/health")).body.tlds;
  now += 86_400_000;
  await using two = await startService(lab, { env, kv: await Deno.openKv(path), now: () => now });
  const [full, conditional] = fetchesOf(lab);
  assertEquals([full?.headers["if-none-match"], conditional?.headers["if-none-match"]], [
    undefined,
    '"0"',
  ]);
  assertEquals(two.events.some(({ event }) => event === "tlds.unchanged"), true);
  const again = (await two.get("/health")).body.tlds;
  assertEquals(again.publication, first.publication);
  assertEquals(Date.parse(again.refreshedAt) - Date.parse(first.refreshedAt) >= 86_400_000, true);
});

Deno.test("a file is sent whole where it was read for other TLDs, or from elsewhere", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  await using lab = await startLab();
  const open = async (env: Record<string, string>) =>
    await startService(lab, { env, kv: await Deno.openKv(path) });
  await using _one = await open(env);
  await using more = await open({ TLDS: "com,net,page" });
  assertEquals(await serverOf(more, "page"), "pubapi.registry.google/rdap");
  await using _elsewhere = await open({
    ...env,
    RDAP_BOOTSTRAP_URL: `${lab.proxyUrl}/rdap/dns.json`,
  });
  const asked = lab.requests.filter(({ path }) => path === "/rdap/dns.json");
  assertEquals(asked.map(({ headers }) => headers["if-none-match"]), [
    undefined,
    undefined,
    undefined,
  ]);
});

/** What may be published by mistake. */
function mistakes(lab: Lab): Record<string, () => void> {
  const table = tableOf({});
  return {
    "HTTP 500": () => lab.setTable(table, 500),
    "not of the form": () => lab.setTable(table.slice(0, -20)),
    "no usable RDAP server for com": () => lab.setTable(table.replace('["com"]', '["museum"]')),
    oversized: () => lab.setTable(table + " ".repeat(50 * 1_024 * 1_024)),
  };
}

Deno.test("a broken or shrunken file changes nothing, fails no check, and is told of until it is mended", async () => {
  await using lab = await startLab();
  await using service = await startProven(lab);
  for (const [problem, publish] of Object.entries(mistakes(lab))) {
    publish();
    const refreshed = service.services.refreshTlds();
    assertEquals((await service.check(`during-${lab.requests.length}.com`)).available, true);
    await refreshed;
    const { tlds } = (await service.get("/health")).body;
    assertEquals(tlds.publication, "2026-11-20T00:00:00Z", problem);
    assertMatch(tlds.problem, new RegExp(problem));
    assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1", problem);
    const told = service.events.filter(({ event }) => event === "tlds.refresh_failed");
    assertMatch(String(told.at(-1)?.why), new RegExp(problem));
  }
  lab.setTable(tableOf({}));
  await service.services.refreshTlds();
  const { tlds } = (await service.get("/health")).body;
  assertEquals([tlds.publication, tlds.problem], ["2026-11-21T00:00:00Z", undefined]);
});

Deno.test("what one process refreshed, another uses within two minutes, and tells of its problem", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  await using lab = await startLab();
  let now = Date.now();
  await using one = await startProven(lab, await Deno.openKv(path));
  await using two = await startService(lab, { env, kv: await Deno.openKv(path), now: () => now });
  lab.setTable(tableOf({ com: "http://moved.lab/com/", net: "http://rdap.new-home.lab/net/" }));
  await one.services.refreshTlds();
  assertEquals(await serverOf(two, "net"), "rdap.verisign.com/net/v1");
  now += 61_000;
  while (await serverOf(two, "net") !== "rdap.new-home.lab/net") await two.get("/tlds");
  assertEquals(await serverOf(two, "com"), "rdap.verisign.com/com/v1");
  assertMatch((await two.get("/health")).body.tlds.problem, /not used/);
});
