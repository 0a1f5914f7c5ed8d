import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Lab, type LabOptions, startLab } from "./lab.ts";
import { REGISTRIES } from "./registries.ts";

const EVERY_TLD = REGISTRIES.flatMap(({ host, bases }) =>
  Object.entries(bases).map(([tld, path]) => ({ tld, base: `http://${host}${path}` }))
);

Deno.test("startLab() lets a canary pass at every TLD", async () => {
  await using lab = await startLab();
  using web = openWeb(lab);
  const random = "qzjxkvwpyhgfdbnmtrslcaeiouqzjx";
  for (const { tld, base } of EVERY_TLD) {
    for (const seed of ["google", "nic", "amazon"]) {
      assertEquals((await resolveNs(lab, `${seed}.${tld}.`)).length, 2);
      assertEquals((await web.get(`${base}domain/${seed}.${tld}`)).status, 200);
    }
    await assertRejects(() => resolveNs(lab, `${random}.${tld}.`), Deno.errors.NotFound);
    assertEquals((await web.get(`${base}domain/${random}.${tld}`)).status, 404);
  }
});

Deno.test("startLab() plays rows of the test before its own, a domain before its label", async () => {
  await using lab = await startLab({
    names: [
      { name: "taken", dns: "nxdomain", rdap: "free" },
      { name: "taken.com", dns: "nxdomain", rdap: "registered", delayMs: 1 },
    ],
  });
  using web = openWeb(lab);
  assertEquals((await web.domain("taken.com")).status, 200);
  assertEquals((await web.domain("taken.org")).status, 404);
});

Deno.test("script() changes a name while the lab runs", async () => {
  await using lab = await startLab();
  using web = openWeb(lab);
  assertEquals((await web.domain("x.com")).status, 404);
  lab.script("x.com", { dns: { kind: "delegated", nameServers: ["a.lab"] }, rdap: "registered" });
  assertEquals((await web.domain("x.com")).status, 200);
  assertEquals(await resolveNs(lab, "x.com."), ["a.lab."]);
});

Deno.test("script() gives the first question about a name a reply of its own", async () => {
  await using lab = await startLab();
  using web = openWeb(lab);
  lab.script("x.com", { dns: "nxdomain", firstRdap: "error500", rdap: "registered" });
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await web.domain("x.com")).status);
  assertEquals(statuses, [500, 200, 200]);
});

Deno.test("scriptTld() makes a registry answer the same for every name of a TLD", async () => {
  await using lab = await startLab();
  using web = openWeb(lab);
  lab.scriptTld("io", "free");
  assertEquals((await web.domain("taken.io")).status, 404);
  assertEquals((await web.domain("taken.ai")).status, 200);
  lab.scriptTld("io", undefined);
  assertEquals((await web.domain("taken.io")).status, 200);
});

Deno.test("scriptHost() makes a whole host answer in one way", async () => {
  await using lab = await startLab({ lyingHosts: ["rdap.nic.tv"] });
  using web = openWeb(lab);
  assertEquals((await web.domain("taken.tv")).status, 404);
  lab.scriptHost("rdap.nic.tv", "rateLimitedSeconds");
  const limited = await web.domain("taken.tv");
  assertEquals([limited.status, limited.headers.get("retry-after")], [429, "30"]);
  lab.scriptHost("rdap.nic.tv", { kind: "empty", status: 502 });
  assertEquals((await web.domain("taken.tv")).status, 502);
  lab.scriptHost("rdap.nic.tv", undefined);
  assertEquals((await web.domain("taken.tv")).status, 200);
  lab.scriptHost("iana.lab", { kind: "empty", status: 503 });
  assertEquals((await web.get(lab.bootstrapUrl)).status, 503);
});

Deno.test("startLab() answers 404 on a wrong host or path", async () => {
  await using lab = await startLab();
  using web = openWeb(lab);
  const { headers, body } = await web.get("http://rdap.nic.io/domain/taken.io");
  assertEquals(headers.get("content-type"), "application/rdap+json");
  assertEquals(JSON.parse(body).errorCode, 404);
  const wrongTld = await web.get("http://rdap.verisign.com/com/v1/domain/taken.net");
  assertEquals([wrongTld.status, wrongTld.body], [404, ""]);
  const help = await web.get("http://rdap.nic.tv/help");
  assertEquals([help.status, help.headers.get("content-type")], [404, "text/html"]);
  assertEquals((await web.domain("-x.org")).status, 400);
  assertEquals((await web.get("http://rdap.nic.tv/domain/%E0%A4%A")).status, 404);
});

