import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { createKvFile } from "../support/kv_file.ts";
import { type RunningService, startService } from "../support/service.ts";

async function serverOf({ get }: RunningService, tld: string): Promise<string> {
  const { body } = await get("/tlds");
  return body.tlds.find((row: { tld: string }) => row.tld === tld)?.rdapServer;
}

function tableOf(bases: Record<string, string>): string {
  const services = Object.entries(bases).map(([tld, base]) => [[tld], [base]]);
  return JSON.stringify({ publication: "2026-11-21T00:00:00Z", services, version: "1.0" });
}

const env = { TLDS: "com,io" };
/** A table with a host that returns a clean 404 for every name. */
const MOVED = tableOf({ com: "http://moved.lab/com/" });

/** Files that must change nothing; the first ones have shapes that broke other parsers of such tables. */
function breakTable(lab: Lab): Record<string, () => void> {
  return {
    "ends in the middle of a member": () =>
      lab.setTable('{\n  "description": "RDAP servers",\n  "\n}\n'),
    "is empty": () => lab.setTable(""),
    "has a service without members": () => lab.setTable(MOVED.replace("]]]", "]],[\n]]")),
    "has no URL that could be asked": () =>
      lab.setTable(tableOf({ com: "http://registry.lab/%%" })),
    "is for TLDs of two labels": () =>
      lab.setTable(tableOf({ "sub.com": "http://moved.lab/com/" })),
    "is no JSON": () => lab.setTable("{"),
    "is a web page": () => lab.setTable("<html>"),
    "has wrong types": () => lab.setTable(JSON.stringify({ publication: 1, services: {} })),
    "has an empty service": () => lab.setTable(MOVED.replace("]]]", "]],[]]")),
    "has lost a TLD": () => lab.setTable(tableOf({ net: "http://moved.lab/net/" })),
    "has no usable URL for a TLD": () => lab.setTable(tableOf({ com: "ftp://moved.lab/" })),
    "is cut": () => lab.setTable(MOVED.slice(0, -10)),
    "is a fault": () => lab.setTable(MOVED, 500),
    "has 50 MB": () => lab.setTable(MOVED + " ".repeat(50 * 1_024 * 1_024)),
    "never ends": () => lab.scriptHost("iana.lab", { kind: "oversized", bytes: 2 * 1_024 * 1_024 }),
    "says not modified of nothing": () =>
      lab.scriptHost("iana.lab", { kind: "empty", status: 304 }),
  };
}

Deno.test("a check right after the start uses IANA's current table", async () => {
  await using lab = await startLab();
  lab.setTable(MOVED);
  await using service = await startService(lab, { env, awaitTable: false });
  await service.check("free-name.com");
  assert(
    lab.requests.some(({ host, path }) =>
      host === "moved.lab" && path === "/com/domain/free-name.com"
    ),
  );
});

Deno.test("a pinned TLD keeps its server until IANA names one", async () => {
  await using lab = await startLab();
  lab.setTable(MOVED);
  await using service = await startService(lab, { env });
  assertEquals(await serverOf(service, "io"), "rdap.identitydigital.services/rdap");
  lab.setTable(tableOf({ com: "http://moved.lab/com/", io: "http://rdap.io.lab/" }));
  await using later = await startService(lab, { env });
  assertEquals(await serverOf(later, "io"), "rdap.io.lab");
});

Deno.test("a broken, shrunken or unreachable file changes nothing and is logged", async () => {
  await using lab = await startLab();
  for (const [fault, breakIt] of Object.entries(breakTable(lab))) {
    breakIt();
    await using service = await startService(lab, { env });
    assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1", fault);
    const told = service.events.filter(({ event }) => event === "tlds.refresh_failed");
    assertEquals(told.length, 1, fault);
  }
});

Deno.test("an adopted table outlives the process and a later broken file", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  lab.setTable(MOVED);
  {
    await using service = await startService(lab, { env, kv: await file.open() });
    assertEquals(await serverOf(service, "com"), "moved.lab/com");
  }
  lab.setTable("{");
  await using service = await startService(lab, { env, kv: await file.open() });
  assertEquals(await serverOf(service, "com"), "moved.lab/com");
});

Deno.test("a stored table of a lab is not used when upstreams must be https", async () => {
  const kv = await Deno.openKv(":memory:");
  await kv.set(["tlds"], {
    publication: "",
    rows: [{ tld: "com", rdapBase: "http://moved.lab/com/" }],
  });
  await using lab = await startLab();
  await using service = await startService(lab, {
    kv,
    env: {
      ...env,
      ALLOW_INSECURE_UPSTREAMS: "",
      RDAP_BOOTSTRAP_URL: "https://iana.lab/rdap/dns.json",
      PRICES_URL: "https://prices.lab/pricing",
    },
  });
  assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1");
});

Deno.test("a check waits at most a second for a slow IANA", async () => {
  await using lab = await startLab();
  lab.scriptHost("iana.lab", { kind: "silent" });
  await using service = await startService(lab, { env, awaitTable: false });
  assertEquals((await service.check("taken.com")).status, ["active"]);
  assertEquals(await serverOf(service, "com"), "rdap.verisign.com/com/v1");
});

Deno.test("a TLD of TLDS without a known server is a warning, once, and stands in /health", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,zzzz,nowhere" } });
  await service.services.jobs.dependencies.tlds.refresh();
  const warnings = service.events.filter(({ event }) => event === "tlds.missing");
  assertEquals(warnings.map(({ level, tlds }) => [level, tlds]), [["warn", "zzzz,nowhere"]]);
  assertMatch((await service.get("/health")).body.tlds.problem, /for zzzz, nowhere/);
});

Deno.test("RDAP_EXTRA gives TLDs of TLDS the operator's own servers, for checks, tests and lists", async () => {
  await using lab = await startLab();
  lab.setTable(tableOf({ com: "http://rdap.verisign.com/com/v1/", net: "http://moved.lab/net/" }));
  const own = "com=http://rdap.verisign.com/net/v1/,dev=http://pubapi.registry.google/rdap/";
  await using service = await startService(lab, {
    env: { TLDS: "com,net,dev", RDAP_EXTRA: own },
  });
  const { tlds } = (await service.get("/tlds")).body;
  const servers = tlds.map(({ tld, rdapServer }: Record<string, string>) => [tld, rdapServer]);
  assertEquals(servers, [
    ["com", "rdap.verisign.com/net/v1"],
    ["dev", "pubapi.registry.google/rdap"],
    ["net", "moved.lab/net"],
  ]);
  lab.clear();
  await service.services.renewCanaries();
  const asked = lab.requests.map(({ path }) => path.replace(/domain\/.*\./, "…."));
  assertEquals(asked.filter((path) => path.startsWith("/com/")), []);
  assert(asked.includes("/net/v1/….com"), `${asked}`);
});

Deno.test("TLDS enables more TLDs of IANA's table, except those without a server", async () => {
  await using lab = await startLab();
  lab.setTable(
    tableOf({
      com: "http://rdap.verisign.com/com/v1/",
      page: "http://pubapi.registry.google/rdap/",
    }),
  );
  await using service = await startService(lab, { env: { TLDS: "page,com,nowhere" } });
  const { body } = await service.get("/check?name=free-name");
  assertEquals(body.results.map(({ domain }: { domain: string }) => domain), [
    "free-name.com",
    "free-name.page",
  ]);
  assertEquals(body.results.map(({ available }: { available: boolean }) => available), [
    true,
    true,
  ]);
  assertMatch((await service.get("/check?name=a&tld=nowhere")).body.message, /com, page$/);
});
