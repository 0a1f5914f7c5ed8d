import { assert, assertEquals } from "@std/assert";
import { startChain } from "../lab/chain/chain.ts";
import { CHAIN_NAMES } from "../lab/chain/chain_names.ts";
import { startLab } from "../lab/lab.ts";
import { askFromNetworks } from "../support/ask_from_networks.ts";
import { runJob } from "../support/run_job.ts";
import { startService } from "../support/service.ts";

Deno.test("a warm run renews popular .eth names, many in one request", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using chain = await startChain({ now: () => now });
  await using service = await startService(lab, {
    env: { ...chain.env, TLDS: "com", TRUSTED_PROXIES: "1" },
    now: () => now,
  });
  const names = CHAIN_NAMES.filter(({ state }) => state === "taken").map(({ label }) => label)
    .filter((label) => label.length > 2);
  assert(names.length > 10);
  for (const name of [...names, "not-registered"]) {
    await askFromNetworks(service, `/v1/ens/check?name=${name}`);
  }
  now += 3_600_000;
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
});

Deno.test("a warm run sends no RPC request without popular .eth names", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  await using service = await startService(lab, { env: { ...chain.env, TLDS: "com" } });
  await runJob(service, "warm_popular");
  assertEquals(chain.requests, []);
  assertEquals((await service.get("/health")).body.checks.rpc, "unused");
});