Deno.test("startLab() redirects within a host, in a loop, and away", async () => {
  await using lab = await startLab();
  using web = openWeb(lab);
  const same = await web.domain("redirect-same-host.org");
  assertEquals((await web.get(location(same))).status, 404);
  assertEquals(new URL(location(same)).host, "rdap.publicinterestregistry.org");
  const loop = await web.domain("redirect-loop.com");
  assertEquals(location(await web.get(location(loop))), location(loop));
  const off = await web.get(location(await web.domain("redirect-off-host.org")));
  assertEquals([off.status, JSON.parse(off.body).errorCode], [404, 404]);
});

Deno.test("setTable() and setPrices() serve any bytes, and a 304 to a client that has them", async () => {
  await using lab = await startLab();
  using web = openWeb(lab);
  const first = await web.get(lab.bootstrapUrl);
  assertEquals(JSON.parse(first.body).version, "1.0");
  const headers = { "if-none-match": first.headers.get("etag") ?? "" };
  assertEquals((await web.get(lab.bootstrapUrl, { headers })).status, 304);
  lab.setTable("not JSON");
  assertEquals((await web.get(lab.bootstrapUrl, { headers })).body, "not JSON");
  assertEquals(JSON.parse((await web.get(lab.pricesUrl)).body).status, "SUCCESS");
  lab.setPrices(new Uint8Array([0x7b]), 500);
  const { status, body } = await web.get(lab.pricesUrl);
  assertEquals([status, body], [500, "{"]);
});

Deno.test("startLab() publishes its files on its own address too", async () => {
  await using lab = await startLab();
  for (const url of [lab.bootstrapUrl, lab.pricesUrl]) {
    const response = await fetch(`${lab.proxyUrl}${new URL(url).pathname}`);
    await response.body?.cancel();
    assertEquals(response.status, 200);
  }
});

Deno.test("clear() drops queries and requests, not the script", async () => {
  await using lab = await startLab({
    names: [{ name: "x", dns: "delegated", rdap: "registered" }],
  });
  using web = openWeb(lab);
  await resolveNs(lab, "x.com.");
  await web.domain("x.com");
  assertEquals([lab.dnsQueries.length, lab.requests.length], [1, 1]);
  assertEquals(lab.peak("rdap.verisign.com"), 1);
  lab.clear();
  assertEquals([lab.dnsQueries.length, lab.requests.length], [0, 0]);
  assertEquals((await web.domain("x.com")).status, 200);
});

Deno.test("startLab() gives the same answers with real latencies", async () => {
  const options: LabOptions = { latency: "real", dnsDelayMs: 1 };
  await using lab = await startLab(options);
  using web = openWeb(lab);
  assertEquals((await web.domain("taken.com")).status, 200);
  assertEquals((await resolveNs(lab, "taken.com.")).length, 2);
});

Deno.test("startLab() resolves the TLDs, and nothing below a domain", async () => {
  await using lab = await startLab();
  assert((await resolveNs(lab, "com.")).length > 0);
  await assertRejects(() => resolveNs(lab, "www.taken.com."), Deno.errors.NotFound);
});

function resolveNs({ dnsServer }: Lab, name: string): Promise<string[]> {
  const [ipAddr = "", port] = dnsServer.split(":");
  return Deno.resolveDns(name, "NS", { nameServer: { ipAddr, port: Number(port) } });
}

/** A client that goes through the lab's proxy, knows each TLD's base and follows no redirect. */
function openWeb(lab: Lab) {
  const client = Deno.createHttpClient({ proxy: { url: lab.proxyUrl } });
  const bases = new Map(EVERY_TLD.map(({ tld, base }) => [tld, base]));
  async function get(url: string, init: RequestInit = {}) {
    const response = await fetch(url, { ...init, client, redirect: "manual" });
    return { status: response.status, headers: response.headers, body: await response.text() };
  }
  return {
    get,
    domain: (name: string) => get(`${bases.get(name.replace(/.*\./, ""))}domain/${name}`),
    [Symbol.dispose]: () => client.close(),
  };
}

function location({ headers }: { headers: Headers }): string {
  return headers.get("location") ?? "";
}
