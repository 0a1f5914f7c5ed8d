import { assert, assertEquals } from "@std/assert";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { POPULAR_SEEDS as SEEDS } from "../../src/rules/popularity.ts";
import { hostPolicy } from "../../src/rules/tables/hosts.ts";
import { CHAIN_NAMES } from "../lab/chain/chain_names.ts";
import { askFromNetworks, NETWORKS } from "../support/ask_from_networks.ts";
import { onChain, onLab, testsOnLab } from "../support/on_lab.ts";
import { runJob } from "../support/run_job.ts";
import type { Json } from "../support/service.ts";

const HOUR_MS = 3_600_000;
const NAMES = Array.from({ length: 100 - SEEDS.length }, (_, n) => `popular-${n}`);
const ROWS = NAMES.length * BUILT_IN_TLDS.length;
const PROXY = { TRUSTED_PROXIES: "1" };
/** Registries without a pace: names that DNS does not show are asked only of them. */
const QUICK = BUILT_IN_TLDS
  .filter(({ rdapBase }) => hostPolicy(new URL(rdapBase).host).everyMs === 0)
  .map(({ tld }) => tld);

const test = testsOnLab({ env: { ...PROXY, TLDS: "com,net,org" } });

Deno.test("after a warm run the most popular names and the seeds are cache hits under all TLDs", () =>
  onLab(async (service) => {
    const { lab, clock } = service;
    for (const name of [...NAMES, ...SEEDS]) {
      lab.script(name, { dns: "delegated", rdap: "registered" });
    }
    // A tenth of them is available, or registered without a delegation, under TLDs without a pace.
    for (const [n, name] of NAMES.slice(0, 10).entries()) {
      for (const tld of QUICK) {
        lab.script(`${name}.${tld}`, { dns: "nxdomain", rdap: n % 2 ? "registered" : "free" });
      }
    }
    for (const name of NAMES) await askFromNetworks(service, `/check?name=${name}`);
    // All cached answers of it have expired.
    clock.aheadMs += 2 * HOUR_MS;
    const renewed = ROWS + SEEDS.length * BUILT_IN_TLDS.length;
    const message = `${renewed} renewed, 0 still fresh, 0 in flight, 0 without a result, 0 skipped`;
    assertEquals(await runJob(service, "warm_popular"), { kind: "done", message });
    lab.clear();
    const answers = await Promise.all(NAMES.map((name) => service.get(`/check?name=${name}`)));
    const rows: Json[] = answers.flatMap(({ body }) => body.results);
    assertEquals(rows.length, ROWS);
    assertEquals(rows.filter(({ source }) => !source.endsWith("+cache")), []);
    assertEquals(rows.filter(({ available }) => available).length, 5 * QUICK.length);
    assertEquals([lab.dnsQueries, lab.requests], [[], []]);
  }, { env: PROXY }));

test("a warm run renews only answers that expire soon", async (service) => {
  const { lab, clock } = service;
  lab.script("mixed-name.net", { dns: "delegated", rdap: "registered" });
  for (const name of ["taken", "mixed-name", "free-name"]) {
    await askFromNetworks(service, `/check?name=${name}`);
  }
  lab.clear();
  await runJob(service, "warm_popular");
  const asked = lab.dnsQueries.map(({ name }) => name);
  assertEquals(asked.includes("taken.com"), false, "good for an hour");
  assertEquals(asked.includes("mixed-name.com"), true, "good for five minutes");
  assertEquals(asked.includes("free-name.com"), false, "available everywhere");
  assertEquals(asked.includes("google.com"), true, "a seed, not requested yet");
  const before = await service.check("taken.com");
  clock.aheadMs += 41 * 60_000;
  await runJob(service, "warm_popular");
  const after = await service.check("taken.com");
  assertEquals([before.source, after.source], ["dns+cache", "dns+cache"]);
  assert(after.checkedAt > before.checkedAt);
});

test("requested names are counted for all processes, once a network and without client data", async ({ kv, start, ...one }) => {
  for (const service of [one, await start()]) {
    await askFromNetworks(service, "/check?name=taken");
    await askFromNetworks(service, "/check?name=taken&tld=com");
    const accept = "application/x-ndjson";
    for (const address of [...NETWORKS, "192.168.0.1"]) {
      const headers = { accept, "x-forwarded-for": address };
      await service.get("/check?name=mixed", { headers }).catch(() => {});
    }
    for (let n = 0; n < 9; n++) await service.get("/check?name=one-network");
    await askFromNetworks(service, "/check?name=not_valid");
    await service.services.checkDomain("unasked", "com");
    await service.services.jobs.dependencies.popular.flush();
  }
  const { value } = await kv.get<Json>(["popular", "domain"]);
  assertEquals(Object.keys(value), ["at", "names"]);
  const names = value.names.map(([name, score]: [string, number]) => [name, Math.round(score)]);
  assertEquals(names, [["mixed", 8], ["taken", 6]]);
  const entries = await Array.fromAsync(kv.list({ prefix: ["popular"] }));
  assertEquals(NETWORKS.filter((network) => JSON.stringify(entries).includes(network)), []);
});

Deno.test("a warm run renews popular .eth names, many in one request", () =>
  onChain(async (service) => {
    const { clock, chain } = service;
    const names = CHAIN_NAMES.filter(({ state }) => state === "taken").map(({ label }) => label)
      .filter((label) => label.length > 2);
    assert(names.length > 10);
    for (const name of [...names, "not-registered"]) {
      await askFromNetworks(service, `/v1/ens/check?name=${name}`);
    }
    clock.aheadMs = 3_600_000;
    chain.clear();
    await runJob(service, "warm_popular");
    const { length } = chain.requests;
    assert(length > 0 && length <= 10, `${length} requests`);
    chain.clear();
    for (const name of names) {
      const { body } = await service.get(`/v1/ens/check?name=${name}`);
      assertEquals([name, body.source], [name, "rpc+cache"]);
    }
    assertEquals(chain.requests, []);
    const { body } = await service.get("/v1/ens/check?name=not-registered");
    assertEquals([body.available, body.source], [true, "rpc"], "available names are not renewed");
  }, { env: { TLDS: "com", ...PROXY } }));
